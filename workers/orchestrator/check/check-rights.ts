import { optionsFor } from '#engine-api/support/engine-options.ts';
import { keyIndex, tableColumns } from '#model/dataset/columns.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { toErrorData } from '#model/error.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import type { Home } from '#platform/paths.ts';
import { holdTables } from '../run/leftovers.ts';
import { leastExperiment } from '../try/least-experiment.ts';
import { type Control, dropLimitOf } from '../worker/control.ts';
import type { ConfiguredTarget } from '../worker/targets.ts';
import { type ConnectionBoard, stepMs, timed } from './check-steps.ts';

const leaveMs = 10_000;

/** Creates a table and drops it, which are the first and last steps of every trial. */
export function checkRights(
  board: ConnectionBoard,
  control: Control,
  target: ConfiguredTarget,
  home: Home,
  tag: string,
  signal: AbortSignal,
): Promise<boolean> {
  const { dataset } = leastExperiment('');
  const table: TablePlan = {
    name: `dyno_${tag}_check`,
    columns: tableColumns(dataset),
    key: keyIndex({ ...dataset, key: 'id' }),
    options: optionsFor(control.descriptor, defaultSettings),
  };
  return board.run('rights', async () => {
    // If this process is killed in between, the next run on this server drops the table.
    using held = holdTables(home, tag);
    held.note(target.place);
    let isDropped = false;
    try {
      await timed(stepMs, signal, (limit) => control.ask({ call: 'prepareSchema', table }, limit));
      await timed(stepMs, signal, (limit) => control.ask({ call: 'drop', table }, limit));
      isDropped = true;
      return { state: 'ok', detail: 'A table was made and dropped' };
    } finally {
      if (!isDropped) isDropped = await dropLate(control, table, signal);
      if (isDropped) held.forget(target.place);
    }
  });
}

/** Called after a failure or a cancel. Returns true if the table is certainly gone. */
async function dropLate(control: Control, table: TablePlan, signal: AbortSignal): Promise<boolean> {
  try {
    await control.connect(dropLimitOf(signal, leaveMs));
    await control.ask({ call: 'drop', table }, AbortSignal.timeout(leaveMs));
    return true;
  } catch (thrown) {
    // A user without the right to create tables has created none.
    return toErrorData(thrown).kind === 'permission';
  }
}
