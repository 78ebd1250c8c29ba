import type { StatisticsValue } from '#engine-api/table-facts.ts';
import type {
  ColumnCondition,
  QueriedColumn,
  QueriedTable,
  RowQuery,
  TableQueries,
} from '#engine-api/table-queries.ts';

/** The notation of a product's SQL. */
interface SqlNotation {
  /** A name in quotes. */
  quote(name: string): string;
  /** The schema that a name without one has; null: the server finds it. */
  readonly schema: string | null;
  /** A value that is no time, as it stands in a text. */
  literal(value: StatisticsValue, column: QueriedColumn): string;
  /** A time, given as the server shows it or in ISO 8601. */
  time(value: string, column: QueriedColumn): string;
  /** The function that counts the characters of a text. Default: length. */
  readonly length?: string;
}

/** A time in ISO 8601 as most servers read it: `2024-02-24 08:30:00`. */
export const plainTime = (value: string): string => value.replace(/^(\d{4}-\d\d-\d\d)T/, '$1 ').replace(/Z$/, '');

/** The texts of SQL for {@link TableQueries}. */
export function sqlTableQueries(notation: SqlNotation): TableQueries {
  const { quote, length = 'length' } = notation;
  const named = (table: QueriedTable): string => {
    if ('placeholder' in table) return `{${table.placeholder}}`;
    const schema = table.schema ?? notation.schema;
    return schema === null ? quote(table.name) : `${quote(schema)}.${quote(table.name)}`;
  };
  const condition = (alias: string, { column, operator, value, isTime }: ColumnCondition): string => {
    const name = `${alias}.${quote(column.name)}`;
    if (operator === 'isNull' || value === null) return `${name} IS NULL`;
    const written = isTime ? notation.time(String(value), column) : notation.literal(value, column);
    return `${name} ${{ is: '=', atLeast: '>=', below: '<' }[operator]} ${written}`;
  };
  const from = ({ table, where, joined }: RowQuery): string => {
    const on = joined?.on.map(({ column, other }) => `b.${quote(other.name)} = a.${quote(column.name)}`) ?? [];
    const conditions = [
      ...where.map((one) => condition('a', one)),
      ...(joined?.where.map((one) => condition('b', one)) ?? []),
    ];
    return [
      `FROM ${named(table)} a`,
      ...(joined ? [`JOIN ${named(joined.table)} b ON ${on.join(' AND ')}`] : []),
      ...(conditions.length > 0 ? [`WHERE ${conditions.join(' AND ')}`] : []),
    ].join(' ');
  };
  const groups = (table: QueriedTable, { name }: QueriedColumn): string =>
    `SELECT ${quote(name)} AS v, COUNT(*) AS n FROM ${named(table)} WHERE ${quote(name)} IS NOT NULL GROUP BY ${quote(name)}`;
  return {
    rows: (query) => `SELECT ${query.joined ? 'a.*, b.*' : 'a.*'} ${from(query)}`,
    count: (query) => `SELECT COUNT(*) AS n ${from(query)}`,
    figures: (table, column) => {
      const mean = column.isText === true ? `SUM(1.0 * n * ${length}(v)) / SUM(n)` : 'NULL';
      return `SELECT COUNT(*) AS d, MAX(n) AS t, SUM(n) AS p, ${mean} AS m FROM (${groups(table, column)}) q`;
    },
    frequent: (table, column) => `${groups(table, column)} ORDER BY n DESC, v`,
  };
}
