import { setupFormOf } from '#engine-api/support/setup-form.ts';
import type { Experiment } from '#experiment/schema/experiment.ts';
import { setupTexts } from '#experiment/statements/setup-texts.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { DynoError, toErrorData } from '#model/error.ts';
import type { Options } from '#model/settings/options.ts';
import { objectName } from '#model/statements/setup.ts';
import { type LoadedTables, plansOf } from '#protocol/messages.ts';
import type { Control } from '../worker/control.ts';

/** A statement of `setup` on one target, with the object that it makes, or its table. */
interface SetupStep {
  readonly name: string;
  readonly text: string;
  readonly makes: string | null;
  readonly plan: TablePlan;
}

/**
 * The statements of `setup` for a target. Throws 'badInput' for one that could not be undone, although the rules of
 * files have refused it: a run file may have been changed. `ofTrial`: the name of the trial's table.
 */
function stepsOf(control: Control, experiment: Experiment, ofTrial: string, options: Options): readonly SetupStep[] {
  const { descriptor, planned } = control;
  if (descriptor.reference) return [];
  return setupTexts(experiment, { target: planned.name, engine: planned.engine }).map(({ name, text }) => {
    const found = setupFormOf(descriptor, text, name);
    if ('why' in found) throw new DynoError('badInput', `setup.${name}: ${found.why}`);
    const plan: TablePlan = { name: objectName(ofTrial, name), columns: [], key: null, options };
    return { name, text, makes: found.form.makes ?? null, plan };
  });
}

/** The objects of `setup` by the names that texts write, as tables without rows of Dyno's. */
export const setupObjects = (
  control: Control,
  experiment: Experiment,
  ofTrial: string,
  options: Options,
): LoadedTables =>
  Object.fromEntries(
    stepsOf(control, experiment, ofTrial, options).flatMap(({ name, makes, plan }) =>
      makes === null ? [] : [[name, { table: plan, dataset: noDataset, rows: 0 }]],
    ),
  );

const noDataset = { rows: 1, seed: 1, columns: {} };

/**
 * Runs the statements of `setup` in the order of the file. `tables`: the tables and objects that their texts name.
 * Throws the server's error with the name of the statement.
 */
export async function runSetup(
  control: Control,
  experiment: Experiment,
  ofTrial: string,
  tables: LoadedTables,
  options: Options,
  signal: AbortSignal,
): Promise<void> {
  for (const { name, text, makes, plan } of stepsOf(control, experiment, ofTrial, options)) {
    const setup = { text, tables: plansOf(tables), name: plan.name, makes };
    try {
      await control.ask({ call: 'setUp', plan: setup }, signal);
    } catch (thrown) {
      const { kind, message, ...more } = toErrorData(thrown);
      throw new DynoError(kind, `setup.${name}: ${message}`, more);
    }
  }
}
