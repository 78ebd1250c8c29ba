import type { Experiment } from '#experiment/schema/experiment.ts';
import { serverParametersOf } from '#experiment/schema/server.ts';
import { sessionSettingsOf } from '#experiment/schema/session.ts';
import { setupTexts } from '#experiment/statements/setup-texts.ts';
import { type TextChoice, textFor } from '#experiment/statements/statement-mix.ts';
import { defaultSettings, type Settings } from '#model/settings/settings.ts';
import type { StatementSpec } from '#model/statements/statements.ts';
import type { PlannedMeasure } from '#protocol/plan.ts';

const known = new WeakMap<Experiment, Map<string, string>>();

/**
 * The tables, the objects of `setup`, the settings of sessions, the parameters of the server and, for custom
 * statements, the statements that a variant has on a target, as text: variants with equal settings and the same text
 * measure the same thing there. A text for another engine makes no difference.
 */
export function workOf(experiment: Experiment, { operation }: Settings, choice: TextChoice): string {
  const own = known.get(experiment) ?? new Map<string, string>();
  known.set(experiment, own);
  const runsStatements = operation === 'statement';
  const key = JSON.stringify([runsStatements, choice.target]);
  const made = own.get(key) ?? makeWork(experiment, runsStatements, choice);
  own.set(key, made);
  return made;
}

/**
 * The rows, statements and settings of a variant on a target as text, without everything that users tune: indexes,
 * settings of sessions, and parameters of the server. Runs whose texts are equal measured the same work.
 */
export function definitionOf(
  experiment: Experiment,
  settings: Settings,
  measure: Pick<PlannedMeasure, 'until' | 'calls' | 'stages'>,
  choice: TextChoice,
): string {
  const { dataset, tables = {} } = experiment;
  const rows = [['', dataset] as const, ...Object.entries(tables)].map(([name, table]) => [
    name,
    withoutIndexes(table),
  ]);
  // A setting that a newer version adds has its default value in older runs.
  const own = Object.entries(settings)
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(defaults[name]))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const { until, calls, stages } = measure;
  return JSON.stringify([
    rows,
    setupTexts(experiment, choice),
    settings.operation === 'statement' ? statementsOf(experiment, choice) : [],
    own,
    [until, calls, stages],
  ]);
}

const defaults: Readonly<Record<string, unknown>> = defaultSettings;

const withoutIndexes = (table: object | undefined): object => ({ ...table, indexes: undefined });

function makeWork(experiment: Experiment, runsStatements: boolean, choice: TextChoice): string {
  const { dataset, tables } = experiment;
  const work = runsStatements ? statementsOf(experiment, choice) : [];
  const bySection = [sessionSettingsOf(experiment, choice.engine), serverParametersOf(experiment, choice.engine)];
  // The order of settings and parameters makes no difference.
  const made = bySection.map((one) => Object.entries(one).sort());
  return JSON.stringify([dataset, tables, setupTexts(experiment, choice), work, made]);
}

function statementsOf({ statements = {}, transactions, scenarios, checks = {} }: Experiment, choice: TextChoice) {
  const chosen = <T extends { readonly text: StatementSpec['text'] }>(all: Readonly<Record<string, T>>) =>
    Object.entries(all).map(([name, spec]) => [name, { ...spec, text: textFor(spec.text, choice) }]);
  return [chosen(statements), transactions, scenarios, chosen(checks)];
}
