import type { Connection, Request } from 'tedious';
import { expect, test } from 'vitest';
import { optionsFor } from '#engine-api/support/engine-options.ts';
import { batchOf } from '#model/batch/encode.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import type { Options } from '#model/settings/options.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import { descriptor } from '../descriptor.ts';
import { prepareOperation as prepareMssql } from '../mssql/operations.ts';
import { prepareOperation } from './operations.ts';

const server = { major: 16, version: '16', edition: '', engineEdition: 3, emulator: null };
const types = [{ kind: 'bigint' }, { kind: 'bigint' }] as const;
const tableWith = (more: Options, isForeign: boolean): TablePlan => ({
  name: 'sales',
  key: 0,
  columns: types.map((type, c) => ({ name: ['id', 'store'][c]!, type, nullable: false })),
  options: { ...optionsFor(descriptor, defaultSettings), ...more },
  ...(isForeign && { foreignKeys: [{ column: 1, table: 'stores', key: 'id' }] }),
});
const planOf = (table: TablePlan) =>
  ({ table, operation: 'insert', method: 'bulk', settings: defaultSettings }) as const;
const row = batchOf([[1, 2]], types);

/** The text that tedious receives before the rows. */
async function told(table: TablePlan): Promise<string> {
  const sent: string[] = [];
  const connection = {
    currentTransactionDescriptor: () => Buffer.alloc(8),
    makeRequest(request: Request, _type: number, payload: Iterable<Buffer>) {
      sent.push([...payload].at(-1)!.toString('utf16le'));
      request.callback(null);
    },
  };
  const session = {
    connection: connection as unknown as Connection, // the parts that sending uses
    collation: Buffer.alloc(5),
    server,
    lean: null,
    prepared: () => Promise.reject(new Error('Nothing is prepared.')),
  };
  const bulk = await prepareOperation(session, planOf(table));
  await bulk.run(bulk.encode(row));
  return sent[0]!;
}

/** The options that mssql receives with the rows. */
async function options(table: TablePlan): Promise<unknown> {
  const heard: unknown[] = [];
  const request = {
    async bulk(_rows: unknown, given: unknown) {
      heard.push(given);
      return { rowsAffected: 1 };
    },
  };
  const requests = {
    server,
    request: async () => request as never, // the part that loading uses
    prepared: () => Promise.reject(new Error('Nothing is prepared.')),
  };
  const bulk = await prepareMssql(requests, planOf(table));
  await bulk.run(bulk.encode(row));
  return heard[0];
}

test('a bulk load has foreign keys checked, unless it is told not to', async () => {
  const checked = tableWith({}, true);
  expect(await told(checked)).toContain('WITH (CHECK_CONSTRAINTS, TABLOCK, ROWS_PER_BATCH = 1)');
  expect(await options(checked)).toMatchObject({ checkConstraints: true });
  const unchecked = tableWith({ checkConstraints: false }, true);
  expect(await told(unchecked)).not.toContain('CHECK_CONSTRAINTS');
  expect(await options(unchecked)).toMatchObject({ checkConstraints: false });
});

test('without foreign keys there is nothing to ask for', async () => {
  const plain = tableWith({}, false);
  expect(await told(plain)).toContain('WITH (TABLOCK, ROWS_PER_BATCH = 1)');
  expect(await options(plain)).toMatchObject({ checkConstraints: false });
});
