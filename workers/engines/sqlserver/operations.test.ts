import { expect, test } from 'vitest';
import { defaultSettings } from '#model/settings/settings.ts';
import { connectionDouble } from './connection.fixture.ts';
import { prepareOperation, type SessionContext } from './operations.ts';

const table = {
  name: 't',
  key: null,
  options: {},
  columns: [{ name: 'amount', type: { kind: 'bigint' } as const, nullable: true }],
};

test('a scan hands out its rows, whatever nulls of other statements are declared as', async () => {
  const { connection, sent } = connectionDouble(() => ({ rows: [['1'], [null]] }));
  const session = { connection, collation: Buffer.alloc(5), prepared: async () => 7 } as unknown as SessionContext;
  const settings = { ...defaultSettings, operation: 'scan', method: 'prepared', nullBinding: 'untyped' } as const;
  const scan = await prepareOperation(session, { table, operation: 'scan', method: 'prepared', settings });
  const rows: unknown[] = [];
  for await (const block of scan.blocks!()) rows.push(...block);
  expect(rows).toEqual([[1], [null]]);
  expect(sent).toEqual([expect.any(Buffer)]);
});
