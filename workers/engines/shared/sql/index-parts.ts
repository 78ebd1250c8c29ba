import type { Column, TablePlan } from '#model/dataset/dataset.ts';
import type { IndexPlan } from '#model/dataset/indexes.ts';

/**
 * The parts of an index as CREATE INDEX lists them, without the brackets around the list: "a", "b" DESC, (lower(c)).
 * `pathSql`: a field within the documents of a column as an expression, for engines that have such indexes.
 */
export const indexPartsSql = (
  table: Pick<TablePlan, 'columns'>,
  { parts }: IndexPlan,
  quote: (name: string) => string,
  pathSql: (column: Column, path: readonly string[]) => string = () => '',
): string =>
  parts
    .map((part) => {
      const behind = part.descending ? ' DESC' : '';
      if ('expression' in part) return `(${part.expression})${behind}`;
      const column = table.columns[part.column]!;
      return `${part.path ? `(${pathSql(column, part.path)})` : quote(column.name)}${behind}`;
    })
    .join(', ');

/** The names of the columns that an index includes, quoted. */
export const includedSql = (
  table: Pick<TablePlan, 'columns'>,
  { include = [] }: IndexPlan,
  quote: (name: string) => string,
): string => include.map((c) => quote(table.columns[c]!.name)).join(', ');

/** ` WHERE (condition)`, or nothing. */
export const whereSql = ({ where }: IndexPlan): string => (where === undefined ? '' : ` WHERE (${where})`);
