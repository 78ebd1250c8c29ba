import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { AnsweredRows, CustomStatement, Inexact, KeptAnswer, StatementPlan } from '#engine-api/statement.ts';
import { supportOf } from '#engine-api/support/support-of.ts';
import { DynoError } from '#model/error.ts';
import { extentOf } from '#model/statements/statement-extent.ts';
import { partsOf } from '#model/statements/statement-text.ts';
import type { UserTable } from '#model/statements/statements.ts';
import { decimalText } from '#model/text/exact-decimal.ts';
import {
  countsRows,
  firstRows,
  severalStatements,
  shownRows,
  templateOf,
  withoutRows,
} from '../shared/custom-statement.ts';
import { groupTables, mostOwnColumns } from '../shared/user-tables.ts';
import { descriptor, statementLanguage } from './descriptor.ts';
import { queryPlanOf } from './query-plan.ts';
import { isOurs, quote } from './tables.ts';
import { exactRow, literalsOf, ownLiteral, type SqliteValue } from './values.ts';
import { vet } from './vetting.ts';

type Columns = ReturnType<StatementSync['columns']>;

interface Call {
  /** The compiled statement. Null: it is compiled with the call. */
  readonly statement: StatementSync | null;
  readonly text: string;
  readonly values: readonly SqliteValue[];
}

/** A statement of the user's own: `:name` becomes `?n`. The library reports whether it returns rows. */
export function prepareCustomStatement(database: DatabaseSync, plan: StatementPlan): CustomStatement<Call> {
  supportOf(descriptor, 'statement', plan.method);
  refuseUnnamed(plan.text);
  const template = templateOf(plan, statementLanguage, (table) => quote(table.name));
  const types = plan.parameters.map(({ type }) => type);
  const used = [...new Set(template.places)];
  const text = template.render((parameter) => `?${used.indexOf(parameter) + 1}`);
  vet(database, plan, plan.method === 'literal' ? template.render(() => '0') : text);
  const prepared = plan.method === 'prepared' ? ready(database, text) : null;
  const compiled = ({ statement, text: own }: Call) => statement ?? ready(database, own);
  const isCounted = countsRows(plan.text, statementLanguage);
  /** After other statements the library still has the count of the previous one. */
  const changed = (statement: StatementSync, values: readonly SqliteValue[]): number | null => {
    const { changes } = statement.run(...values);
    return isCounted ? Number(changes) : null;
  };
  /** `isWhole`: all rows are fetched, as run() does. */
  const answered = async (call: Call, most: number, isWhole: boolean): Promise<KeptAnswer> => {
    const { values } = call;
    const statement = compiled(call);
    if (!returnsRows(statement)) return withoutRows(changed(statement, values));
    statement.setReadBigInts(true);
    const rows = isWhole ? arraysOf(statement.all(...values)) : someRows(statement, values, most + 1);
    statement.setReadBigInts(false);
    const columns = statement.columns();
    return { count: rows.length, read: () => shown(columns, rows, most, isWhole) };
  };
  const shown = (columns: Columns, rows: ReturnType<typeof arraysOf>, most: number, isWhole: boolean): AnsweredRows => {
    const scales = columns.map((column) => scaleOf(column, plan));
    const written = (isWhole ? shownRows : firstRows)(
      columns.map(({ name }) => name),
      rows.slice(0, most + 1).map((row) => row.map((value, c) => withPoint(value, scales[c]!))),
      most,
      rows.length,
    );
    // A decimal is sent as a whole number, as Dyno's columns store it: a floating-point number would be a different
    // one.
    const own = rows.slice(0, most).map((row) => row.map(ownText));
    const rounded = columns.map((_, c) => rows.some((row) => typeof row[c] === 'number'));
    const typed = { ...written, types: columns.map(() => 'own' as const), own, rounded };
    const floats = (rows[0] ?? []).flatMap((value, c) => (typeof value === 'number' ? [[c, isFloat] as const] : []));
    return floats.length === 0 ? typed : { ...typed, inexact: Object.fromEntries(floats) };
  };
  return {
    encode(batch) {
      if (plan.method === 'literal') {
        const literals = literalsOf(batch, types);
        return { statement: null, text: template.render((parameter) => literals[parameter]!), values: [] };
      }
      const values = exactRow(batch, types);
      return { statement: prepared, text, values: used.map((parameter) => values[parameter]!) };
    },
    run(call) {
      const { values } = call;
      const statement = compiled(call);
      return returnsRows(statement) ? countRows(statement, values, plan) : changed(statement, values);
    },
    answer: (call, most) => answered(call, most, true),
    show: async (call, most) => (await answered(call, most, false)).read(),
    queryPlan: ({ text: own, values }) => queryPlanOf(database, own, values),
    async explain({ text: own, values }) {
      const steps = database.prepare(`EXPLAIN QUERY PLAN ${own}`).all(...values);
      const depths = new Map<unknown, number>([[0, -1]]);
      const lines = steps.map(({ id, parent, detail }) => {
        const depth = (depths.get(parent) ?? -1) + 1;
        depths.set(id, depth);
        return `${'  '.repeat(depth)}${String(detail)}`;
      });
      return lines.join('\n') || 'SQLite names no step for it.';
    },
  };
}

/**
 * SQLite also reads ?, @name, $name and :name directly behind a word. Dyno gives them no value, so they would be null.
 */
function refuseUnnamed(text: string): void {
  if (partsOf(text, statementLanguage).some((part) => part.kind === 'code' && /[?@:]|(?<![\w$])\$/.test(part.text)))
    throw new DynoError('badInput', 'The text has a ?, @, $ or : that SQLite would take for a parameter of no value.', {
      hint: 'Write parameters as :name, with a space before the colon.',
    });
}

const isFloat: Inexact = {
  only: 'decimal',
  why: 'SQLite has a floating-point number there, which `as: float` passes on.',
};

/**
 * The scale of a decimal column in Dyno's tables, which hold whole numbers. 0: any other value, also a sum over the
 * column.
 */
function scaleOf({ table, column }: Columns[number], { tables }: StatementPlan): number {
  const own = Object.values(tables).find(({ name }) => name === table);
  const type = own?.columns.find(({ name }) => name === column)?.type;
  return type?.kind === 'decimal' ? type.scale : 0;
}

/** A value of any storage class, as flatRows() reads it. */
const ownText = (value: unknown): string | null => (value === null ? null : ownLiteral(value as SqliteValue));

const withPoint = (value: unknown, scale: number): unknown =>
  typeof value === 'bigint' ? decimalText({ unscaled: value, scale }) : value;

/** The rows of a statement that returns arrays, which its types do not show. */
const arraysOf = (rows: unknown) => rows as readonly (readonly unknown[])[];

/** The first `most` rows; the others are not computed. */
function someRows(statement: StatementSync, values: readonly SqliteValue[], most: number) {
  const rows: unknown[] = [];
  for (const row of statement.iterate(...values)) {
    rows.push(row);
    if (rows.length === most) break;
  }
  return arraysOf(rows);
}

/**
 * Integers are read as numbers, which cost less, until one does not fit; a statement that only reads can then be
 * repeated.
 */
function countRows(statement: StatementSync, values: readonly SqliteValue[], { isRead }: StatementPlan): number {
  if (!isRead) statement.setReadBigInts(true);
  try {
    return statement.all(...values).length;
  } catch (error) {
    if (!isRead || (error as NodeJS.ErrnoException).code !== 'ERR_OUT_OF_RANGE') throw error;
    statement.setReadBigInts(true);
    return statement.all(...values).length;
  }
}

/** Compiles a text of one statement. */
export function ready(database: DatabaseSync, text: string): StatementSync {
  const statement = database.prepare(text);
  refuseRest(text, statement.sourceSQL);
  if (returnsRows(statement)) statement.setReturnArrays(true);
  return statement;
}

/** The library compiles the first statement, and ignores everything behind it and behind a NUL. */
function refuseRest(text: string, compiled: string): void {
  if (compiled.length === text.length) return;
  const { next } = extentOf(`x;${compiled.replaceAll(/[^\n]/g, ' ')}${text.slice(compiled.length)}`, statementLanguage);
  if (next) throw severalStatements(next);
}

const returnsRows = (statement: StatementSync): boolean => statement.columns().length > 0;

/** Tables and views that Dyno has not made. In a file of Dyno's own they are those that users have put there. */
export function userTables(database: DatabaseSync): readonly UserTable[] {
  const rows = database
    .prepare(
      `SELECT NULL AS schema, t.name AS name, c.name AS column, t.sql AS sql
         FROM sqlite_schema t JOIN pragma_table_info(t.name) c
        WHERE t.type IN ('table', 'view') AND t.name NOT LIKE 'sqlite_%' ORDER BY t.name, c.cid LIMIT ?`,
    )
    .all(mostOwnColumns)
    .filter(({ name, sql }) => !isOurs(String(name), String(sql)));
  return groupTables(rows.map(({ name, column }) => [null, name, column]));
}
