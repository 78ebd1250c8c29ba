import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Operation, OperationPlan } from '#engine-api/operation.ts';
import { supportOf } from '#engine-api/support/support-of.ts';
import type { Batch } from '#model/batch/batch.ts';
import type { Value } from '#model/batch/decode.ts';
import type { ColumnType, TablePlan } from '#model/dataset/dataset.ts';
import { DynoError } from '#model/error.ts';
import { readOnlyOperations } from '#model/settings/vocabulary.ts';
import { commonStatement, type Place, rowList } from '../shared/sql/statements.ts';
import { descriptor } from './descriptor.ts';
import { queryPlanOf } from './query-plan.ts';
import { quote } from './tables.ts';
import { flatRows, jsonValue, literal, type SqliteValue, valueRead } from './values.ts';

/** The SQL of one operation, whatever the method. */
interface Statements {
  /** Types of a batch's columns. */
  readonly types: readonly ColumnType[];
  /** The SQL for `rows` rows, in which `place` stands for each value in the order of the batch. */
  readonly sql: (rows: number, place: Place) => string;
  /** The SQL that takes all rows as one JSON array of arrays. */
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
        encode: sqlOf,
        run: (sql) => execute(ready(sql), []),
        queryPlan: (batch) => queryPlanOf(database, sqlOf(batch), []),
      } satisfies Operation<string>;
    }
    case 'bind': {
      const sql = byParameters(1);
      return {
        encode: (batch) => flatRows(batch, types),
        run: (values) => execute(ready(sql), values),
        queryPlan: (batch) => queryPlanOf(database, sql, flatRows(batch, types)),
      } satisfies Operation<SqliteValue[]>;
    }
    case 'arrayBind': {
      const statement = ready(statements.jsonSql);
      return {
        encode: (batch) => [jsonRows(batch, types)],
        run: (values) => execute(statement, values),
        queryPlan: (batch) => queryPlanOf(database, statements.jsonSql, [jsonRows(batch, types)]),
      } satisfies Operation<SqliteValue[]>;
    }
    default: {
      // prepared and multiRow. The last batch of a trial may be smaller; its statement is compiled in encode.
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

/** The SQL of an operation. Pure. */
export function statementsOf({
  table,
  operation,
  settings,
}: Pick<OperationPlan, 'table' | 'operation' | 'settings'>): Statements {
  const target = quote(table.name);
  const { columns, sql } = commonStatement(table, operation, settings, { target, quote });
  const types = columns.map(({ type }) => type);
  const statements = { types, reads: readOnlyOperations.includes(operation), sql, jsonSql: '' };
  const [key, changed] = columns.map(({ name }) => quote(name));
  const values = types.map(fromJson);
  const byKeys = `${key} IN (SELECT ${values[0]} FROM json_each(?))`;
  switch (operation) {
    case 'insert':
      return { ...statements, jsonSql: `INSERT INTO ${target} SELECT ${values.join(', ')} FROM json_each(?)` };
    case 'readByKey': {
      const all = table.columns.map(({ name }) => quote(name)).join(', ');
      return { ...statements, jsonSql: `SELECT ${all} FROM ${target} WHERE ${byKeys}` };
    }
    case 'delete':
      return { ...statements, jsonSql: `DELETE FROM ${target} WHERE ${byKeys}` };
    case 'update': {
      const set = `UPDATE ${target} SET ${changed} =`;
      return {
        ...statements,
        sql: (rows, place) =>
          rows === 1
            ? sql(1, place)
            : `${set} new.column2 FROM (VALUES ${rowList(rows, 2, place)}) AS new WHERE ${target}.${key} = new.column1`,
        jsonSql: `${set} new.changed FROM (SELECT ${values[0]} AS id, ${values[1]} AS changed FROM json_each(?)) AS new WHERE ${target}.${key} = new.id`,
      };
    }
    default:
      return statements;
  }
}

/** Random rows that the library itself makes: text of hexadecimal digits, everything uniform. */
function serverLoop(database: DatabaseSync, table: TablePlan): Operation<number> {
  const made = table.columns.map((column) => randomSql(column.type)).join(', ');
  const statement = database.prepare(
    `INSERT INTO ${quote(table.name)} WITH RECURSIVE turn(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM turn WHERE i < ?) SELECT ${made} FROM turn`,
  );
  return { encode: (batch) => batch.rows, run: (rows) => Number(statement.run(rows).changes) };
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
      return '1577836800000000 + (random() & 140737488355327)'; // from 2020-01-01 over 4.5 years
    case 'bigint':
      return 'random() & 9007199254740991';
  }
}

/** A sort may use as much memory as the page cache, and at least 250 pages (SQLite's source, vdbesort.c). */
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
