import type oracledb from 'oracledb';
import { expect, test } from 'vitest';
import { twinOf } from '#experiment/import-tables/twin.ts';
import { dateOfJulian, dateOfRaw, numberOfRaw } from './raw-values.ts';
import { columnsSql, histogramsSql, indexesSql, keysSql, readTableFacts, tablesSql } from './table-facts.ts';

type Row = Readonly<Record<string, unknown>>;

const column = (TABLE_NAME: string, COLUMN_NAME: string, DATA_TYPE: string, more: Row): Row => ({
  ...{ TABLE_NAME, COLUMN_NAME, DATA_TYPE, DATA_LENGTH: 22, CHAR_LENGTH: 0, DATA_PRECISION: null, DATA_SCALE: null },
  ...{ NULLABLE: 'N', VIRTUAL_COLUMN: 'NO', IDENTITY_COLUMN: 'NO', NUM_DISTINCT: null, NUM_NULLS: null },
  ...{ AVG_COL_LEN: null, HISTOGRAM: null, LOW_VALUE: null, HIGH_VALUE: null },
  ...more,
});
const endpoint = (COLUMN_NAME: string, ENDPOINT_NUMBER: number, ENDPOINT_VALUE: number, more: Row = {}): Row => ({
  ...{ TABLE_NAME: 'ORDERS', COLUMN_NAME, ENDPOINT_NUMBER, ENDPOINT_VALUE },
  ...{ ENDPOINT_ACTUAL_VALUE: null, ENDPOINT_REPEAT_COUNT: 0 },
  ...more,
});
const index = (INDEX_NAME: string, COLUMN_NAME: string, more: Row = {}): Row => ({
  ...{ TABLE_NAME: 'ORDERS', INDEX_NAME, COLUMN_NAME, INDEX_TYPE: 'NORMAL', UNIQUENESS: 'NONUNIQUE' },
  ...{ VISIBILITY: 'VISIBLE', CLUSTERING_FACTOR: 1_000, DESCEND: 'ASC', COLUMN_EXPRESSION: null, KEY_NAME: null },
  ...more,
});

/** The dictionary of Oracle 19c with two tables. Values of LOW_VALUE are those of DUMP. */
const dictionary: Readonly<Record<string, readonly Row[]>> = {
  [tablesSql]: [
    { TABLE_NAME: 'CUSTOMERS', NUM_ROWS: 1_000, BLOCKS: 10, PARTITIONED: 'NO' },
    { TABLE_NAME: 'ORDERS', NUM_ROWS: 5_000, BLOCKS: 100, PARTITIONED: 'YES' },
  ],
  [columnsSql]: [
    column('CUSTOMERS', 'ID', 'NUMBER', {
      ...{ DATA_SCALE: 0, NUM_DISTINCT: 1_000, NUM_NULLS: 0, AVG_COL_LEN: 4, HISTOGRAM: 'NONE' },
      ...{ LOW_VALUE: 'C102', HIGH_VALUE: 'C20B' },
    }),
    column('ORDERS', 'ID', 'NUMBER', {
      ...{ DATA_PRECISION: 12, DATA_SCALE: 0, NUM_DISTINCT: 5_000, NUM_NULLS: 0, AVG_COL_LEN: 5, HISTOGRAM: 'NONE' },
      ...{ LOW_VALUE: 'C102', HIGH_VALUE: 'C233' },
    }),
    column('ORDERS', 'CUSTOMER_ID', 'NUMBER', {
      ...{ DATA_PRECISION: 10, DATA_SCALE: 0, NUM_DISTINCT: 900, NUM_NULLS: 0, AVG_COL_LEN: 4, HISTOGRAM: 'HYBRID' },
    }),
    column('ORDERS', 'STATUS', 'VARCHAR2', {
      ...{ CHAR_LENGTH: 12, NUM_DISTINCT: 2, NUM_NULLS: 1_000, AVG_COL_LEN: 7, HISTOGRAM: 'FREQUENCY', NULLABLE: 'Y' },
    }),
    column('ORDERS', 'PLACED', 'TIMESTAMP(6)', {
      ...{ NUM_DISTINCT: 4_990, NUM_NULLS: 0, AVG_COL_LEN: 11, HISTOGRAM: 'NONE' },
      ...{ LOW_VALUE: '787E0101010101', HIGH_VALUE: '787E061E0D1F01' },
    }),
    column('ORDERS', 'NOTE', 'CLOB', { NULLABLE: 'Y' }),
  ],
  [histogramsSql]: [
    endpoint('CUSTOMER_ID', 1_000, 7, { ENDPOINT_REPEAT_COUNT: 1_000 }),
    endpoint('CUSTOMER_ID', 2_500, 1_000, { ENDPOINT_REPEAT_COUNT: 2 }),
    endpoint('STATUS', 600, 5e35, { ENDPOINT_ACTUAL_VALUE: 'Canary' }),
    endpoint('STATUS', 800, 6e35, { ENDPOINT_ACTUAL_VALUE: 'open' }),
  ],
  [keysSql]: [
    {
      ...{ TABLE_NAME: 'CUSTOMERS', CONSTRAINT_NAME: 'PK_C', CONSTRAINT_TYPE: 'P', COLUMN_NAME: 'ID' },
      ...{ REFERRED_TABLE: null, REFERRED_COLUMN: null },
    },
    {
      ...{ TABLE_NAME: 'ORDERS', CONSTRAINT_NAME: 'FK_C', CONSTRAINT_TYPE: 'R', COLUMN_NAME: 'CUSTOMER_ID' },
      ...{ REFERRED_TABLE: 'CUSTOMERS', REFERRED_COLUMN: 'ID' },
    },
    {
      ...{ TABLE_NAME: 'ORDERS', CONSTRAINT_NAME: 'PK_O', CONSTRAINT_TYPE: 'P', COLUMN_NAME: 'ID' },
      ...{ REFERRED_TABLE: null, REFERRED_COLUMN: null },
    },
  ],
  [indexesSql]: [
    index('PK_O', 'ID', { UNIQUENESS: 'UNIQUE', KEY_NAME: 'PK_O', CLUSTERING_FACTOR: 100 }),
    index('BY_STATUS', 'STATUS', { INDEX_TYPE: 'BITMAP', VISIBILITY: 'INVISIBLE' }),
    index('BY_TIME', 'SYS_NC00007$', {
      ...{ INDEX_TYPE: 'FUNCTION-BASED NORMAL', DESCEND: 'DESC', COLUMN_EXPRESSION: '"PLACED"' },
    }),
    index('BY_UPPER', 'SYS_NC00008$', { INDEX_TYPE: 'FUNCTION-BASED NORMAL', COLUMN_EXPRESSION: 'UPPER("STATUS")' }),
    index('BY_WORDS', 'NOTE', { INDEX_TYPE: 'DOMAIN' }),
  ],
};

function server() {
  const sent: string[] = [];
  const execute = async (sql: string) => {
    sent.push(sql);
    return { rows: dictionary[sql] };
  };
  return { sent, connection: { execute } as unknown as Pick<oracledb.Connection, 'execute'> };
}

const real = { emulator: null };

test('the dictionary becomes facts, and a twin', async () => {
  const { sent, connection } = server();
  const facts = await readTableFacts(connection, real, []);
  expect(sent).toEqual([tablesSql, columnsSql, histogramsSql, keysSql, indexesSql]);
  const [customers, orders] = facts;
  expect(customers).toMatchObject({ name: 'CUSTOMERS', rows: 1_000, key: ['ID'] });
  expect(customers!.columns[0]).toMatchObject({ args: ['38', '0'], statistics: { bounds: [1, 1_000], meanBytes: 3 } });
  expect(orders).toMatchObject({
    ...{ key: ['ID'], foreignKeys: [{ columns: ['CUSTOMER_ID'], table: 'CUSTOMERS', referred: ['ID'] }] },
    indexes: [
      { name: 'BY_STATUS', kind: 'bitmap', visible: false, parts: [{ column: 'STATUS' }] },
      { name: 'BY_TIME', kind: 'btree', parts: [{ column: 'PLACED', desc: true }] },
      { name: 'BY_UPPER', parts: [{ expression: 'UPPER("STATUS")' }] },
      { name: 'BY_WORDS', kind: null, method: 'domain' },
    ],
  });
  const [id, customer, status, placed, note] = orders!.columns;
  expect(id!.statistics!.rowOrder).toBe(1);
  // 1,000 of 2,500 sampled rows.
  expect(customer!.statistics).toMatchObject({ distinct: 900, common: [{ value: 7, share: 0.4 }] });
  expect(status!.statistics).toMatchObject({
    ...{ nullShare: 0.2, distinct: 2, meanBytes: 6, bounds: [] },
    common: [
      { value: 'Canary', share: 0.6 },
      { value: 'open', share: expect.closeTo(0.2, 9) },
    ],
  });
  expect(placed!.statistics!.bounds).toEqual(['2026-01-01 00:00:00', '2026-06-30 12:30:00']);
  expect(note!.statistics).toBeNull();
  expect(orders!.notes.join('\n')).toMatch(/no statistics of NOTE in ORDERS[\s\S]*ORDERS is partitioned/);
  const { tables } = twinOf(facts, { scale: 1, keepValues: false });
  expect(JSON.stringify(tables)).not.toContain('Canary');
  expect(Object.keys(tables)).toEqual(['customers', 'orders']);
});

test('a name is found in lower case, and an emulator says what it lacks', async () => {
  const found = await readTableFacts(server().connection, real, [{ schema: null, name: 'orders' }]);
  expect(found.map(({ name }) => name)).toEqual(['ORDERS']);
  await expect(readTableFacts(server().connection, { emulator: 'a mirror' }, [])).rejects.toThrow(/a mirror has no/);
});

test('repeated endpoints of a height-balanced histogram are frequent values', async () => {
  const { connection } = server();
  const balanced: typeof dictionary = {
    ...dictionary,
    [columnsSql]: dictionary[columnsSql]!.map((one) =>
      one.HISTOGRAM === 'HYBRID' ? { ...one, HISTOGRAM: 'HEIGHT BALANCED' } : one,
    ),
    [histogramsSql]: [0, 5, 8, 10].map((number, i) => endpoint('CUSTOMER_ID', number, [1, 7, 500, 1_000][i]!)),
  };
  connection.execute = (async (sql: string) => ({ rows: balanced[sql] })) as typeof connection.execute;
  const [, orders] = await readTableFacts(connection, real, []);
  const { common } = orders!.columns[1]!.statistics!;
  expect(common.map(({ value }) => value)).toEqual([7, 500, 1_000]);
  expect(common[0]!.share).toBeCloseTo(5 / 11, 6);
});

test.each([
  ['80', 0],
  ['C102', 1],
  ['C20B', 1_000],
  ['C10233', 1.5],
  ['C033B4646', null],
  ['3E6466', -1],
  ['3E6433', -1.5],
  ['C0020203', 0.010102],
] as const)('the number of the bytes %s is %s', (hex, value) => {
  if (value === null) expect(numberOfRaw(hex)).not.toBe(0);
  else expect(numberOfRaw(hex)).toBeCloseTo(value, 9);
});

test('times come from seven bytes, or from a Julian day', () => {
  expect(dateOfRaw('787E061E0D1F01')).toBe('2026-06-30 12:30:00');
  expect(dateOfRaw('78')).toBeNull();
  expect(dateOfJulian(2_440_588.5)).toBe('1970-01-01 12:00:00');
});
