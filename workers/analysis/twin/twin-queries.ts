import type { ColumnStatistics, StatisticsValue, TableFacts } from '#engine-api/table-facts.ts';
import type { QueriedColumn } from '#engine-api/table-queries.ts';
import type { MappedColumn, MappedTable, TwinWithValues } from '#experiment/import-tables/twin.ts';
import type { PlansByName } from '#model/dataset/dataset.ts';
import type { AskedCondition, AskedRowQuery } from '#protocol/table-figures.ts';

/** A query for rows of the original, and the same one for rows of its twin. */
export interface TwinQuery {
  /** A description without values: `orders.status: the most frequent value`. */
  readonly name: string;
  readonly original: AskedRowQuery;
  readonly twin: AskedRowQuery;
}

/** The most queries of a comparison. */
const mostQueries = 10;

interface Conditions {
  readonly original: readonly AskedCondition[];
  readonly twin: readonly AskedCondition[];
}

/** A condition on columns of one table, in words, and on both sides. */
interface Worded extends Conditions {
  readonly words: string;
}

/** A table on both sides, with the columns that the twin has. */
export interface ComparedTable {
  readonly facts: TableFacts;
  readonly mapped: MappedTable;
  readonly columns: readonly ComparedColumn[];
}

/** A column on both sides. */
interface ComparedColumn {
  readonly mapped: MappedColumn;
  readonly original: QueriedColumn;
  readonly twin: QueriedColumn;
  readonly statistics: ColumnStatistics | null;
}

/** The columns of the tables of a twin on both sides. `plans`: the twin's tables by their names. */
export const comparedTables = ({ twin, facts }: TwinWithValues, plans: PlansByName): readonly ComparedTable[] =>
  twin.mapping.map((mapped, t) => ({
    ...{ mapped, facts: facts[t]! },
    columns: mapped.columns.flatMap((column, c): ComparedColumn[] => {
      const plan = plans[mapped.name];
      const own = plan?.columns.find(({ name }) => name === column.name);
      if (column.as === null || !own) return [];
      const isText = column.as.as === 'text' || ['text', 'code', 'words', 'oneOf'].includes(String(column.as.type));
      const isKey = plan!.key !== null && plan!.columns[plan!.key] === own;
      return [
        {
          mapped: column,
          original: { name: column.column, ...(isText && { isText }) },
          twin: { name: column.name, type: own.type, ...(isKey && { isKey }), ...(isText && { isText }) },
          statistics: facts[t]!.columns[c]!.statistics,
        },
      ];
    }),
  }));

/** The kinds of queries, the most telling first. Each makes all of its queries for a table. */
const kinds: readonly ((
  side: ComparedTable,
  made: TwinWithValues,
  all: readonly ComparedTable[],
) => readonly TwinQuery[])[] = [
  (side, made, all) => joins(side, made, all),
  (side, made) => alone(side, (column) => frequent(column, side, made)),
  (side, made) => alone(side, (column) => range(column, side, made, 0.9, null, 'the top tenth')),
  (side, made) => known(side, made),
  (side, made) => pairs(side, made),
  (side, made) => alone(side, (column) => rare(column, side, made)),
  (side) => alone(side, isNull),
  (side, made) => alone(side, (column) => range(column, side, made, 0.4, 0.5, 'a tenth in the middle')),
];

/**
 * Up to ten queries about the tables of a twin: joins along foreign keys, frequent and rare values, ranges between
 * bounds of histograms, pairs of columns, nulls. Columns with an index and large tables come first. The values are
 * those of the original's statistics; values of the twin that its columns do not tell are those of the same rank. Pure.
 */
export function twinQueries(made: TwinWithValues, all: readonly ComparedTable[]): readonly TwinQuery[] {
  const sides = all.toSorted((a, b) => b.facts.rows - a.facts.rows);
  const lists = kinds.map((kind) => {
    const ofTables = sides.map((side) => kind(side, made, all));
    const most = Math.max(0, ...ofTables.map(({ length }) => length));
    return Array.from({ length: most }, (_, i) => ofTables.flatMap((own) => own[i] ?? [])).flat();
  });
  const found: TwinQuery[] = [];
  for (let i = 0; found.length < mostQueries && lists.some((list) => i < list.length); i++)
    for (const list of lists) {
      const one = list[i];
      if (one && found.length < mostQueries && !found.some(({ name }) => name === one.name)) found.push(one);
    }
  return found;
}

/** The queries with a condition on one column, those with an index first. */
function alone(side: ComparedTable, condition: (column: ComparedColumn) => Worded | null): readonly TwinQuery[] {
  return byIndex(side).flatMap((column) => {
    const found = condition(column);
    return found === null ? [] : [queryOf(side, found)];
  });
}

const originalOf = ({ facts: { schema, name } }: ComparedTable) => ({ schema, name });

const queryOf = (side: ComparedTable, { words, original, twin }: Worded): TwinQuery => ({
  name: `${side.mapped.table}: ${words}`,
  original: { table: originalOf(side), where: original },
  twin: { table: { placeholder: side.mapped.name }, where: twin },
});

/** Columns that begin an index come first, and the key last. */
function byIndex({ facts, columns }: ComparedTable): readonly ComparedColumn[] {
  const weight = ({ original: { name } }: ComparedColumn) =>
    facts.key[0] === name
      ? 2
      : facts.indexes.some(({ parts: [first] }) => first && 'column' in first && first.column === name)
        ? 0
        : 1;
  return columns.toSorted((a, b) => weight(a) - weight(b));
}

const isTime = ({ mapped: { as } }: ComparedColumn): boolean =>
  as?.type === 'timestamp' || as?.as === 'timestamp' || as?.as === 'date';

/** The value that both sides have in the place of one of the statistics. Null: the twin does not tell its own. */
function valuesOf(
  column: ComparedColumn,
  { facts }: ComparedTable,
  made: TwinWithValues,
  value: StatisticsValue,
): { readonly original: StatisticsValue; readonly twin: StatisticsValue } | null {
  const { as } = column.mapped;
  const own = as?.type === 'boolean' || as?.type === 'oneOf' ? value : made.valueOf(facts, column.original.name, value);
  if (own === undefined) return null;
  // Statistics of some servers are texts, which is what a number is compared as.
  return { original: typeof own === 'number' && !isTime(column) ? Number(value) : value, twin: own };
}

/** A value with fewer rows than this, on either side, is there or not by chance. */
const leastRows = 5;

/** A value by its place in the statistics, or by its rank where the twin has other values. */
function listed(
  column: ComparedColumn,
  side: ComparedTable,
  made: TwinWithValues,
  place: number,
  words: string,
): Worded | null {
  const { rows } = side.facts;
  const least = leastRows / Math.min(1, side.mapped.twinRows / Math.max(1, rows));
  const common = (column.statistics?.common ?? []).filter(({ share }) => share * rows >= least);
  const found = common.at(place);
  if (found === undefined || common.length < 2) return null;
  const rank = place < 0 ? common.length + 1 + place : place + 1;
  const both = valuesOf(column, side, made, found.value);
  const isReference = column.mapped.as?.type === 'reference';
  if (both === null && !isReference) return null;
  const isNumber = side.facts.columns.some(
    ({ name, type }) => name === column.original.name && /int|num|dec/.test(type),
  );
  const value = both?.original ?? (isNumber ? Number(found.value) : found.value);
  const condition = { operator: 'is', isTime: isTime(column) } as const;
  return {
    words: `${column.original.name}, ${words}`,
    original: [{ ...condition, column: column.original, value }],
    twin: [{ ...condition, column: column.twin, value: both?.twin ?? { rank } }],
  };
}

const frequent = (column: ComparedColumn, side: ComparedTable, made: TwinWithValues) =>
  listed(column, side, made, 0, 'the most frequent value');
const rare = (column: ComparedColumn, side: ComparedTable, made: TwinWithValues) =>
  listed(column, side, made, -1, 'the rarest listed value');

/** Rows between two quantiles of a histogram. Null for `to`: up to the end. */
function range(
  column: ComparedColumn,
  side: ComparedTable,
  made: TwinWithValues,
  from: number,
  to: number | null,
  words: string,
): Worded | null {
  const bounds = column.statistics?.bounds ?? [];
  if (bounds.length < 11 || column.original.isText === true) return null;
  const at = (share: number) => valuesOf(column, side, made, bounds[Math.floor(share * (bounds.length - 1))]!);
  const [low, high] = [at(from), to === null ? null : at(to)];
  if (low === null || (to !== null && (high === null || low.original === high.original))) return null;
  const conditions = (of: 'original' | 'twin'): readonly AskedCondition[] => [
    { column: column[of], operator: 'atLeast', value: low[of], isTime: isTime(column) },
    ...(high === null
      ? []
      : [{ column: column[of], operator: 'below', value: high[of], isTime: isTime(column) } as const]),
  ];
  return { words: `${column.original.name}, ${words}`, original: conditions('original'), twin: conditions('twin') };
}

/** Shares of nulls outside of these limits say little. */
const [leastNulls, mostNulls] = [0.005, 0.995];

function isNull(column: ComparedColumn): Worded | null {
  const share = column.statistics?.nullShare ?? 0;
  if (share < leastNulls || share > mostNulls) return null;
  const condition = { operator: 'isNull', value: null, isTime: false } as const;
  return {
    words: `${column.original.name}, null`,
    original: [{ ...condition, column: column.original }],
    twin: [{ ...condition, column: column.twin }],
  };
}

const both = (a: Worded, b: Worded): Worded => ({
  words: `${a.words}, and ${b.words}`,
  original: [...a.original, ...b.original],
  twin: [...a.twin, ...b.twin],
});

/** Conditions on columns that the server knows to depend on each other. */
function known(side: ComparedTable, made: TwinWithValues): readonly TwinQuery[] {
  const joint = side.facts.joint.flatMap(({ columns, common: [first] }) => {
    const conditions = columns.map((name, i) => {
      const column = side.columns.find(({ original }) => original.name === name);
      const value = first?.values[i];
      const found = column && value !== undefined && value !== null ? valuesOf(column, side, made, value) : null;
      if (!column || found === null) return null;
      const condition = { operator: 'is', isTime: isTime(column) } as const;
      return {
        words: name,
        original: [{ ...condition, column: column.original, value: found.original }],
        twin: [{ ...condition, column: column.twin, value: found.twin }],
      };
    });
    if (conditions.length < 2 || conditions.includes(null)) return [];
    const words = `the most frequent ${columns.join(' and ')} together`;
    return [{ ...(conditions as readonly Worded[]).reduce(both), words }];
  });
  return joint.map((one) => queryOf(side, one));
}

/** Conditions on two columns of a table, whatever the server knows of them together. */
function pairs(side: ComparedTable, made: TwinWithValues): readonly TwinQuery[] {
  const single = byIndex(side).flatMap((column) => frequent(column, side, made) ?? []);
  const ranges = byIndex(side).flatMap((column) => range(column, side, made, 0.5, null, 'the upper half') ?? []);
  const others = [
    ...(single.length > 1 ? [both(single[0]!, single[1]!)] : []),
    ...single.slice(0, 1).flatMap((one) =>
      ranges
        .filter((other) => other.original[0]!.column.name !== one.original[0]!.column.name)
        .slice(0, 1)
        .map((other) => both(one, other)),
    ),
  ];
  return others.map((one) => queryOf(side, one));
}

/** Joins along the foreign keys, with a condition on the other table, or on this one. */
function joins(side: ComparedTable, made: TwinWithValues, all: readonly ComparedTable[]): readonly TwinQuery[] {
  return side.facts.foreignKeys.flatMap(({ columns: [name = '', ...more], schema, table, referred }): TwinQuery[] => {
    const other =
      all.find(({ facts }) => facts.name === table && facts.schema === schema) ??
      all.find(({ facts }) => facts.name === table);
    const column = side.columns.find(({ original }) => original.name === name);
    const key = other?.columns.find(({ original }) => original.name === (referred[0] ?? other.facts.key[0]));
    // Dyno's tables refer to keys of one column.
    if (more.length > 0 || !other || !column || !key || column.mapped.as?.type !== 'reference') return [];
    const first = <T>(of: ComparedTable, condition: (column: ComparedColumn) => T | null): T | null =>
      byIndex(of).reduce<T | null>((found, one) => found ?? condition(one), null);
    const theirs = first(other, (one) => (one === key ? null : frequent(one, other, made)));
    const theirRange =
      theirs ?? first(other, (one) => (one === key ? null : range(one, other, made, 0.9, null, 'the top tenth')));
    const own = theirRange
      ? null
      : first(side, (one) => (one === column ? null : range(one, side, made, 0.9, null, 'the top tenth')));
    const words = theirRange ? `${other.mapped.table}.${theirRange.words}` : (own?.words ?? 'all rows');
    const query = (of: 'original' | 'twin'): AskedRowQuery => ({
      table: of === 'original' ? originalOf(side) : { placeholder: side.mapped.name },
      where: own?.[of] ?? [],
      joined: {
        table: of === 'original' ? originalOf(other) : { placeholder: other.mapped.name },
        on: [{ column: column[of], other: key[of] }],
        where: theirRange?.[of] ?? [],
      },
    });
    return [
      {
        name: `${side.mapped.table} with ${other.mapped.table}: ${words}`,
        original: query('original'),
        twin: query('twin'),
      },
    ];
  });
}
