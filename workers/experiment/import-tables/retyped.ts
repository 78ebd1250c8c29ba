import type { TableFacts } from '#engine-api/table-facts.ts';

/** The types that a column of a server can have in an experiment, in the place of its own. */
export const columnChoices = ['integer', 'decimal', 'text', 'time', 'boolean', 'leftOut'] as const;
/** One of {@link columnChoices}. */
export type ColumnChoice = (typeof columnChoices)[number];

/** Choices by the names of tables and columns at the server, as {@link choiceKey} writes them. */
export type ColumnChoices = Readonly<Record<string, ColumnChoice>>;

/** The place of a column among choices. */
export const choiceKey = ({ schema, name }: Pick<TableFacts, 'schema' | 'name'>, column: string): string =>
  JSON.stringify([schema, name, column]);

/** SQL types by which a definition is read. */
const types: Readonly<Record<Exclude<ColumnChoice, 'leftOut'>, string>> = {
  integer: 'bigint',
  decimal: 'numeric',
  text: 'varchar',
  time: 'timestamp',
  boolean: 'boolean',
};

/** The columns of which a table consists: a key, the columns of a reference, and those to which others refer. */
export const fixedColumns = (table: TableFacts, all: readonly TableFacts[]): ReadonlySet<string> =>
  new Set([
    ...table.key,
    ...table.foreignKeys.flatMap(({ columns }) => columns),
    ...all.flatMap(({ foreignKeys }) =>
      foreignKeys.flatMap((one) => (one.table === table.name && one.schema === table.schema ? one.referred : [])),
    ),
  ]);

/**
 * The facts with other types in the place of those of the server. Statistics stay: values that the type does not have
 * are dropped. Indexes and statistics of a column that is left out go with it. A fixed column stays as it is. Pure.
 */
export const retyped = (all: readonly TableFacts[], choices: ColumnChoices): readonly TableFacts[] =>
  all.map((table) => {
    const fixed = fixedColumns(table, all);
    const choiceOf = (column: string) => (fixed.has(column) ? undefined : choices[choiceKey(table, column)]);
    const isLeft = (column: string) => choiceOf(column) === 'leftOut';
    return {
      ...table,
      columns: table.columns.flatMap((column) => {
        const choice = choiceOf(column.name);
        if (choice === 'leftOut') return [];
        if (choice === undefined) return [column];
        return [{ ...column, type: types[choice], args: [], labels: null, isArray: false, isComputed: false }];
      }),
      indexes: table.indexes.filter(
        ({ parts, include }) => !include.some(isLeft) && !parts.some((part) => 'column' in part && isLeft(part.column)),
      ),
      joint: table.joint.filter(({ columns }) => !columns.some(isLeft)),
      collected: (table.collected ?? []).filter(({ columns }) => !columns.some(isLeft)),
    };
  });

/** Bytes of a value whose length the server does not tell. */
const usualBytes = 8;

/** The bytes of a table's rows, from the mean lengths that the server knows; indexes and pages come on top. */
export const rowBytes = ({ columns }: TableFacts): number =>
  columns.reduce((sum, { statistics }) => sum + (statistics?.meanBytes ?? usualBytes), 0);
