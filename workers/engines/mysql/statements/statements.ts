import type { Column, TablePlan } from '#model/dataset/dataset.ts';
import type { TableOperation } from '#model/settings/vocabulary.ts';
import { commonStatement, list, type Place, type StatementSettings } from '../../shared/sql/statements.ts';
import { quote, tableSql } from '../names.ts';
import { castTypeSql, type StoredType, storedTypes } from '../values/values.ts';

/** SQL of one operation. Pure. */
export interface Statements {
  /** Types of a batch's columns, in order. */
  readonly types: readonly StoredType[];
  /** The statement for `rows` rows, in which `place` writes each value. */
  sql(rows: number, place: Place): string;
}

/** A statement with placeholders. */
export interface Parameterised {
  readonly text: string;
  /** The positions of the placeholders' values among the batch's values, row after row. */
  readonly order: readonly number[];
}

/** Placeholders have positions and no names, so their order is noted as the text is made. */
export function parameterised({ types, sql }: Statements, rows: number): Parameterised {
  const order: number[] = [];
  const text = sql(rows, (row, column) => {
    order.push(row * types.length + column);
    return '?';
  });
  return { text, order };
}

export function statementsOf(
  database: string,
  table: TablePlan,
  operation: TableOperation,
  settings: StatementSettings,
): Statements {
  const target = tableSql(database, table);
  const { columns, sql } = commonStatement(table, operation, settings, { target, quote });
  const types = storedTypes(table, columns);
  return { types, sql: operation === 'update' ? updateSql(target, columns, types, sql) : sql };
}

/**
 * Joins several rows with a list of SELECTs, which every version since 5.7 accepts. MySQL (8.0.19) and MariaDB (10.3)
 * write VALUES as a table differently, and CASE compares every row with every key.
 */
function updateSql(
  target: string,
  columns: readonly Column[],
  types: readonly StoredType[],
  one: Statements['sql'],
): Statements['sql'] {
  const [key, column] = columns.map(({ name }) => quote(name));
  // Values of the list take their type from no column; keys of another type would not be looked up in the index.
  const cast = (place: Place, r: number, c: number) => `CAST(${place(r, c)} AS ${castTypeSql(types[c]!)})`;
  const names = ['new_key', 'new_value'];
  const select = (place: Place, r: number) =>
    `SELECT ${list(2, (c) => (r === 0 ? `${cast(place, r, c)} AS ${names[c]}` : cast(place, r, c)))}`;
  return (rows, place) =>
    rows === 1
      ? one(1, place)
      : `UPDATE ${target} AS old JOIN (${Array.from({ length: rows }, (_, r) => select(place, r)).join(' UNION ALL ')}) AS new ON old.${key} = new.new_key SET old.${column} = new.new_value`;
}
