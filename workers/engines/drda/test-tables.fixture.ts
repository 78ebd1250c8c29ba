import type { Database } from '#engine-api/database.ts';
import type { OperationPlan } from '#engine-api/operation.ts';
import type { Session } from '#engine-api/session.ts';
import { optionsFor } from '#engine-api/support/engine-options.ts';
import { type DerbyWishes, startDerby } from '#managed-servers/servers/derby.ts';
import { type RowStoreWishes, startRowStore } from '#managed-servers/servers/snappydata.ts';
import { startInFolder } from '#managed-servers/test-kind.fixture.ts';
import type { Batch } from '#model/batch/batch.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import type { Options } from '#model/settings/options.ts';
import { defaultSettings, type Settings } from '#model/settings/settings.ts';
import type { MethodName, TableOperation } from '#model/settings/vocabulary.ts';
import { batchWith, numberColumn, textColumn } from '../shared/test-table.fixture.ts';
import { descriptor } from './descriptor.ts';

/** Servers of a test's own. */
export const derbyOf = (wishes: DerbyWishes = {}) => startInFolder((folder) => startDerby(folder, () => {}, wishes));
export const rowStoreOf = (wishes: RowStoreWishes = {}) =>
  startInFolder((folder) => startRowStore(folder, () => {}, wishes));

export const defaults: Options = optionsFor(descriptor, defaultSettings);

/** id, and a short text that updates change. */
export const tableOf = (name: string, options: Options = {}): TablePlan => ({
  name,
  key: 0,
  options: { ...defaults, ...options },
  columns: [
    { name: 'id', type: { kind: 'bigint' }, nullable: false },
    { name: 'text', type: { kind: 'text', maxLength: 20, fixed: false, ascii: true }, nullable: false },
  ],
});

/** Rows of {@link tableOf}, or a key and its new text. */
export const rowsOf = (keys: readonly number[], text = 'x'): Batch =>
  batchWith(keys.length, numberColumn(keys), textColumn(...keys.map(() => text)));
export const keysOf = (keys: readonly number[]): Batch => batchWith(keys.length, numberColumn(keys));
export const range = (from: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, i) => from + i);

export const planOf = (
  table: TablePlan,
  operation: TableOperation,
  method: MethodName,
  settings: Partial<Settings> = {},
): OperationPlan => ({ table, operation, method, settings: { ...defaultSettings, operation, method, ...settings } });

/** Prepares, encodes and runs one call. */
export async function callOnce(session: Session, plan: OperationPlan, batch: Batch): Promise<number> {
  const operation = await session.prepare(plan);
  return operation.run(operation.encode(batch));
}

export async function loadRows(database: Database, table: TablePlan, keys: readonly number[]): Promise<void> {
  await database.load(table, [rowsOf(keys)], () => {}, new AbortController().signal);
}
