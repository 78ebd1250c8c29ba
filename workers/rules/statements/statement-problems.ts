import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { Experiment } from '#experiment/schema/experiment.ts';
import { setupTexts } from '#experiment/statements/setup-texts.ts';
import { keyFor, missedLanguage, type TextChoice, textFor } from '#experiment/statements/statement-mix.ts';
import { usualParameter } from '#experiment/statements/usual-parameter.ts';
import { type WrittenText, writtenTexts } from '#experiment/statements/written-texts.ts';
import { allTables, datasetName, datasetTable } from '#model/dataset/tables.ts';
import { ownParameterIn } from '#model/statements/own-parameters.ts';
import { parameterUses } from '#model/statements/parameter-uses.ts';
import { placedTokens } from '#model/statements/placed-tokens.ts';
import { namedParameters } from '#model/statements/program-parameters.ts';
import { commandOfShell, jsonProblem } from '#model/statements/shell-words.ts';
import { extentOf } from '#model/statements/statement-extent.ts';
import { parametersIn, type StatementLanguage, tablesIn } from '#model/statements/statement-text.ts';
import type { ParameterSpec, StatementSpec, TransactionStep } from '#model/statements/statements.ts';
import { isBlock, scopesAround, statementsIn } from '#model/statements/steps.ts';
import { transactionControlIn } from '#model/statements/transaction-control.ts';
import type { Fix, Problem } from '#model/text/diagnostic.ts';
import { didYouMean } from '#model/text/nearest-word.ts';
import type { Path } from '#model/text/path-text.ts';
import type { TargetWithEngine } from '../targets/plan-targets.ts';
import { transactionProblems } from './transaction-problems.ts';

/** Problems of statement texts that depend on the engine: undeclared parameters, missing tables, a second statement. */
export function statementProblems(experiment: Experiment, targets: readonly TargetWithEngine[]): readonly Problem[] {
  const { statements = {}, transactions = {}, scenarios = {} } = experiment;
  const controls = transactionProblems(experiment, targets);
  const isControl = ({ path }: Problem) => controls.some(({ path: own }) => own[1] === path[1] && own[0] === path[0]);
  const problems: Problem[] = [
    ...controls,
    ...tableProblems(experiment, targets),
    ...extentProblems(experiment, targets).filter((one) => !isControl(one)),
    ...shellProblems(experiment, targets),
    ...ownParameterProblems(experiment, targets),
    ...checkProblems(experiment, targets),
  ];
  for (const [name, { parameters }] of Object.entries(transactions))
    problems.push(...alike(['transactions', name, 'parameters'], parameters));
  for (const [name, { parameters }] of Object.entries(scenarios))
    problems.push(...alike(['scenarios', name, 'parameters'], parameters));
  const early = namesBeforeCapture(transactions);
  for (const [name, { text, parameters }] of Object.entries(statements)) {
    const shared = Object.entries(transactions).filter(([, { steps }]) => statementsIn(steps).includes(name));
    const items = [name, ...shared.map(([transaction]) => transaction)];
    const passes = Object.values(scenarios).filter(({ steps }) =>
      steps.some((step) => typeof step === 'string' && items.includes(step)),
    );
    const declared = new Set(
      [
        parameters,
        ...shared.flatMap((one) => scopesAround(name, ...one).map((scope) => scope.parameters)),
        ...passes.map((one) => one.parameters),
      ].flatMap(Object.keys),
    );
    const used = new Set<string>();
    const seen = new Set<string>();
    for (const { engine, language, chosen } of textsFor(text, targets)) {
      if (seen.has(`${language.language} ${chosen}`) || missedLanguage(chosen, language)) continue;
      seen.add(`${language.language} ${chosen}`);
      const path = ['statements', name, 'text'];
      const found = parametersIn(chosen, language, [...declared]);
      const uses = language.language === 'sql' ? parameterUses(chosen, placedTokens(chosen, language)) : null;
      for (const parameter of found) used.add(parameter);
      for (const parameter of found.filter((one) => early.get(name)?.has(one)))
        problems.push({
          path,
          message: `\`${name}\` needs \`${parameter}\` before a step has captured it.`,
          suggestion: 'Put the statement that it is captured from before this one, in the same block or around it.',
        });
      for (const parameter of found.filter((one) => !declared.has(one)))
        problems.push({
          path,
          message: `\`${name}\` has a parameter \`${parameter}\` on ${engine.label} that is not declared.`,
          suggestion: `Say under statements.${name}.parameters.${parameter} where its values come from.`,
          fix: {
            kind: 'set',
            path: ['statements', name, 'parameters', parameter],
            value: usualParameter(
              experiment,
              parameter,
              uses?.get(parameter) ?? null,
              typeof text === 'string' ? language : null,
            ),
          },
        });
    }
    if (seen.size > 0) problems.push(...unused(name, parameters, used));
    problems.push(...alike(['statements', name, 'parameters'], parameters));
  }
  return problems;
}

interface ChosenText {
  readonly engine: EngineDescriptor;
  readonly language: StatementLanguage;
  readonly choice: TextChoice;
  readonly chosen: string;
}

/** The texts that run on the targets: each text once for an engine, because texts are long and targets are many. */
function textsFor(text: StatementSpec['text'], targets: readonly TargetWithEngine[]): readonly ChosenText[] {
  const found = new Map<string, ChosenText>();
  for (const { target, engine } of targets) {
    const choice = { target: target.name, engine: engine.id };
    const chosen = textFor(text, choice);
    if (chosen === null || !engine.statements || found.has(`${engine.id} ${chosen}`)) continue;
    found.set(`${engine.id} ${chosen}`, { engine, language: engine.statements, choice, chosen });
  }
  return [...found.values()];
}

/** Texts of statements, checks and parameter queries that name missing tables. */
function tableProblems(experiment: Experiment, targets: readonly TargetWithEngine[]): readonly Problem[] {
  const made = Object.keys(experiment.setup ?? {});
  const known = [...Object.keys(allTables(experiment)), ...made];
  const ofDataset = datasetName(experiment.dataset);
  const hasDataset = known.includes(ofDataset);
  return textsOf(experiment).flatMap(({ what, text, path }) => {
    const unknown = new Map<string, Problem>();
    for (const { engine, language, chosen, choice } of textsFor(text, targets))
      for (const table of tablesIn(chosen, language))
        if (made.includes(table)) {
          const own = setupTexts(experiment, choice);
          // An engine without any text of setup has an empty cell.
          if (!engine.reference && own.length > 0 && !own.some(({ name }) => name === table))
            unknown.set(table, {
              path,
              message: `${what} has {${table}} on ${engine.label}, and \`setup.${table}\` has no text for it.`,
              suggestion: `Write one under setup.${table}.${engine.id}, or leave {${table}} out of the text for ${engine.label}.`,
            });
        } else if (!known.includes(table))
          unknown.set(table, {
            path,
            message:
              table === datasetTable && !hasDataset
                ? `${what} has {table}, and the experiment has no dataset.`
                : `${what} has {${table}}, and there is no such table.`,
            suggestion:
              table === datasetTable && !hasDataset
                ? 'Add a dataset, or write the name of a table of yours.'
                : table === datasetTable
                  ? `The dataset’s table is {${ofDataset}}.`
                  : (didYouMean(table, known) ?? `Tables: ${known.map((one) => `{${one}}`).join(', ') || 'none'}.`),
          });
    return [...unknown.values()];
  });
}

/**
 * Texts with more than one statement: their counts, plans and answers would belong to the first statement, or to all.
 */
function extentProblems(experiment: Experiment, targets: readonly TargetWithEngine[]): readonly Problem[] {
  return textsOf(experiment).flatMap(({ what, text, path, advice, isQuery }) => {
    const found = new Map<string, Problem>();
    for (const { engine, language, chosen, choice } of textsFor(text, targets)) {
      // A reference runs no statements.
      if (engine.reference || found.has(chosen)) continue;
      const control = isQuery ? transactionControlIn(chosen, language) : null;
      if (control)
        found.set(chosen, {
          path: [...path, ...keyFor(text, choice)],
          message: `${what} is ${control.words} on ${engine.label}, which controls transactions and returns no rows.`,
          suggestion: 'Write a query.',
        });
      const { next } = extentOf(chosen, language);
      if (next)
        found.set(chosen, {
          path: [...path, ...keyFor(text, choice)],
          message: `${what} is more than one statement on ${engine.label}: the next begins in line ${next.line} of its text with “${next.words}”.`,
          suggestion: advice,
        });
    }
    return [...found.values()];
  });
}

/** Parameters in the product's notation ($1, ?, :1), in texts copied from programs. */
function ownParameterProblems(experiment: Experiment, targets: readonly TargetWithEngine[]): readonly Problem[] {
  return Object.entries(experiment.statements ?? {}).flatMap(([name, { text, parameters }]) =>
    textsFor(text, targets).flatMap(({ engine, language, chosen, choice }): readonly Problem[] => {
      const found = engine.reference ? null : (ownParameterIn(chosen, language) ?? ofProgram(chosen, language));
      if (!found) return [];
      const path = ['statements', name, 'text', ...keyFor(text, choice)];
      const { line, column, sign } = found;
      const { text: named, uses } = namedParameters(chosen, language);
      const missing = [...uses].filter(([one]) => parameters[one] === undefined);
      return [
        {
          path,
          message: `\`${name}\` has ${sign} in line ${line}, column ${column} of its text, a parameter that gets no value on ${engine.label}.`,
          suggestion: 'Write parameters as :name, and say under parameters where their values come from.',
          ...(named !== chosen && {
            fix: {
              kind: 'several',
              fixes: [
                { kind: 'set', path, value: named },
                ...missing.map(
                  ([one, use]): Fix => ({
                    kind: 'set',
                    path: ['statements', name, 'parameters', one],
                    value: usualParameter(experiment, one, use, typeof text === 'string' ? language : null),
                  }),
                ),
              ],
            },
          }),
        },
      ];
    }),
  );
}

/** The first parameter in the notation of a program that the server does not understand; null: none. */
function ofProgram(text: string, language: StatementLanguage): ReturnType<typeof ownParameterIn> {
  const { signs, positions } = namedParameters(text, language);
  // A server without batches keeps variables of its sessions under such names.
  const index = signs.findIndex((sign) => !sign.startsWith('@') || language.batches === true);
  if (index === -1) return null;
  const before = text.slice(0, positions[index]).split('\n');
  return { line: before.length, column: before.at(-1)!.length + 1, sign: signs[index]! };
}

/** Commands in the notation of the product's shell, where the language is JSON. */
function shellProblems(experiment: Experiment, targets: readonly TargetWithEngine[]): readonly Problem[] {
  return textsOf(experiment).flatMap(({ what, text, path }) =>
    textsFor(text, targets).flatMap(({ engine, language, chosen, choice }): readonly Problem[] => {
      if (language.language !== 'json' || engine.reference) return [];
      const at = [...path, ...keyFor(text, choice)];
      const command = commandOfShell(chosen);
      if (command !== null)
        return [
          { path: at, message: `${what} is a call of the shell’s, and no command.`, suggestion: `Write ${command}.` },
        ];
      const problem = jsonProblem(chosen);
      if (!problem) return [];
      const { line, column, found, write, corrected } = problem;
      return [
        {
          path: at,
          message: `${what} is no JSON in line ${line}, column ${column} of its text: ${found}`,
          suggestion: write ? `Write ${write}` : null,
          ...(corrected !== null && { fix: { kind: 'set', path: at, value: corrected } }),
        },
      ];
    }),
  );
}

/** Checks have no source of parameter values. */
function checkProblems({ checks = {} }: Experiment, targets: readonly TargetWithEngine[]): readonly Problem[] {
  return Object.entries(checks).flatMap(([name, { text }]) => {
    const found = textsFor(text, targets).flatMap(({ language, chosen }) =>
      missedLanguage(chosen, language) ? [] : parametersIn(chosen, language, []),
    );
    return [...new Set(found)].map(
      (parameter): Problem => ({
        path: ['checks', name, 'text'],
        message: `The check \`${name}\` has a parameter \`${parameter}\`, and checks have none.`,
        suggestion: 'Write the value.',
      }),
    );
  });
}

/** The name that a message gives a text, and the advice where the text is several statements. */
const textKinds: Readonly<
  Record<WrittenText['kind'], { readonly what: (name: string) => string; readonly advice: string }>
> = {
  statement: {
    what: (name) => `\`${name}\``,
    advice: 'Make a statement of each; as steps of a transaction they are committed together.',
  },
  query: {
    what: (name) => `The query of \`${name}\``,
    advice: 'Leave the query whose first column has the values.',
  },
  check: { what: (name) => `The check \`${name}\``, advice: 'Make a check of each.' },
  setup: { what: (name) => `The setup of \`${name}\``, advice: 'Make a statement of setup of each.' },
  teardown: { what: (name) => `The teardown of \`${name}\``, advice: 'Make a statement of teardown of each.' },
};

/** The texts of the file in the languages of engines. */
const textsOf = (experiment: Experiment) =>
  writtenTexts(experiment).map(({ kind, name, text, path }) => ({
    ...{ what: textKinds[kind].what(name), advice: textKinds[kind].advice },
    ...{ text, path, isQuery: kind === 'query' || kind === 'check' },
  }));

/** Two parameters with one column of one row have the same value in every call. */
function alike(path: Path, parameters: Readonly<Record<string, ParameterSpec>>): readonly Problem[] {
  const first = new Map<string, string>();
  return Object.entries(parameters).flatMap(([name, spec]): readonly Problem[] => {
    if (spec.type !== 'csv' && spec.type !== 'query') return [];
    const from = spec.type === 'csv' ? spec.file : spec.text;
    const key = JSON.stringify([spec.type, from, spec.column, spec.row]);
    const other = first.get(key);
    if (other === undefined) {
      first.set(key, name);
      return [];
    }
    return [
      {
        severity: 'warning',
        path: [...path, name],
        at: 'key',
        message: `\`${name}\` and \`${other}\` have the same value in every call: both are one column of one row.`,
        suggestion: `Write \`row: ${name}\` for another row, or use one parameter in both places.`,
        fix: { kind: 'set', path: [...path, name, 'row'], value: name },
      },
    ];
  });
}

/** A column may exist only as the source of others. */
function unused(
  name: string,
  parameters: Readonly<Record<string, ParameterSpec>>,
  used: ReadonlySet<string>,
): readonly Problem[] {
  const followed = Object.values(parameters).flatMap((spec) =>
    spec.type === 'correlated' ? [spec.of, spec.times] : spec.type === 'delayed' ? [spec.of] : [],
  );
  return Object.keys(parameters)
    .filter((one) => !used.has(one) && !followed.includes(one))
    .map((one) => ({
      severity: 'warning',
      path: ['statements', name, 'parameters', one],
      at: 'key',
      message: `No text of \`${name}\` has the parameter \`${one}\`.`,
      suggestion: null,
    }));
}

/** The captured parameters of each statement that have no value yet, because the capturing step comes later. */
function namesBeforeCapture(transactions: NonNullable<Experiment['transactions']>): ReadonlyMap<string, Set<string>> {
  const early = new Map<string, Set<string>>();
  const walk = (
    steps: readonly TransactionStep[],
    waiting: ReadonlyMap<string, string>,
  ): ReadonlyMap<string, string> => {
    const left = new Map(waiting);
    for (const step of steps) {
      if (typeof step === 'string') {
        early.set(step, new Set([...(early.get(step) ?? []), ...left.keys()]));
        for (const [name, from] of left) if (from === step) left.delete(name);
      } else if (isBlock(step)) {
        const after = walk(step.steps, new Map([...left, ...captured(step.parameters)]));
        walk(step.otherwise ?? [], left);
        // A step that does not always run guarantees no value.
        if (step.probability === undefined) for (const name of left.keys()) if (!after.has(name)) left.delete(name);
      }
    }
    return left;
  };
  for (const { steps, parameters } of Object.values(transactions)) walk(steps, new Map(captured(parameters)));
  return early;
}

const captured = (parameters: Readonly<Record<string, ParameterSpec>>): readonly (readonly [string, string])[] =>
  Object.entries(parameters).flatMap(([name, spec]) => (spec.type === 'captured' ? [[name, spec.from] as const] : []));
