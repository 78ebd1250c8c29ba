import type { Experiment } from '#experiment/schema/experiment.ts';
import { tableSettingNames } from '#model/settings/settings.ts';
import { readOnlyOperations } from '#model/settings/vocabulary.ts';
import type { Plan, Variant } from '#protocol/plan.ts';
import { planOf } from './variant-of.ts';

/**
 * True if the target's next trial can use the tables: nothing changes their rows, and the trial would create them
 * identically, or with other indexes alone (shared-loads.ts). Statements of `setup` and `teardown` change tables by
 * triggers, statistics and options.
 */
export const canShareTable = (plan: Plan, a: Variant, b: Variant, target: string): boolean =>
  sharesLoad(plan, a, b, target) || isSameTable(plan, a, b);

const sharesLoad = ({ targets }: Plan, a: Variant, b: Variant, target: string): boolean =>
  targets
    .find(({ name }) => name === target)
    ?.sharedLoads?.some((group) => group.includes(a.id) && group.includes(b.id)) ?? false;

const isSameTable = (plan: Plan, a: Variant, b: Variant): boolean =>
  [a, b].every((one) => {
    const { setup, teardown } = planOf(plan, one).experiment;
    return readOnlyOperations.includes(one.settings.operation) && setup === undefined && teardown === undefined;
  }) &&
  optionsText(a) === optionsText(b) &&
  tableSettingNames.every((name) => a.settings[name] === b.settings[name]) &&
  tablesText(planOf(plan, a)) === tablesText(planOf(plan, b));

const optionsText = ({ settings }: Variant): string => JSON.stringify(Object.entries(settings.options).sort());

const known = new WeakMap<Experiment, string>();

/** The tables and the servers of a variant, as text. They are kept, because progress compares them again and again. */
function tablesText({ experiment }: Plan): string {
  const text = known.get(experiment) ?? JSON.stringify([experiment.dataset, experiment.tables, experiment.server]);
  known.set(experiment, text);
  return text;
}
