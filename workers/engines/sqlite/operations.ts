import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Operation, OperationPlan } from '#engine-api/operation.ts';
import { supportOf } from '#engine-api/support/support-of.ts';
import type { Batch } from '#model/batch/batch.ts';
import type { Value } from '#model/batch/decode.ts';
import type { ColumnType, TablePlan } from '#model/dataset/dataset.ts';
import { DynoError } from '#model/error.ts';
import { orderSql } from '../shared/sql/order.ts';
import { rangeSql } from '../shared/sql/range.ts';
import { changedOf, keyIs, keyOf, type Place, rangeFilter, rowList } from '../shared/sql/statements.ts';
import { descriptor } from './descriptor.ts';
import { queryPlanOf } from './query-plan.ts';
import { quote } from './tables.ts';
import { flatRows, jsonValue, literal, type SqliteValue, valueRead } from './values.ts';

/** What one operation is in SQL, whatever the method. */
interface Statements {
  /** Types of a batch's columns. */
  readonly types: readonly ColumnType[];
  /** SQL for `rows` rows, with `place` standing for each value in batch order. */
  readonly sql: (rows: number, place: Place) => string;
  /** SQL that takes all rows as one JSON array of arrays. */
  readonly jsonSql: string;
  readonly reads: boolean;
}

export function prepareOperation(database: DatabaseSync, plan: OperationPlan): Operation {
  const { table, operation, method, settings } = plan;
  supportOf(descriptor, operation, method);
  if (method === 'serverLoop') return serverLoop(database, table);
  if (operation === 'scan' && settings.sortMemoryKb > 0) setSortMemory(database, settings.sortMemoryKb);
  const statements = statementsOf(plan);
  const { reads, types } = statements;
  const byParameters = (rows: number) => statements.sql(rows, (row, column) => `?${row * types.length + column + 1}`);
  const execute = reads ? (operation === 'scan' ? step : fetchAll) : change;
  const ready = (sql: string) => arrays(database.prepare(sql), reads);

  switch (method) {
    case 'literal': {
      const sqlOf = (batch: Batch): string => {
        const values = flatRows(batch, types).map(literal);
        return statements.sql(batch.rows, (row, column) => values[row * types.length + column]!);
      };
      return {
        layout: null,
        encode: sqlOf,
        run: (sql) => execute(ready(sql), []),
        queryPlan: (batch) => queryPlanOf(database, sqlOf(batch), []),
      } satisfies Operation<string>;
    }
    case 'bind': {
      const sql = byParameters(1);
      return {
        layout: null,
        encode: (batch) => flatRows(batch, types),
        run: (values) => execute(ready(sql), values),
        queryPlan: (batch) => queryPlanOf(database, sql, flatRows(batch, types)),
      } satisfies Operation<SqliteValue[]>;
    }
    case 'arrayBind': {
      const statement = ready(statements.jsonSql);
      return {
        layout: null,
        encode: (batch) => [jsonRows(batch, types)],
        run: (values) => execute(statement, values),
        queryPlan: (batch) => queryPlanOf(database, statements.jsonSql, [jsonRows(batch, types)]),
      } satisfies Operation<SqliteValue[]>;
    }
    default: {
      // prepared and multiRow; the last batch of a trial may be smaller and then has a statement of its own, compiled
      // in encode.
      const byRows = new Map<number, StatementSync>();
      const statementFor = (rows: number): StatementSync => {
        const known = byRows.get(rows);
        if (known) return known;
        const statement = ready(byParameters(rows));
        byRows.set(rows, statement);
        return statement;
      };
      statementFor(method === 'multiRow' ? settings.rowsPerCall : 1);
      return {
        layout: null,
        encode: (batch) => ({ statement: statementFor(batch.rows), values: flatRows(batch, types) }),
        run: ({ statement, values }) => execute(statement, values),
        queryPlan: (batch) => queryPlanOf(database, byParameters(batch.rows), flatRows(batch, types)),
        ...(operation === 'scan' && {
          blocks: () =>
            blocksOf(
              statementFor(1),
              table.columns.map(({ type }) => type),
              settings.fetchSize,
            ),
        }),
      } satisfies Operation<PreparedCall>;
    }
  }
}

interface PreparedCall {
  readonly statement: StatementSync;
  readonly values: readonly SqliteValue[];
}

function arrays(statement: StatementSync, reads: boolean): StatementSync {
  if (reads) statement.setReturnArrays(true);
  return statement;
}
const change = (statement: StatementSync, values: readonly SqliteValue[]): number =>
  Number(statement.run(...values).changes);
const fetchAll = (statement: StatementSync, values: readonly SqliteValue[]): number => statement.all(...values).length;
function step(statement: StatementSync, values: readonly SqliteValue[]): number {
  let rows = 0;
  for (const _ of statement.iterate(...values)) rows++;
  return rows;
}

async function* blocksOf(statement: StatementSync, types: readonly ColumnType[], fetchSize: number) {
  let block: Value[][] = [];
  for (const row of statement.iterate()) {
    block.push((row as unknown as SqliteValue[]).map((value, c) => valueRead(value, types[c]!)));
    if (block.length < fetchSize) continue;
    yield block;
    block = [];
  }
  if (block.length > 0) yield block;
}

function jsonRows(batch: Batch, types: readonly ColumnType[]): string {
  const flat = flatRows(batch, types);
  const rows = Array.from({ length: batch.rows }, (_, r) =>
    types.map((_type, c) => jsonValue(flat[r * types.length + c]!)),
  );
  return JSON.stringify(rows);
}

/** Value `index` of a row of the JSON array, as its column stores it. */
const fromJson = (type: ColumnType, index: number): string =>
  type.kind === 'uuid' || type.kind === 'bytes' ? `unhex(value ->> ${index})` : `value ->> ${index}`;

function statementsOf({ table, operation, settings }: OperationPlan): Statements {
  const target = quote(table.name);
  const all = table.columns.map((column) => quote(column.name)).join(', ');
  const jsonList = (types: readonly ColumnType[]) => types.map(fromJson).join(', ');

  if (operation === 'insert') {
    const types = table.columns.map((column) => column.type);
    return {
      types,
      reads: false,
      sql: (rows, place) => `INSERT INTO ${target} VALUES ${rowList(rows, types.length, place)}`,
      jsonSql: `INSERT INTO ${target} SELECT ${jsonList(types)} FROM json_each(?)`,
    };
  }
  if (operation === 'scan') {
    return {
      types: [],
      reads: true,
      sql: () => `SELECT ${all} FROM ${target}${orderSql(table, settings, quote)}`,
      jsonSql: '',
    };
  }
  const over = rangeFilter(table, operation, settings);
  if (over)
    return {
      types: [over.type, over.type],
      reads: true,
      sql: (_rows, place) => `SELECT ${all} FROM ${target} WHERE ${rangeSql(quote(over.name), place)}`,
      jsonSql: '',
    };
  const keyColumn = keyOf(table, operation);
  const key = quote(keyColumn.name);
  const types = [keyColumn.type];
  const whereJson = `${key} IN (SELECT ${fromJson(keyColumn.type, 0)} FROM json_each(?))`;
  switch (operation) {
    case 'readByKey':
      return {
        types,
        reads: true,
        sql: (rows, place) => `SELECT ${all} FROM ${target} WHERE ${keyIs(key, rows, place)}`,
        jsonSql: `SELECT ${all} FROM ${target} WHERE ${whereJson}`,
      };
    case 'readRange':
      return {
        types,
        reads: true,
        sql: (_rows, place) =>
          `SELECT ${all} FROM ${target} WHERE ${key} >= ${place(0, 0)} ORDER BY ${key} LIMIT ${settings.rangeRows}`,
        jsonSql: '',
      };
    case 'delete':
      return {
        types,
        reads: false,
        sql: (rows, place) => `DELETE FROM ${target} WHERE ${keyIs(key, rows, place)}`,
        jsonSql: `DELETE FROM ${target} WHERE ${whereJson}`,
      };
    case 'update': {
      const changed = changedOf(table);
      const pair = [keyColumn.type, changed.type];
      const set = `UPDATE ${target} SET ${quote(changed.name)} =`;
      return {
        types: pair,
        reads: false,
        sql: (rows, place) =>
          rows === 1
            ? `${set} ${place(0, 1)} WHERE ${key} = ${place(0, 0)}`
            : `${set} new.column2 FROM (VALUES ${rowList(rows, 2, place)}) AS new WHERE ${target}.${key} = new.column1`,
        jsonSql: `${set} new.changed FROM (SELECT ${fromJson(pair[0]!, 0)} AS id, ${fromJson(pair[1]!, 1)} AS changed FROM json_each(?)) AS new WHERE ${target}.${key} = new.id`,
      };
    }
  }
}

/** Random rows made by the library itself; text of hexadecimal digits, everything uniform. */
function serverLoop(database: DatabaseSync, table: TablePlan): Operation<number> {
  const made = table.columns.map((column) => randomSql(column.type)).join(', ');
  const statement = database.prepare(
    `INSERT INTO ${quote(table.name)} WITH RECURSIVE turn(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM turn WHERE i < ?) SELECT ${made} FROM turn`,
  );
  return { layout: null, encode: (batch) => batch.rows, run: (rows) => Number(statement.run(rows).changes) };
}

function randomSql(type: ColumnType): string {
  switch (type.kind) {
    case 'uuid':
      return 'randomblob(16)';
    case 'bytes':
      return `randomblob(${Math.max(1, type.maxLength)})`;
    case 'text':
      return `substr(hex(randomblob(${Math.ceil(type.maxLength / 2)})), 1, ${type.maxLength})`;
    case 'boolean':
      return 'random() & 1';
    case 'decimal':
      return `random() % ${10 ** type.precision}`;
    case 'timestamp':
      return '1577836800000000 + (random() & 140737488355327)'; // 2020-01-01 and up to 4.5 years
    case 'bigint':
      return 'random() & 9007199254740991';
  }
}

/** SQLite's source, vdbesort.c: a sort keeps as much in memory as the page cache may hold, and 250 pages at least. */
const leastSortPages = 250;

function setSortMemory(database: DatabaseSync, kb: number): void {
  const pageBytes = Number(database.prepare('PRAGMA page_size').get()?.page_size);
  if (kb * 1_024 < leastSortPages * pageBytes)
    throw new DynoError(
      'unsupported',
      `sortMemoryKb: ${kb} — a sort has ${leastSortPages} pages at least, here of ${pageBytes} bytes.`,
    );
  database.exec(`PRAGMA cache_size = -${kb}`);
}
