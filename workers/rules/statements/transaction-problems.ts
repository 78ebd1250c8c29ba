import { stringify } from 'yaml';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { Experiment } from '#experiment/schema/experiment.ts';
import { textFor, weightsOf } from '#experiment/statements/statement-mix.ts';
import { statementsOf } from '#model/statements/statement-extent.ts';
import { parametersIn } from '#model/statements/statement-text.ts';
import type { ParameterSpec } from '#model/statements/statements.ts';
import { statementsIn } from '#model/statements/steps.ts';
import {
  type FoundControl,
  isolationIn,
  type TransactionGroup,
  transactionControlIn,
  transactionGroups,
} from '#model/statements/transaction-control.ts';
import type { Fix, Problem } from '#model/text/diagnostic.ts';
import type { TargetWithEngine } from '../targets/plan-targets.ts';

/** Transaction control in a text, as the first target that recognises it reads the text. */
interface OwnControl extends FoundControl {
  readonly engine: EngineDescriptor;
  readonly text: string;
  /** The statements of a text that contains BEGIN, statements and COMMIT. Empty: the text is a single statement. */
  readonly parts: readonly string[];
}

/**
 * Transaction control among the statements: a session would keep its transaction and its locks from call to call. Each
 * problem has the transaction that would be right, as YAML.
 */
export function transactionProblems(experiment: Experiment, targets: readonly TargetWithEngine[]): readonly Problem[] {
  const { statements = {}, transactions = {}, scenarios } = experiment;
  const controls = new Map<string, OwnControl>();
  for (const [name, { text }] of Object.entries(statements)) {
    const control = controlOn(text, targets);
    if (control) controls.set(name, control);
  }
  if (controls.size === 0) return [];
  const steps = new Map(Object.entries(transactions).map(([name, one]) => [name, statementsIn(one.steps)]));
  const alone = weightsOf(experiment);
  const sequences = scenarios
    ? Object.values(scenarios).map((one) => one.steps.filter((step) => typeof step === 'string'))
    : [Object.keys(statements).filter((name) => alone.has(name) || !isStep(name, steps))];
  const seen = new Set<string>();
  const problems: Problem[] = [];
  for (const sequence of sequences) {
    const groups = transactionGroups(sequence, (name) =>
      controls.get(name)?.parts.length ? null : (controls.get(name) ?? null),
    );
    for (const name of sequence) {
      const control = controls.get(name);
      if (!control || seen.has(name)) continue;
      const group = groups.find((one) => one.begin === name || one.end === name || one.steps.includes(name));
      const first = group && (group.begin ?? group.steps.find((one) => controls.has(one)) ?? group.end);
      // A savepoint within a transaction is right as a step of it.
      if (group?.steps.includes(name) && first !== name) continue;
      seen.add(name);
      problems.push(
        problemOf(name, control, group && first === name ? group : null, first ?? null, experiment, controls),
      );
    }
  }
  for (const [transaction, names] of steps)
    for (const name of names) {
      const control = controls.get(name);
      if (!control || control.kind === 'within' || seen.has(name)) continue;
      seen.add(name);
      problems.push(stepProblem(name, transaction, control, experiment));
    }
  return problems;
}

const isStep = (name: string, steps: ReadonlyMap<string, readonly string[]>): boolean =>
  [...steps.values()].some((names) => names.includes(name));

function controlOn(
  text: NonNullable<Experiment['statements']>[string]['text'],
  targets: readonly TargetWithEngine[],
): OwnControl | null {
  for (const { target, engine } of targets) {
    const chosen = textFor(text, { target: target.name, engine: engine.id });
    if (chosen === null || !engine.statements || engine.reference) continue;
    const found = transactionControlIn(chosen, engine.statements);
    if (!found) continue;
    const all = engine.statements.language === 'sql' ? statementsOf(chosen, engine.statements) : [];
    return { ...found, engine, text: chosen, parts: all.length > 1 ? all : [] };
  }
  return null;
}

function problemOf(
  name: string,
  control: OwnControl,
  group: TransactionGroup | null,
  first: string | null,
  experiment: Experiment,
  controls: ReadonlyMap<string, OwnControl>,
): Problem {
  const { words, engine, kind, parts } = control;
  const path = ['statements', name, 'text'];
  const what = `\`${name}\` is ${words} on ${engine.label}`;
  const isolation = isolationIn(control.text, control.engine.isolations);
  if (parts.length > 0) {
    const made = fromParts(name, control, experiment);
    return {
      path,
      message: `\`${name}\` is ${words} and more on ${engine.label}: Dyno begins and ends transactions itself.`,
      suggestion: `Write these as a transaction: ${flow(made)}`,
      fix: { kind: 'several', fixes: [remove(name), ...entries(made)] },
    };
  }
  if (kind === 'isolates')
    return {
      path,
      message: `${what}: it would hold for whatever the session runs next.`,
      suggestion: isolation
        ? `Leave it out, and set the level for all: ${flow({ workload: { isolation } })}`
        : 'Leave it out, and set workload.isolation.',
      ...(isolation && { fix: { kind: 'several', fixes: [remove(name), set(['workload', 'isolation'], isolation)] } }),
    };
  if (!group)
    return {
      path,
      message:
        first === null || first === name
          ? `${what}: it begins or ends no transaction here.`
          : `${what}, and belongs to the transaction of \`${first}\`.`,
      suggestion: 'Leave it out: Dyno begins, commits and rolls back transactions itself.',
      fix: set(['statements', name], undefined),
    };
  const message = `${what}, ${why[kind]}`;
  const own = group.steps.filter((step) => step !== name || control.isStep || kind === 'within');
  if (own.length === 0)
    return { path, message, suggestion: 'Leave it out.', fix: set(['statements', name], undefined) };
  const transaction = freeName(experiment);
  const shared = sharedParameters(own, experiment, controls);
  const made = {
    ...(isolation && { workload: { isolation } }),
    transactions: { [transaction]: { steps: own, ...(Object.keys(shared).length > 0 && { parameters: shared }) } },
  };
  const out = [group.begin, group.end].filter((one) => one !== null && !own.includes(one)) as string[];
  return {
    path,
    message,
    suggestion: [
      `Write these as a transaction: ${flow(made)}`,
      out.length > 0 && `Leave out ${out.map((one) => `\`${one}\``).join(' and ')}.`,
      control.isStep && `Leave the fields ${fieldsOf(own, controls)} out of the commands.`,
      group.isUndone && 'Dyno commits it; it is rolled back at its first error alone.',
      kind === 'holds' &&
        !control.isStep &&
        'Rows are locked in it by what it reads and changes (SELECT … FOR UPDATE).',
    ]
      .filter(Boolean)
      .join(' '),
    ...(!control.isStep && {
      fix: {
        kind: 'several',
        fixes: [...entries(made), ...inScenarios(own, out, transaction, experiment), ...out.map(remove)],
      },
    }),
  };
}

/** The problem with the statement if Dyno does not run it within a transaction. */
const why = {
  begins: 'which begins a transaction: by itself it stays open, and holds its locks.',
  holds: 'which holds for the whole session: what runs next would keep its locks.',
  ends: 'which ends a transaction that no other statement may have begun.',
  undoes: 'which rolls back a transaction that no other statement may have begun.',
  within: 'which only a transaction has a use for.',
  isolates: '',
} as const satisfies Record<FoundControl['kind'], string>;

function stepProblem(
  name: string,
  transaction: string,
  { words, engine }: OwnControl,
  experiment: Experiment,
): Problem {
  const { steps = [] } = experiment.transactions?.[transaction] ?? {};
  const rest = steps.filter((step) => step !== name);
  return {
    path: ['statements', name, 'text'],
    message: `\`${name}\` is ${words} on ${engine.label}, and a step of \`${transaction}\`, which Dyno begins and commits itself.`,
    suggestion: `Leave it out of the transaction: ${flow({ transactions: { [transaction]: { steps: rest } } })}`,
  };
}

/** Parameters that several statements of a transaction declare alike: the script that they come from has one value. */
function sharedParameters(
  names: readonly string[],
  { statements = {} }: Experiment,
  controls: ReadonlyMap<string, OwnControl>,
): Readonly<Record<string, ParameterSpec>> {
  const own = names.filter((name) => !controls.has(name)).map((name) => statements[name]?.parameters ?? {});
  const all = own.flatMap((parameters) => Object.entries(parameters));
  const shared = new Map<string, ParameterSpec>();
  for (const [name, spec] of all) {
    const same = all.filter(([other]) => other === name);
    if (same.length > 1 && same.every(([, other]) => JSON.stringify(other) === JSON.stringify(spec)))
      shared.set(name, spec);
  }
  return Object.fromEntries(shared);
}

/**
 * The statements and the transaction that replace a text of several statements; the transaction has the text's name.
 */
function fromParts(name: string, { parts, engine }: OwnControl, experiment: Experiment): Made {
  const language = engine.statements!;
  const inner = parts.filter((part) => transactionControlIn(part, language)?.kind !== 'begins');
  const texts = inner.filter(
    (part) => !['ends', 'undoes', 'holds'].includes(transactionControlIn(part, language)?.kind ?? ''),
  );
  const names = texts.map((_, i) => `${name}-${i + 1}`);
  const spec = experiment.statements![name]!;
  const used = texts.flatMap((text) => parametersIn(text, language, []));
  const parameters = Object.fromEntries(Object.entries(spec.parameters).filter(([one]) => used.includes(one)));
  return {
    statements: Object.fromEntries(texts.map((text, i) => [names[i]!, { text }])),
    transactions: {
      [name]: {
        steps: names,
        ...(Object.keys(parameters).length > 0 && { parameters }),
        ...(spec.weight !== undefined && { weight: spec.weight }),
      },
    },
  };
}

type Made = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Changes that add each entry of each part of the file. */
const entries = (made: Made): readonly Fix[] =>
  Object.entries(made).flatMap(([part, all]) => Object.entries(all).map(([name, value]) => set([part, name], value)));

const set = (path: readonly string[], value: unknown): Fix => ({ kind: 'set', path, value });
const remove = (name: string): Fix => set(['statements', name], undefined);

/** The changes in scenarios: the transaction replaces its steps and the statements that began and ended it. */
function inScenarios(
  own: readonly string[],
  out: readonly string[],
  transaction: string,
  { scenarios = {} }: Experiment,
): readonly Fix[] {
  const gone = new Set([...own, ...out]);
  return Object.entries(scenarios).flatMap(([scenario, { steps }]) => {
    const at = steps.findIndex((step) => typeof step === 'string' && gone.has(step));
    if (at === -1) return [];
    const left = steps.flatMap((step, i) => {
      if (i === at) return [transaction];
      return typeof step === 'string' && gone.has(step) ? [] : [step];
    });
    return [set(['scenarios', scenario, 'steps'], left)];
  });
}

/** YAML on one line, without the outermost braces. */
const flow = (value: object): string =>
  stringify(value, { collectionStyle: 'flow', lineWidth: 0 })
    .trim()
    .replace(/^\{ ?| ?\}$/g, '');

function freeName({ statements = {}, transactions = {}, scenarios = {} }: Experiment): string {
  const taken = new Set([statements, transactions, scenarios].flatMap(Object.keys));
  for (let i = 1; ; i++) if (!taken.has(`transaction-${i}`)) return `transaction-${i}`;
}

const fieldsOf = (names: readonly string[], controls: ReadonlyMap<string, OwnControl>): string =>
  [...new Set(names.flatMap((name) => controls.get(name)?.words.split(', ') ?? []))].join(', ');
