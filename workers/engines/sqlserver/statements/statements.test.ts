import type { Connection, Request } from 'tedious';
import { describe, expect, test } from 'vitest';
import type { Value } from '#model/batch/decode.ts';
import type { Column, ColumnType, TablePlan } from '#model/dataset/dataset.ts';
import type { IndexPlan } from '#model/dataset/indexes.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import type { TableOperation } from '#model/settings/vocabulary.ts';
import { thirdOf } from '#platform/whole.fixture.ts';
import { impossibleText } from '#rules/cells/cell-support.ts';
import { rangeBatch } from '../../conformance/rows.ts';
import { plainIndex } from '../../shared/plain-index.fixture.ts';
import { config, type SqlServerConfig } from '../config.ts';
import { type Server, serverSql } from '../connection/server.ts';
import { descriptor } from '../descriptor.ts';
import { grants } from '../grants.ts';
import { tableKinds, unknownKeys } from '../options.ts';
import { checkpointSql, mayWriteSql, sources } from '../probe/fingerprint.ts';
import { counterSources, indexStatsSql, rightsSql, sessionsSql, waitsSql } from '../probe/probe-sources.ts';
import { checksumSql } from '../schema/checksum.ts';
import { emptyCacheSql, othersSql } from '../schema/empty-cache.ts';
import { untrustedSql } from '../schema/foreign-keys.ts';
import { addIndexSql, addKeySql } from '../schema/indexes.ts';
import { markedSql, markSchemaSql, markSql, ownershipSql, schemaOwnershipSql } from '../schema/marks.ts';
import { physicalStatsSql } from '../schema/page-use.ts';
import { indexBytesSql, partitionStatsSql, spaceUsedSql } from '../schema/stored-bytes.ts';
import { createTableSql, createTypesSql } from '../schema/tables.ts';
import { literal } from '../values/values.ts';
import { insertBulkSql } from './bulk.ts';
import { patternsOf } from './null-types.ts';
import { blocksOf } from './operations.ts';
import { dropPartitioningSql } from './partitions.ts';
import { cachedPlanSql } from './query-plan.ts';
import { serverLoopSql } from './server-loop.ts';
import { findParser } from './sqlfluff.fixture.ts';
import { placeholders, statementsOf } from './statements.ts';

const server: Server = { major: 16, version: '16.0', edition: '', engineEdition: 3, emulator: null };

const types: Readonly<Record<string, ColumnType>> = {
  text: { kind: 'text', maxLength: 40, fixed: false, ascii: false },
  code: { kind: 'text', maxLength: 5, fixed: true, ascii: true },
  long: { kind: 'text', maxLength: 20_000, fixed: false, ascii: true },
  uuid: { kind: 'uuid' },
  price: { kind: 'decimal', precision: 15, scale: 3 },
  at: { kind: 'timestamp' },
  flag: { kind: 'boolean' },
  blob: { kind: 'bytes', maxLength: 300, fixed: false },
  file: { kind: 'bytes', maxLength: 9_000, fixed: false },
};

const columnsFor = (key: ColumnType): readonly Column[] => [
  { name: 'id', type: key, nullable: false },
  ...Object.entries(types).map(([name, type]) => ({ name, type, nullable: true })),
];

const tableOf = (kind: string, key: ColumnType): TablePlan => ({
  name: 'dyno_t1_x',
  key: 0,
  columns: columnsFor(key),
  options: { table: kind },
});

const values: Readonly<Record<ColumnType['kind'], Value>> = {
  uuid: '11111111-2222-3333-4444-555555555555',
  bigint: -9_007_199_254_740_991,
  text: "O'Neil grüßt 日本 🐘\n",
  decimal: '-12.050',
  timestamp: '2024-02-29T12:34:56.000789Z',
  boolean: true,
  bytes: Uint8Array.of(0, 171, 255),
};

const operations: readonly TableOperation[] = ['insert', 'readByKey', 'readRange', 'scan', 'update', 'delete'];

/** Every text of an operation, with parameters and with literals, of one row and of several. */
function statementTexts(table: TablePlan, operation: TableOperation): readonly string[] {
  const statements = statementsOf(table, operation, defaultSettings);
  const { types: sent, sql, tableForm } = statements;
  const written = (row: number, column: number) =>
    literal(row === 1 ? null : values[sent[column]!.kind], sent[column]!);
  const several = ['insert', 'readByKey', 'update', 'delete'].includes(operation) ? [1, 3] : [1];
  const untyped = patternsOf(statements, 'untyped');
  return [
    ...several.flatMap((rows) => [sql(rows, placeholders(sent.length)), sql(rows, written)]),
    ...(tableForm ? [tableForm.sql] : []),
    ...(sent.length > 0 ? [untyped.statement(untyped.withoutNulls.replace(/.$/, '1')).sql] : []),
  ];
}

const integerKey = { kind: 'bigint' } as const;
const uuidKey = { kind: 'uuid' } as const;
const organised = tableKinds.map((kind) => tableOf(kind, kind === 'newSequentialId' ? uuidKey : integerKey));
const withUuid = tableOf('partitioned', uuidKey);

const inParts = { ...organised[0]!, partitions: { count: 5, by: 0 } };
const madeIndex = plainIndex('dyno_t1_i1', 3, 0);
/** An index with each option that the engine has. */
const madeIndexes: readonly IndexPlan[] = [
  madeIndex,
  { ...madeIndex, unique: true },
  { ...madeIndex, parts: [{ column: 3, descending: true }] },
  { ...madeIndex, include: [1], where: '[id] > 5' },
  { ...madeIndex, kind: 'columnstore', where: '[id] > 5' },
];

const builtAround = [
  ...createTableSql(inParts),
  ...createTableSql({ ...organised[0]!, foreignKeys: [{ column: 3, table: 'dyno_t1_01_stores', key: 'id' }] }),
  ...createTableSql({ ...withUuid, partitions: { count: 5, by: 0 } }),
  ...[organised[0]!, tableOf('nonclustered', integerKey)].map(addKeySql),
  ...madeIndexes.map((index) => addIndexSql(organised[0]!, index)),
  checksumSql(organised[0]!, server, { column: 0, bounds: rangeBatch(1, 2) }),
  statementsOf(organised[0]!, 'readRange', { ...defaultSettings, rangeColumn: 'id' }).sql(1, placeholders(2)),
  statementsOf(inParts, 'readByKey', defaultSettings).sql(1, placeholders(1)),
];

const right: readonly string[] = [
  emptyCacheSql[1]!,
  ...new Set([
    ...operations.flatMap((operation) => statementTexts(organised[0]!, operation)),
    ...operations.flatMap((operation) => statementTexts(tableOf('partitioned', integerKey), operation)),
    ...statementTexts(tableOf('newSequentialId', uuidKey), 'insert'),
    ...[...organised, withUuid].flatMap((table) => [
      ...createTableSql(table),
      ...createTypesSql(table).map(({ sql }) => sql),
    ]),
    ...builtAround,
    serverLoopSql(organised[0]!),
    serverLoopSql({ ...organised[0]!, options: { ...organised[0]!.options, loopCommit: 'perTurn' } }),
    serverLoopSql({ ...organised[0]!, options: { ...organised[0]!.options, loopCounts: true } }),
    ...statementTexts({ ...organised[0]!, options: { ...organised[0]!.options, maxdop: 4 } }, 'readRange'),
    ...statementTexts({ ...organised[0]!, options: { ...organised[0]!.options, maxdop: 4 } }, 'scan'),
    checksumSql(organised[0]!, server),
    checksumSql(organised[0]!, { ...server, major: 13 }),
    'CREATE SCHEMA dyno',
    markSchemaSql,
    markSql('TABLE', "it's"),
    markSql('TYPE', 'x'),
    ownershipSql('TABLE', "it's"),
    ownershipSql('TYPE', 'x'),
    schemaOwnershipSql,
    markedSql('TABLE', 'dyno_t1_'),
    ...counterSources.map(({ sql }) => sql),
    sessionsSql('dyno-run'),
    othersSql('dyno-run'),
    waitsSql('dyno-run'),
    indexStatsSql({ name: 'x' }),
    rightsSql,
    ...sources.map(({ sql }) => sql),
    checkpointSql,
    mayWriteSql,
    serverSql,
    partitionStatsSql({ name: 'x' }),
    indexBytesSql({ name: 'x' }),
    spaceUsedSql({ name: 'x' }),
    physicalStatsSql({ name: 'x' }),
    untrustedSql({ name: 'x' }),
    'UPDATE STATISTICS dyno.[x]',
    cachedPlanSql("(@P0 nvarchar(40))SELECT [id] FROM dyno.[x] WHERE [text] = @P0 OR [text] = N'it''s'"),
    'SET STATISTICS XML ON',
    'SET SHOWPLAN_XML OFF',
    'IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION',
    ...[
      {},
      { user: 'app', database: 'sales' },
      { user: 'app', domain: 'CORP', password: 'x' },
      { user: 'app@corp.example', password: 'x', clientId: 'x', authentication: 'azure-active-directory-password' },
    ]
      .map((raw) => grants(config.parse(raw) as SqlServerConfig))
      // Rights that the parser's grammar is too old for.
      .map((script) => script.replaceAll(/VIEW SERVER (PERFORMANCE|SECURITY) STATE/g, 'VIEW SERVER STATE'))
      // Texts that are executed are statements, too.
      .flatMap((script) => [
        script,
        ...[...script.matchAll(/EXECUTE \(N'((?:[^']|'')*)'\)/g)].map(([, own]) => own!.replaceAll("''", "'")),
      ]),
  ]),
];

const parser = findParser();

describe.skipIf(parser === null)(
  parser === null ? 'SKIPPED: sqlfluff is not installed (npm run dyno -- servers install)' : 'sqlfluff (dialect tsql)',
  () => {
    test('accepts every text that Dyno makes', { timeout: 120_000 }, () => {
      const some = thirdOf(right);
      const found = parser!.check(some);
      expect(found.flatMap((wrong, i) => (wrong === null ? [] : [`${wrong}\n${some[i]}`]))).toEqual([]);
    });

    test('does not know these, which only the server can check', () => {
      const unknown = [
        insertBulkSql(organised[0]!, { checkConstraints: true, tableLock: true, batchHint: true, server }, 100),
        emptyCacheSql[0]!,
        dropPartitioningSql({ name: 'x' })[0]!,
      ];
      expect(parser!.check(unknown)).not.toContain(null);
    });

    test('rejects what is wrong', () => {
      const wrong = [
        'INSERT INTO dyno.[t] ([a] VALUES (@P0)',
        'INSERT INTO dyno.[t] ([a]) VALUES (@P0,)',
        "INSERT INTO dyno.[t] ([a]) VALUES ('O'Neil')",
        'SELECT [a] FROM dyno.[t] WHERE',
        'SELECT TOP 5) [a] FROM dyno.[t]',
        'SELECT [a] FROM dyno.[t] ORDER [a]',
        'SELECT [a] FROM dyno.[t] LIMIT 5',
        'SELECT [a], FROM dyno.[t]',
        'UPDATE dyno.[t] SET [a] WHERE [b] = @P0',
        'DELETE dyno.[t] WHERE [a] IN (@P0, @P1',
        'CREATE TABLE dyno.[t] ([a] bigint NOT NULL PRIMARY KEY CLUSTERED',
        'CREATE TABLE dyno.[t] ([a] decimal(12, ) NULL)',
        'CREATE TYPE dyno.[t] AS TABLE [a] bigint',
        'WHILE @turn < BEGIN SELECT 1 END',
      ];
      const missed = parser!.check(wrong).flatMap((found, i) => (found === null ? [wrong[i]] : []));
      expect(missed).toEqual([]);
    });
  },
);

test('a key that the server makes is not sent, and what finds rows by it is refused', () => {
  const table = tableOf('newSequentialId', uuidKey);
  expect(statementsOf(table, 'insert', defaultSettings).sql(1, placeholders(9))).not.toContain('[id]');
  expect(() => statementsOf(table, 'readByKey', defaultSettings)).toThrow(unknownKeys);
  expect(checksumSql(table, server)).not.toContain('[id]');
});

test('plans leave out what finds rows by such keys, with the reason', () => {
  const why = (operation: TableOperation, kind: string) =>
    impossibleText(
      descriptor,
      { ...defaultSettings, operation, options: { 'sqlserver.table': kind } },
      { columns: {} },
    );
  expect(why('readByKey', 'newSequentialId')).toContain(unknownKeys);
  expect(why('insert', 'newSequentialId')).toBeNull();
  expect(why('readByKey', 'clustered')).toBeNull();
});

test('tables that an option cannot organise are refused, naming the key', () => {
  expect(() => createTableSql(tableOf('newSequentialId', integerKey))).toThrow(/uuid/);
  expect(() => createTableSql(tableOf('partitioned', types.text!))).toThrow(/key of type/);
});

test('a literal keeps a backslash before a line break, where T-SQL would join the lines', () => {
  expect(literal('a\\\nb\\c', types.code!)).toBe("('a\\' + '\nb\\c')");
  expect(literal('a\\\r\n', types.text!)).toBe("(N'a\\' + N'\r\n')");
});

test('nulls that are no parameters leave no gap in the numbering', () => {
  const patterns = patternsOf(statementsOf(organised[0]!, 'update', defaultSettings), 'untyped');
  expect(patterns.statement('01')).toEqual({
    sql: 'UPDATE dyno.[dyno_t1_x] SET [text] = NULL WHERE [id] = @P0',
    parameters: [{ name: '@P0', column: 0, guess: null }],
    declarations: '@P0 bigint',
  });
});

test('before UTF-8 collations the checksum leaves Unicode texts out', () => {
  expect(checksumSql(organised[0]!, { ...server, major: 13 })).not.toContain('[text]');
  expect(checksumSql(organised[0]!, { ...server, major: 12, engineEdition: 5 })).toContain('UTF8');
});

test('names and texts cannot break out of their quotes', () => {
  expect(ownershipSql('TABLE', "x'; DROP TABLE t; --")).toContain("N'x''; DROP TABLE t; --'");
});

test('rows that are copied come as values, and no more of them than are asked for', async () => {
  const type = { kind: 'decimal', precision: 15, scale: 3 } as const;
  const columns = [
    { name: 'price', type, nullable: true },
    { name: 'at', type: { kind: 'timestamp' } as const, nullable: false },
  ];
  const at = Object.assign(new Date('2024-02-29T12:34:56.123Z'), { nanosecondsDelta: 0.000456 });
  let sent = 0;
  const connection = {
    currentTransactionDescriptor: () => Buffer.alloc(8),
    makeRequest(request: Request) {
      const next = () => {
        while (sent < 100 && !request.paused)
          request.emit('row', [{ value: sent++ === 0 ? null : -0.1 }, { value: at }] as never);
        if (sent === 100 && !request.paused) request.callback(null);
      };
      request.on('resume', next);
      setImmediate(next);
    },
  } as unknown as Connection;
  const table = { name: 't', key: null, options: {}, columns };
  const rows: unknown[] = [];
  for await (const [row] of blocksOf(connection, Buffer.alloc(0), table, 5)) {
    rows.push(row);
    expect(sent).toBeLessThanOrEqual(Math.min(100, rows.length + 10));
  }
  const iso = '2024-02-29T12:34:56.123456Z';
  expect(rows).toEqual([[null, iso], ...Array.from({ length: 99 }, () => ['-0.100', iso])]);
});
