import type { Experiment } from '#experiment/schema/experiment.ts';
import { rowSettingNames } from '#model/settings/settings.ts';
import type { Plan } from '#protocol/plan.ts';
import { planOf, variantOf } from '../variant-of.ts';

/** Keys of a plan's statements and variants, because each new record of a run asks for them again. */
const known = new WeakMap<Plan, Map<string, string>>();

/** A text that is the same for a statement in variants that may not change its answers. */
export function rowsKey(plan: Plan, id: string, statement: string): string {
  const keys = known.get(plan) ?? new Map<string, string>();
  known.set(plan, keys);
  const place = JSON.stringify([id, statement]);
  const key = keys.get(place) ?? makeKey(plan, id, statement);
  keys.set(place, key);
  return key;
}

function makeKey(plan: Plan, id: string, statement: string): string {
  const variant = variantOf(plan, id);
  return JSON.stringify([
    statement,
    ...rowSettingNames.map((name) => variant?.settings[name]),
    rowsText(plan, planOf(plan, variant).experiment, statement),
  ]);
}

/** The loaded rows and the parameters, as text, if levels may change how many rows a call finds by either. */
function rowsText(plan: Plan, experiment: Experiment, statement: string): string {
  if (experiment === plan.experiment) return '';
  const { dataset, tables = {} } = experiment;
  const rows = [dataset, ...Object.values(tables)].map(({ indexes: _, ...table }) => table);
  const { transactions, scenarios, statements = {} } = experiment;
  return JSON.stringify([rows, Object.keys(tables), statements[statement]?.parameters, transactions, scenarios]);
}
