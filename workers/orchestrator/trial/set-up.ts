import type { SetupPlan } from '#engine-api/setup.ts';
import { notTeardownText, setupFormOf } from '#engine-api/support/setup-form.ts';
import type { Experiment } from '#experiment/schema/experiment.ts';
import { setupTexts, teardownTexts } from '#experiment/statements/setup-texts.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { DynoError, type ErrorData, toErrorData } from '#model/error.ts';
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
  for (const { name, text, makes, plan } of stepsOf(control, experiment, ofTrial, options))
    await ask(control, `setup.${name}`, { text, tables: plansOf(tables), name: plan.name, makes }, signal);
}

/**
 * Runs the statements of `teardown` in the order of the file, each even if one before it has failed. Returns the
 * server's errors, each with the name of its statement.
 */
export async function runTeardown(
  control: Control,
  experiment: Experiment,
  ofTrial: string,
  tables: LoadedTables,
  signal: AbortSignal,
): Promise<readonly ErrorData[]> {
  const { descriptor, planned } = control;
  if (descriptor.reference) return [];
  const errors: ErrorData[] = [];
  for (const { name, text } of teardownTexts(experiment, { target: planned.name, engine: planned.engine }))
    try {
      // A run file may have been changed since the rules of files have judged its text.
      const why = notTeardownText(descriptor, text, Object.keys(experiment.setup ?? {}));
      if (why !== null) throw new DynoError('badInput', `teardown.${name}: ${why}`);
      const plan = { text, tables: plansOf(tables), name: `${ofTrial}_teardown_${name}`, makes: null };
      await ask(control, `teardown.${name}`, plan, signal);
    } catch (thrown) {
      errors.push(toErrorData(thrown));
    }
  return errors;
}

async function ask(control: Control, what: string, plan: SetupPlan, signal: AbortSignal): Promise<void> {
  try {
    await control.ask({ call: 'setUp', plan }, signal);
  } catch (thrown) {
    const { kind, message, ...more } = toErrorData(thrown);
    throw new DynoError(kind, `${what}: ${message}`, more);
  }
}
