import type { Experiment } from '#experiment/schema/experiment.ts';
import { serverParametersOf } from '#experiment/schema/server.ts';
import { sessionSettingsOf } from '#experiment/schema/session.ts';
import { setupTexts } from '#experiment/statements/setup-texts.ts';
import { type TextChoice, textFor } from '#experiment/statements/statement-mix.ts';
import type { Settings } from '#model/settings/settings.ts';
import type { StatementSpec } from '#model/statements/statements.ts';

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

function makeWork(experiment: Experiment, runsStatements: boolean, choice: TextChoice): string {
  const { dataset, tables, statements = {}, transactions, scenarios, checks = {} } = experiment;
  const chosen = <T extends { readonly text: StatementSpec['text'] }>(all: Readonly<Record<string, T>>) =>
    Object.entries(all).map(([name, spec]) => [name, { ...spec, text: textFor(spec.text, choice) }]);
  const work = runsStatements ? [chosen(statements), transactions, scenarios, chosen(checks)] : [];
  const bySection = [sessionSettingsOf(experiment, choice.engine), serverParametersOf(experiment, choice.engine)];
  // The order of settings and parameters makes no difference.
  const made = bySection.map((one) => Object.entries(one).sort());
  return JSON.stringify([dataset, tables, setupTexts(experiment, choice), work, made]);
}
