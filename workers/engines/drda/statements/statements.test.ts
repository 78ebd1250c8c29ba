import { describe, expect, test } from 'vitest';
import { type DrdaConnection, DrdaError, type Value } from '#drda/index.ts';
import type { RunningServer } from '#managed-servers/process/server-kind.ts';
import type { Column, ColumnType, TablePlan } from '#model/dataset/dataset.ts';
import type { Options } from '#model/settings/options.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import { methods, tableOperations as operations, type TableOperation } from '#model/settings/vocabulary.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { impossibleText } from '#rules/cells/cell-support.ts';
import { isSkipped } from '../../conformance/skipped.ts';
import { config, type DrdaConfig } from '../config.ts';
import { connect } from '../connection/connect.ts';
import { run } from '../connection/query.ts';
import { descriptor } from '../descriptor.ts';
import type { Dialect } from '../dialect.ts';
import { derby } from '../dialects/derby.ts';
import { sqlfire } from '../dialects/sqlfire.ts';
import { tableSql } from '../names.ts';
import { distributions } from '../options.ts';
import { beginSql, locksSql, transactionsSql } from '../probe/derby-probe.ts';
import { sessionsSql } from '../probe/sqlfire-probe.ts';
import { constraintsSql, createTableSql, dropTable } from '../schema/tables.ts';
import { defaults, derbyOf, rowStoreOf } from '../test-tables.fixture.ts';
import { literal } from '../values/values.ts';
import { marker, statementsOf } from './statements.ts';

/**
 * Every SQL text goes through the parser of its dialect: that of a server, which compiles a statement when it is
 * prepared, and does not run it. What is wrong has to be refused, or this would show nothing.
 */
const types: Readonly<Record<string, ColumnType>> = {
  text: { kind: 'text', maxLength: 40, fixed: false, ascii: false },
  code: { kind: 'text', maxLength: 5, fixed: true, ascii: true },
  empty: { kind: 'text', maxLength: 0, fixed: true, ascii: true },
  long: { kind: 'text', maxLength: 32_672, fixed: false, ascii: true },
  page: { kind: 'text', maxLength: 32_673, fixed: false, ascii: true },
  book: { kind: 'text', maxLength: 1_000_000, fixed: false, ascii: false },
  uuid: { kind: 'uuid' },
  price: { kind: 'decimal', precision: 15, scale: 3 },
  whole: { kind: 'decimal', precision: 15, scale: 0 },
  at: { kind: 'timestamp' },
  flag: { kind: 'boolean' },
  blob: { kind: 'bytes', maxLength: 300, fixed: false },
  file: { kind: 'bytes', maxLength: 1_000_000, fixed: false },
};
/** The column that tables are partitioned by. */
const notNull = 'code';
const keys: readonly ColumnType[] = [
  { kind: 'bigint' },
  { kind: 'uuid' },
  { kind: 'text', maxLength: 20, fixed: true, ascii: true },
  { kind: 'timestamp' },
];

const sampleOf = (type: ColumnType, dialect: Dialect): Value => {
  switch (type.kind) {
    case 'uuid':
      return Uint8Array.from({ length: 16 }, (_, i) => i * 17);
    case 'bigint':
      return -9_007_199_254_740_991;
    case 'text':
      return type.maxLength < 10 ? 'a' : "O'Neil grüßt 日本 🐘\n\\";
    case 'decimal':
      return type.scale === 0 ? '-12' : '-12.050';
    case 'timestamp':
      return '2024-02-29 12:34:56.000789';
    case 'boolean':
      return dialect.booleanSql === 'BOOLEAN' ? true : 1;
    case 'bytes':
      return Uint8Array.of(0, 171, 255);
  }
};

const tableOf = (key: ColumnType | null, options: Options = {}): TablePlan => ({
  name: 'dyno_parsed',
  key: key === null ? null : 0,
  options: { ...defaults, ...options },
  columns: [
    ...(key === null ? [] : [{ name: 'select', type: key, nullable: false } satisfies Column]),
    ...Object.entries(types).map(([name, type]) => ({ name, type, nullable: name !== notNull })),
  ],
});

const servers = [
  {
    dialect: derby,
    skip: isSkipped('local-derby'),
    start: (): Promise<RunningServer> => derbyOf(),
    own: [constraintsSql, beginSql, transactionsSql, locksSql],
    tables: [{}] as readonly Options[],
  },
  {
    dialect: sqlfire,
    skip: isSkipped('local-snappydata'),
    start: (): Promise<RunningServer> => rowStoreOf(),
    own: [constraintsSql, sessionsSql],
    tables: distributions.map((distribution) => ({ distribution })) as readonly Options[],
  },
];

describe.each(servers)('$dialect.id', ({ dialect, skip, start, own, tables }) => {
  let server: RunningServer;
  let connection: DrdaConnection;

  beforeTests(async (opened) => {
    if (skip) return;
    server = opened.use(await start());
    connection = await connect(config.parse(server.admin) as DrdaConfig, 'dyno-parser');
    opened.defer(() => connection.close());
  });

  /** The parser's objection to a text; null if it accepts the text. */
  async function refusalOf(sql: string): Promise<string | null> {
    try {
      const statement = await connection.prepare(sql);
      await statement.close();
      return null;
    } catch (error) {
      if (!(error instanceof DrdaError) || error.kind !== 'sql') throw error;
      return `${error.sqlState}: ${sql.slice(0, 300)}`;
    } finally {
      await connection.rollback();
    }
  }

  async function withTable(table: TablePlan, use: () => Promise<void>): Promise<void> {
    await run(connection, createTableSql(table, dialect));
    try {
      await use();
    } finally {
      await dropTable(connection, table.name);
    }
  }

  const textsOf = (table: TablePlan, operation: TableOperation): readonly string[] => {
    const statements = statementsOf(table, operation, { ...defaultSettings, rangeRows: 7 });
    const { types: columns, sql } = statements;
    const literals = (_row: number, c: number) => literal(sampleOf(columns[c]!, dialect), columns[c]!);
    const takesNull = (c: number) =>
      operation === 'insert' ? table.columns[c]!.nullable : operation === 'update' && c === 1;
    const nulls = (row: number, c: number) => (takesNull(c) ? literal(null, columns[c]!) : literals(row, c));
    const isList = descriptor.support[operation]?.multiRow !== undefined;
    return [sql(1, literals), sql(1, nulls), sql(1, marker), ...(isList ? [sql(2, marker)] : [])];
  };

  test.skipIf(skip).each(keys)('every statement on a table with a key of %j', async (key) => {
    for (const options of key.kind === 'bigint' ? tables : [{}]) {
      const table = tableOf(key, options);
      const texts = operations.flatMap((operation) => textsOf(table, operation));
      expect(texts).toHaveLength(21);
      await withTable(table, async () => {
        for (const sql of texts) expect(await refusalOf(sql)).toBeNull();
      });
    }
  });

  test.skipIf(skip)('every statement on a table without a key, and those of Dyno’s own', async () => {
    const table = tableOf(null);
    await withTable(table, async () => {
      const widest = statementsOf(table, 'insert', defaultSettings).sql(500, marker);
      for (const sql of [...textsOf(table, 'insert'), widest, ...textsOf(table, 'scan'), ...own])
        expect(await refusalOf(sql)).toBeNull();
    });
  });

  test.skipIf(skip)('wrong statements are refused', async () => {
    const table = tableOf({ kind: 'bigint' });
    const name = tableSql(table);
    const wrong = [
      `INSERT INTO ${name} VALUES (1)`,
      `INSERT INTO ${name} ("SELECT") VALUES (?, ?)`,
      `INSERT INTO ${name} ("SELECT") VALUES ('a')`,
      `INSERT INTO ${name} (SELECT) VALUES (1)`,
      `SELECT "NONE" FROM ${name}`,
      `SELECT * FROM ${name} LIMIT 7`,
      `SELECT * FROM ${name} WHERE "SELECT" = X'00'`,
      `SELECT * FROM ${name} ORDER BY "SELECT" FETCH FIRST ROWS`,
      `UPDATE ${name} SET "TEXT" = ? FROM (VALUES (1)) AS new`,
      `UPDATE ${name} SET "UUID" = 5 WHERE "SELECT" = 1`,
      `DELETE FROM ${name} WHERE "SELECT" IN ()`,
      `CREATE TABLE DYNO.WRONG ("ID" BIGINT, "ID" BIGINT)`,
      `CREATE TABLE DYNO.WRONG ("ID" UUID)`,
      `CREATE TABLE DYNO.WRONG ("T" VARCHAR(40000))`,
      `CREATE TABLE DYNO.WRONG ("ID" BIGINT) PARTITION BY NOTHING`,
    ];
    await withTable(table, async () => {
      const accepted = [];
      for (const sql of wrong) if ((await refusalOf(sql)) === null) accepted.push(sql);
      expect(accepted).toEqual([]);
    });
  });
});

test('cells that are not there have no statement, and say why', () => {
  for (const operation of operations)
    for (const method of methods) {
      const settings = { ...defaultSettings, operation, method };
      const words = impossibleText(descriptor, settings, { columns: {} });
      if (descriptor.support[operation]?.[method]) expect(words).toBeNull();
      else expect(words, `${operation} by ${method}`).toMatch(/\. *$|\.$/);
    }
});
