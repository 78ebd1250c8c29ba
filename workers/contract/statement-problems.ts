import type { Experiment } from './experiment.ts';
import { formatPath } from './path-text.ts';
import type { ResolvedTarget } from './plan-targets.ts';
import { textFor } from './statement-mix.ts';
import { namesTable, parametersIn } from './statement-text.ts';
import type { ParameterSpec } from './statements.ts';
import { scopesAround, statementsIn } from './steps.ts';
import { commandOf } from './try-rules.ts';
import type { Problem } from './yaml-source.ts';

/** What can be said of texts once their engines are known: parameters that are not declared, and places of a table that is not there. */
export function statementProblems(
  { statements = {}, transactions = {}, scenarios = {}, dataset }: Experiment,
  targets: readonly ResolvedTarget[],
): readonly Problem[] {
  const problems: Problem[] = [];
  const hasTable = Object.keys(dataset.columns).length > 0;
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
    for (const { target, engine } of targets) {
      const chosen = textFor(text, { target: target.name, engine: engine.id });
      if (chosen === null || !engine.statements || seen.has(`${engine.statements.language} ${chosen}`)) continue;
      seen.add(`${engine.statements.language} ${chosen}`);
      const path = ['statements', name, 'text'];
      if (engine.statements.language === 'json' && commandOf(chosen) === null) {
        problems.push({
          severity: 'error',
          path,
          at: 'value',
          message: `\`${name}\` has no command for ${engine.label}: its text is no JSON.`,
          suggestion: `Add ${formatPath([...path, engine.id])}: '{ "find": … }'.`,
        });
        continue;
      }
      const found = parametersIn(chosen, engine.statements, [...declared]);
      for (const parameter of found) used.add(parameter);
      for (const parameter of found.filter((one) => !declared.has(one)))
        problems.push({
          severity: 'error',
          path,
          at: 'value',
          message: `\`${name}\` has a parameter \`${parameter}\` on ${engine.label} that is not declared.`,
          suggestion: `Say under statements.${name}.parameters.${parameter} where its values come from.`,
        });
      if (!hasTable && namesTable(chosen, engine.statements))
        problems.push({
          severity: 'error',
          path,
          at: 'value',
          message: `\`${name}\` has {table}, and the experiment has no dataset.`,
          suggestion: 'Add a dataset, or write the name of a table of yours.',
        });
    }
    if (seen.size > 0) problems.push(...unused(name, parameters, used));
  }
  return problems;
}

/** A follower's source may be there for its sake alone. */
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
