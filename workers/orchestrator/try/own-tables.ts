import type { StoredAs } from '#model/dataset/stored-type.ts';
import { toErrorData } from '#model/error.ts';
import { formatCount } from '#model/format/format.ts';
import { objectPrefix } from '#model/statements/setup.ts';
import type { LoadedTables } from '#protocol/messages.ts';
import type { HeldTables } from '../run/leftovers.ts';
import { buildRest, makeFirstIndexes, type StagedTable } from '../trial/table-build.ts';
import { type Control, dropLimitOf } from '../worker/control.ts';
import type { Access } from './own-control.ts';

const leaveMs = 10_000;

/** The tables with all their rows, as requests name them. */
export const loadedOf = (tables: Readonly<Record<string, StagedTable>>): LoadedTables =>
  Object.fromEntries(
    Object.entries(tables).map(([name, { dataset, stages }]) => [
      name,
      { table: stages.complete, dataset, rows: dataset.rows },
    ]),
  );

/** Creates and fills the tables as trials do, with their keys, indexes and statistics. */
export async function makeTables(
  control: Control,
  tables: Readonly<Record<string, StagedTable>>,
  storedAs: StoredAs,
  { signal, onActivity }: Pick<Access, 'signal' | 'onActivity'>,
): Promise<void> {
  for (const { dataset, stages } of Object.values(tables)) {
    const { first, complete } = stages;
    const { rows } = dataset;
    onActivity(`Loading ${formatCount(rows)} rows on ${control.planned.name}`);
    await control.ask({ call: 'prepareSchema', table: first }, signal);
    await makeFirstIndexes(control, stages, signal);
    await control.ask({ call: 'load', table: first, dataset, storedAs, rows: { first: 0, end: rows } }, signal);
    await buildRest(control, stages, false, signal);
    await control.ask({ call: 'settle', table: complete }, signal);
  }
}

/** Drops the tables, and the objects that statements of `setup` have made. What stays is dropped by the next run. */
export async function dropTables(
  control: Control,
  held: HeldTables,
  prefix: string,
  tables: LoadedTables,
  { onActivity, signal }: Pick<Access, 'signal' | 'onActivity'>,
): Promise<void> {
  using _ = held;
  try {
    const { place } = await control.connect(dropLimitOf(signal, leaveMs));
    await control.ask({ call: 'dropLeftovers', namePrefix: objectPrefix(prefix) }, AbortSignal.timeout(leaveMs));
    for (const { table } of Object.values(tables).reverse())
      await control.ask({ call: 'drop', table }, AbortSignal.timeout(leaveMs));
    held.forget(place);
  } catch (thrown) {
    onActivity(`Tables could not be dropped yet: ${toErrorData(thrown).message}`);
  }
}
