import { expect, test } from 'vitest';
import type { TablePlan } from '#model/dataset/dataset.ts';
import type { IndexPlan } from '#model/dataset/indexes.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import { type MethodName, tableOperations } from '#model/settings/vocabulary.ts';
import { thirdOf } from '#platform/whole.fixture.ts';
import { keyBatch, makeRows, rangeBatch, table as rowsTable, toBatch, updateBatch } from '../../conformance/rows.ts';
import { plainIndex } from '../../shared/plain-index.fixture.ts';
import { config } from '../config.ts';
import { alterSessionSql, commitSettings, emulatorSql, sessionFactsSql } from '../connection/connect.ts';
import type { Dialect } from '../connection/dialect.ts';
import { descriptor } from '../descriptor.ts';
import { databaseSql, logSql, parametersSql, privilegesSql } from '../probe/fingerprint.ts';
import { sources, waitsSource } from '../probe/probe-sources.ts';
import { checksumSql, unusableIndexesSql } from '../schema/checksum.ts';
import { emptyCacheSql, othersSql } from '../schema/empty-cache.ts';
import { addIndexSql, addKeySql } from '../schema/indexes.ts';
import { statisticsSql } from '../schema/settle.ts';
import { indexBytesSql, storedBytesSql } from '../schema/stored-bytes.ts';
import {
  commentSql,
  createTableSql,
  dropSql,
  leftoversSql,
  markSql,
  objectSql,
  untrustedSql,
} from '../schema/tables.ts';
import { createBinder } from '../values/values.ts';
import { collectionReadSql } from './collection-read.ts';
import { cursorOfTextSql, cursorPlanSql, explainedPlanSql, explainSql, previousCursorSql } from './plan-sources.ts';
import { syntaxErrors } from './plsql.fixture.ts';
import { forallSql, loopSql } from './server-loop.ts';
import { positional, statementsOf } from './statements.ts';

const dialect = (version: number): Dialect => ({
  version,
  unicode: version >= 19,
  characterSet: version >= 19 ? 'AL32UTF8' : 'WE8MSWIN1252',
  owner: 'DYNO',
  emulator: null,
});
const table = (options: TablePlan['options'] = {}): TablePlan => ({ ...rowsTable('dyno_t1'), options });
const operations = tableOperations;
/** Before and since 23ai. */
const versions = [12, 23];

const binds = versions.flatMap((version) =>
  operations.flatMap((operation) => {
    const { one, many } = statementsOf(table(), operation, defaultSettings, version >= 23 ? 'values' : 'insertAll');
    // The grammar is older than VALUES lists: see notInGrammar.
    const lists = operation === 'insert' && version >= 23 ? [1] : [1, 3];
    return [one(positional()), ...(many ? lists.map((rows) => many(rows, positional())) : [])];
  }),
);

const literals = versions.flatMap((version) =>
  operations.map((operation) => {
    const { types, one } = statementsOf(table(), operation, defaultSettings, 'values');
    const rows = makeRows(8, 1);
    const batch = operation === 'insert' ? toBatch(rows) : operation === 'update' ? updateBatch(rows) : keyBatch(rows);
    const values = operation === 'scan' ? [] : createBinder(types, dialect(version)).literals(batch);
    return one((_row, column) => values[column]!);
  }),
);

const schema = versions.flatMap((version) =>
  ['heap', 'iot', 'hashPartitioned', 'reverseKey'].map((organisation) =>
    createTableSql(table({ table: organisation, partitions: 16 }), dialect(version)),
  ),
);

const madeIndex = plainIndex('dyno_t1_i1', 3, 0);
/** An index with each option that the engine has. */
const madeIndexes: readonly IndexPlan[] = [
  madeIndex,
  { ...madeIndex, unique: true },
  { ...madeIndex, parts: [{ column: 3, descending: true }] },
  { ...madeIndex, invisible: true },
  { ...madeIndex, parts: [{ expression: 'ABS("ID")' }] },
  { ...madeIndex, kind: 'bitmap' },
];

const builtAround = [
  createTableSql({ ...table(), partitions: { count: 8, by: 0 } }, dialect(19)),
  createTableSql({ ...table(), key: null, partitions: { count: 8, by: 0 } }, dialect(19)),
  ...[table(), table({ table: 'reverseKey' }), { ...table(), partitions: { count: 8, by: 0 } }].map(addKeySql),
  ...madeIndexes.map((index) => addIndexSql(table(), index)),
  checksumSql(table(), dialect(19), { column: 0, bounds: rangeBatch(1, 2) }),
  statementsOf(table(), 'readRange', { ...defaultSettings, rangeColumn: 'id' }, 'values').one(positional()),
];

const server = [
  ...builtAround,
  ...versions.flatMap((version) => [
    loopSql(table(), dialect(version)),
    forallSql(table(), dialect(version)),
    loopSql({ ...table(), options: { ...table().options, loopCommit: 'perTurn' } }, dialect(version)),
    forallSql({ ...table(), options: { ...table().options, loopCommit: 'perTurn' } }, dialect(version)),
    checksumSql(table(), dialect(version)),
  ]),
  collectionReadSql({ table: table() }),
  createTableSql({ ...table(), key: null }, dialect(19)),
  ...[
    markSql(table()),
    dropSql('dyno_t1'),
    statisticsSql(table()),
    storedBytesSql,
    indexBytesSql,
    untrustedSql,
    unusableIndexesSql,
  ],
  ...[commentSql, objectSql, leftoversSql, sessionFactsSql, emulatorSql],
  ...[parametersSql, databaseSql, logSql, privilegesSql, ...sources.map(({ sql }) => sql), waitsSource.sql, othersSql],
  ...Object.entries(commitSettings({ commit: 'nowaitBatch' })).map(([name, value]) => alterSessionSql(name, value)),
  alterSessionSql('nls_date_format', 'YYYY-MM-DD HH24:MI:SS'),
  ...[cursorPlanSql, previousCursorSql, cursorOfTextSql, explainedPlanSql, explainSql('SELECT 1 FROM DUAL')],
];

const grants = (config.grants(config.parse({ user: 'dyno', serviceName: 's' })) ?? '')
  .split('\n')
  .map((line) => line.replace(/;\s*--.*$/, ';'))
  .filter((line) => line.startsWith('GRANT '))
  .map((line) => line.replace(/;$/, ''));

/** Right, but newer than the grammar or forgotten in it. */
const notInGrammar = [
  statementsOf(table(), 'insert', defaultSettings, 'values').many!(2, positional()), // VALUES lists of 23ai
  ...emptyCacheSql,
];

const all = [...new Set([...binds, ...literals, ...schema, ...server, ...grants])];

/** The parser's first statement of each kind takes it seconds. */
const patienceMs = 180_000;

test.each(thirdOf(all).map((sql) => ({ name: sql.slice(0, 100), sql })))(
  'Oracle’s grammar has: $name',
  { timeout: patienceMs },
  ({ sql }) => {
    expect(syntaxErrors(sql)).toEqual([]);
  },
);

test('what the grammar does not have yet is still right only where it says so', { timeout: patienceMs }, () => {
  for (const sql of notInGrammar) expect(syntaxErrors(sql)).not.toEqual([]);
  // Each list of a VALUES statement is one that the grammar has.
  const [lists = ''] = notInGrammar;
  expect(lists.replace(/\), \(.*$/, ')')).toBe(
    statementsOf(table(), 'insert', defaultSettings, 'values').one(positional()),
  );
});

test('there is a statement for every cell that sends SQL', () => {
  const methods = Object.values(descriptor.support).flatMap((cells) => Object.keys(cells)) as MethodName[];
  expect(new Set(methods)).toContain('multiRow');
  for (const word of [
    'INSERT INTO',
    'INSERT ALL',
    'MERGE INTO',
    'UPDATE',
    'DELETE',
    'FETCH FIRST',
    'TABLE(:1)',
    'FORALL',
  ])
    expect(
      all.some((sql) => sql.includes(word)),
      word,
    ).toBe(true);
  expect(grants.length).toBeGreaterThan(8);
});

const wrong = [
  'SELECT "ID", FROM "DYNO_T1"',
  'SELEC "ID" FROM "DYNO_T1"',
  'INSERT INTO "DYNO_T1" ("ID") VALUE (:1)',
  'INSERT INTO "DYNO_T1" ("ID", "TEXT") VALUES (:1, :2',
  'INSERT ALL INTO "DYNO_T1" ("ID") VALUES (:1)',
  'UPDATE "DYNO_T1" "TEXT" = :1 WHERE "ID" = :2',
  'DELETE "DYNO_T1" WHERE "ID" IN (:1, )',
  'SELECT "ID" FROM "DYNO_T1" ORDER BY "ID" FETCH FIRST ROWS 10',
  'SELECT "ID" FROM "DYNO_T1" LIMIT 10',
  'MERGE INTO "DYNO_T1" t USING (SELECT :1 FROM DUAL) s WHEN MATCHED THEN UPDATE SET "TEXT" = s.x',
  'CREATE TABLE "DYNO_T1" ("ID" NUMBER(19) NOT NULL, PRIMARY KEY "ID")',
  'CREATE TABLE "DYNO_T1" ("ID" NUMBER(19)) PARTITION HASH ("ID") PARTITIONS 16',
  'COMMENT TABLE "DYNO_T1" IS \'dyno:made dyno_t1\'',
  'DROP TABLE "DYNO_T1" PURGE NOW',
  'ALTER SESSION COMMIT_WAIT = NOWAIT',
  'GRANT SELECT ON TO DYNO',
  'BEGIN FOR i IN 1 .. :1 LOOP NULL; END; END;',
  'DECLARE n PLS_INTEGER := 0 BEGIN NULL; END;',
  'BEGIN FORALL i 1 .. 10 INSERT INTO t VALUES (i); END;',
];
test.each(thirdOf(wrong))('the same grammar refuses: %s', { timeout: patienceMs }, (sql) => {
  expect(syntaxErrors(sql)).not.toEqual([]);
});

test('the text of an update names its value before its key, and binds come in that order', () => {
  const { one, order } = statementsOf(table(), 'update', defaultSettings, 'values');
  expect(one(positional())).toBe('UPDATE "DYNO_T1" SET "TEXT" = :1 WHERE "ID" = :2');
  expect(order).toEqual([1, 0]);
});

test('an IN list never holds more than 1,000 keys', () => {
  const { many } = statementsOf(table(), 'delete', defaultSettings, 'values');
  const lists = [...many!(2_300, positional()).matchAll(/IN \(([^)]*)\)/g)].map(([, list]) => list!.split(',').length);
  expect(lists).toEqual([1_000, 1_000, 300]);
});

test('values that may be empty are not declared NOT NULL: they are nulls here', () => {
  const columns: TablePlan['columns'] = [
    { name: 'id', type: { kind: 'bigint' }, nullable: false },
    { name: 'code', type: { kind: 'text', maxLength: 5, fixed: true, ascii: true }, nullable: false },
    { name: 'note', type: { kind: 'text', maxLength: 9, fixed: false, ascii: true }, nullable: false },
  ];
  const sql = createTableSql({ name: 'dyno_t2', key: 0, columns, options: {} }, dialect(19));
  expect(sql).toContain('"CODE" VARCHAR2(5 CHAR) NOT NULL');
  expect(sql).toContain('"NOTE" VARCHAR2(9 CHAR),');
});

test('a table that is more than a heap needs a key', () => {
  const create = (organisation: string) =>
    createTableSql({ ...table({ table: organisation }), key: null }, dialect(19));
  expect(create('heap')).not.toContain('PRIMARY KEY');
  for (const organisation of ['iot', 'hashPartitioned', 'reverseKey'])
    expect(() => create(organisation)).toThrow('needs a key');
});
