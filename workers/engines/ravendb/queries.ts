import type { ColumnType, ParameterType, TablePlan } from '#model/dataset/dataset.ts';
import type { IndexPart, IndexPlan } from '#model/dataset/indexes.ts';
import { DynoError } from '#model/error.ts';
import type { RavenOptions } from './options.ts';
import type { Dates } from './values/dates.ts';
import { type FieldValue, idPrefix } from './values/documents.ts';

/** RQL and index definitions as text. */

/** A quoted name, because names of columns may be words of RQL. */
const quoted = (name: string): string => `'${name}'`;

export const allOf = ({ name }: Pick<TablePlan, 'name'>): string => `from ${quoted(name)}`;

export const staticIndex = ({ name }: Pick<TablePlan, 'name'>): string => `dyno/${name}`;
/** The beginning of names of the indexes that the server makes for queries of a collection. */
const autoIndexes = ({ name }: Pick<TablePlan, 'name'>): string => `Auto/${name}/`;

/** The name of an index of dataset.indexes. */
export const ownIndex = ({ name }: Pick<IndexPlan, 'name'>): string => `dyno/${name}`;

/** True if an index of this name belongs to the collection, including the indexes of custom statements. */
export const isIndexOf = (table: Pick<TablePlan, 'name'>, name: string): boolean =>
  name === staticIndex(table) ||
  name.startsWith(`${staticIndex(table)}_i`) ||
  name.toLowerCase().startsWith(autoIndexes(table).toLowerCase()) ||
  name.startsWith(idPrefix(table));

function keyColumn({ key, columns }: TablePlan): { readonly name: string; readonly type: ColumnType } {
  if (key === null) throw new DynoError('badInput', 'The table has no key to find rows by.');
  return columns[key]!;
}

/** A field of an index: its name there, and its value of a document in LINQ, where @ lets names be words of C#. */
interface IndexField {
  readonly name: string;
  readonly value: string;
}

/** The field of an index with the values of a column. */
export const plainField = (name: string): IndexField => ({ name, value: `row.@${name}` });

/**
 * The fields of an index for its parts. One within documents is named with _ between the names: address_city. If the
 * index has a field of this name already, another _ is added to the name.
 */
export function fieldsOf(
  table: Pick<TablePlan, 'columns'>,
  parts: readonly IndexPart[],
  included: readonly string[],
): readonly IndexField[] {
  const fields = parts.map((part) => fieldOf(table, part));
  const isWithin = (part: IndexPart) => 'path' in part && part.path !== undefined;
  const taken = new Set([...included, ...fields.filter((_, i) => !isWithin(parts[i]!)).map(({ name }) => name)]);
  return fields.map((field, i) => {
    let { name } = field;
    if (!isWithin(parts[i]!)) return field;
    while (taken.has(name)) name += '_';
    taken.add(name);
    return { ...field, name };
  });
}

/** The field of an index for a part by itself. */
function fieldOf({ columns }: Pick<TablePlan, 'columns'>, part: IndexPart): IndexField {
  if ('expression' in part) throw new DynoError('unsupported', 'RavenDB gets no expressions of indexes.');
  const names = [columns[part.column]!.name, ...(part.path ?? [])];
  return { name: names.join('_'), value: `row${names.map((name) => `.@${name}`).join('')}` };
}

/** The LINQ of a map index. */
export const indexMap = ({ name }: Pick<TablePlan, 'name'>, fields: readonly IndexField[]): string =>
  `from row in docs.${name} select new { ${fields.map((field) => `@${field.name} = ${field.value}`).join(', ')} }`;

/** The LINQ of an index with the number of rows (`rows_`) and sums of columns for each value of the fields. */
export function mapReduce(table: Pick<TablePlan, 'name'>, fields: readonly IndexField[], sums: readonly string[]) {
  const names = fields.map(({ name }) => `@${name}`);
  const one = names.map((name) => `entry.${name}`);
  const kept = names.map((name) => `${name} = entries.Key.${name}`);
  const added = ['rows_', ...sums].map((name) => `@${name} = entries.Sum(entry => entry.@${name})`);
  return {
    Maps: [indexMap(table, [...fields, { name: 'rows_', value: '1' }, ...sums.map(plainField)])],
    Reduce: `from entry in results group entry by new { ${one.join(', ')} } into entries select new { ${[...kept, ...added].join(', ')} }`,
  };
}

export const staticIndexMap = (table: TablePlan): string => indexMap(table, [plainField(keyColumn(table).name)]);

/**
 * Finds the rows from a key on, in the key's order; `$key` is a parameter. The number of rows is sent beside the query.
 */
export const rangeQuery = (table: TablePlan, options: RavenOptions): string => range(table, options, '$key');

/** Finds the same rows, with the key in the text. */
export const literalRangeQuery = (table: TablePlan, options: RavenOptions, value: FieldValue): string =>
  range(table, options, literalValue(value));

/**
 * Finds the rows whose value of a column is at or above a low value and below a high one (`$low` and `$high`, or
 * literals), by an index of the table that begins with the column, if there is one.
 */
export function betweenQuery(table: TablePlan, column: number, low = '$low', high = '$high'): string {
  const name = quoted(table.columns[column]!.name);
  const index = indexOver(table, column);
  const from = index ? `from index ${quoted(ownIndex(index))}` : allOf(table);
  return `${from} where ${name} >= ${low} and ${name} < ${high}`;
}

/** Finds all documents in the order of a column, by an index of the table that begins with it, if there is one. */
export function orderedQuery(table: TablePlan, column: number, { dates }: Pick<RavenOptions, 'dates'>): string {
  const { name, type } = table.columns[column]!;
  const index = indexOver(table, column);
  const from = index ? `from index ${quoted(ownIndex(index))}` : allOf(table);
  return `${from} order by ${quoted(name)}${orderOf(type, dates)}`;
}

/** An index of dataset.indexes that begins with the column, with its terms as they are. */
export const indexOver = ({ indexes = [] }: TablePlan, column: number): IndexPlan | undefined =>
  indexes.find(({ parts: [first], kind }) => {
    const isPlain = first !== undefined && 'column' in first && first.path === undefined;
    return kind === 'btree' && isPlain && first.column === column;
  });

/** A value as RQL, whose scanner (QueryScanner.cs) has other escapes than JSON. */
export const literalValue = (value: FieldValue): string =>
  typeof value === 'string' ? `"${value.replaceAll(/[\\"]/g, '\\$&')}"` : String(value);

function range(table: TablePlan, { index, dates }: RavenOptions, value: string): string {
  const { name, type } = keyColumn(table);
  const from = index === 'static' ? `from index ${quoted(staticIndex(table))}` : allOf(table);
  return `${from} where ${quoted(name)} >= ${value} order by ${quoted(name)}${orderOf(type, dates)}`;
}

/** A value of the right type, for a query whose answer does not matter. */
export const anyValue = (type: ParameterType, dates: Dates): FieldValue => (orderOf(type, dates) === '' ? '0' : 0);

export const anyKey = (table: TablePlan, { dates }: RavenOptions): FieldValue => anyValue(keyColumn(table).type, dates);

/** A value for a column of numbers or times. */
export function anyBounds(
  { columns }: TablePlan,
  column: number,
  { dates }: RavenOptions,
): readonly [FieldValue, FieldValue] {
  const value = anyValue(columns[column]!.type, dates);
  return [value, value];
}

/** Terms of an index are text, unless the query says that they are numbers. */
function orderOf({ kind }: ParameterType, dates: Dates): string {
  switch (kind) {
    case 'bigint':
      return ' as long';
    case 'decimal':
    case 'float':
      return ' as double';
    case 'timestamp':
      return dates === 'ticks' ? ' as long' : '';
    default:
      return '';
  }
}

/** JavaScript that changes one field; the value is an argument. */
export const patchScript = (field: string): string => `this.${field} = args.value;`;
/** The same JavaScript, with the value in the text. */
export const literalPatchScript = (field: string, value: FieldValue): string => `this.${field} = ${literal(value)};`;

/** The value as JavaScript of 2009, which the server runs: a text may not contain two of Unicode's line ends. */
const literal = (value: FieldValue): string =>
  JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
