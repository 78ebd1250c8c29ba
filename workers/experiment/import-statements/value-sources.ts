import type { KeptStatement } from '#engine-api/kept-statements.ts';
import type { StatementLanguage } from '#model/statements/statement-text.ts';
import { madeUpSource, shownSource } from './shown-values.ts';
import type { KnownUse } from './uses-in-text.ts';

/** The source of a parameter's values, as a file writes it. */
type Source = Readonly<Record<string, unknown>>;

/** The first rows of a table whose values the parameters draw. */
const mostRows = 10_000;
const mostDistance = 1_000;

const orders = ['second', 'third', 'fourth', 'fifth'];

/**
 * The sources of a statement's parameters. Values come from rows that the tables have: parameters on one table take
 * theirs from one row, and a column that several parameters use takes each from another row. The two bounds of a range
 * are as far apart as the rows that a call returned. Values that a log has shown come first where they were kept, and
 * without a catalog are made up by their kinds. Null: some values are unknown. Pure.
 */
export function valueSources(
  uses: readonly KnownUse[],
  { rowsPerCall, values }: Pick<KeptStatement, 'rowsPerCall' | 'values'>,
  language: StatementLanguage,
  hasCatalog = true,
): Readonly<Record<string, Source>> | null {
  const sources: Record<string, Source> = {};
  const rows = Math.max(1, Math.round(rowsPerCall ?? 10));
  const limit = limitOf(rowsPerCall ?? 20);
  const shown = new Map<KnownUse, Source>();
  for (const [i, use] of uses.entries()) {
    const seen = values?.[i];
    const isNumber = use.kind === 'limit' || use.kind === 'offset' || use.kind === 'count';
    // A text that is no column's value is a name of the language, such as 'month': no made-up one takes its place.
    const isMadeUp = use.kind === 'unknown' ? seen?.kind !== 'text' : !hasCatalog && !isNumber;
    const source = seen && (shownSource(seen) ?? (isMadeUp ? madeUpSource(seen) : null));
    if (source) shown.set(use, source);
  }
  for (const [{ parameter }, source] of shown) sources[parameter] = source;
  const unshown = uses.filter((use) => !shown.has(use));
  if (!hasCatalog && unshown.some(({ kind }) => kind === 'values' || kind === 'insert')) return null;
  const drawn = unshown.filter(
    ({ kind, table, column }) => (kind === 'values' || kind === 'insert') && table && column,
  );
  const isRange = (use: KnownUse) =>
    use.bound !== null &&
    drawn.some((one) => one.table === use.table && one.column === use.column && one.bound === other[use.bound!]);
  for (const use of unshown) {
    const { parameter, kind } = use;
    if (kind === 'unknown') return null;
    if (kind === 'limit') sources[parameter] = { type: 'integer', min: limit, max: limit };
    else if (kind === 'offset') sources[parameter] = { type: 'integer', min: 0, max: 100 };
    else if (kind === 'count') sources[parameter] = { type: 'integer', min: 1, max: 10 };
  }
  for (const table of new Set(drawn.map((use) => use.table!))) {
    const own = drawn.filter((use) => use.table === table);
    const plain = own.filter((use) => !isRange(use));
    const columns = [...new Set(plain.map((use) => use.column!))];
    const times = new Map<string, number>();
    for (const { parameter, column } of plain) {
      const time = times.get(column!) ?? 0;
      times.set(column!, time + 1);
      sources[parameter] = {
        type: 'query',
        text: firstRows(table, columns, language),
        ...((columns.length > 1 || language.language === 'json') && { column: resultName(column!) }),
        ...(time > 0 && { row: orders[time - 1] ?? `row ${time + 1}` }),
      };
    }
    for (const { parameter, column, bound } of own.filter(isRange))
      sources[parameter] = {
        type: 'query',
        text: ranges(table, column!, Math.min(rows > 1 ? rows : 10, mostDistance), language),
        column: bound,
      };
  }
  return sources;
}

/** A limit that the mean number of rows shows: calls that return fewer rows than it make the mean a fraction. */
const limitOf = (rowsPerCall: number): number =>
  Number.isInteger(rowsPerCall) && rowsPerCall > 0
    ? rowsPerCall
    : (usualLimits.find((limit) => limit >= rowsPerCall) ?? Math.ceil(rowsPerCall));

const usualLimits = [10, 20, 50, 100, 200, 500, 1_000];

const other = { low: 'high', high: 'low' } as const;

/** The name of a column in a query's result: without quotes, and with the last part of a path alone. */
const resultName = (column: string): string => column.replaceAll(/["`[\]]/g, '').replaceAll('.', '_');

function firstRows(table: string, columns: readonly string[], language: StatementLanguage): string {
  if (language.language === 'json') {
    const isPlain = columns.every((column) => !column.includes('.'));
    const fields = Object.fromEntries(columns.map((column) => [resultName(column), isPlain ? 1 : `$${column}`]));
    const projection = { ...(!('_id' in fields) && { _id: 0 }), ...fields };
    return JSON.stringify(
      isPlain
        ? { find: table, projection, limit: mostRows }
        : { aggregate: table, pipeline: [{ $limit: mostRows }, { $project: projection }], cursor: {} },
    );
  }
  return (language.firstRows ?? 'SELECT {columns} FROM {table}')
    .replace('{rows}', String(mostRows))
    .replace('{columns}', () => columns.join(', '))
    .replace('{table}', () => table);
}

/**
 * Pairs of two values of a column, with so many rows between them. The ranges at the end have fewer rows: they end with
 * the largest value.
 */
function ranges(table: string, column: string, distance: number, language: StatementLanguage): string {
  if (language.language === 'json') {
    const [value, all] = [`$${column}`, { documents: ['unbounded', 'unbounded'] }];
    const output = { next: { $shift: { output: value, by: distance } }, most: { $max: value, window: all } };
    return JSON.stringify({
      aggregate: table,
      pipeline: [
        { $limit: mostRows },
        { $match: { [column]: { $ne: null } } },
        { $setWindowFields: { sortBy: { [column]: 1 }, output } },
        { $project: { _id: 0, low: value, high: { $ifNull: ['$next', '$most'] } } },
      ],
      cursor: {},
    });
  }
  const rows = `(${firstRows(table, [column], language)}) some_rows WHERE ${column} IS NOT NULL`;
  return `SELECT ${column} AS low, COALESCE(LEAD(${column}, ${distance}) OVER (ORDER BY ${column}), MAX(${column}) OVER ()) AS high FROM ${rows}`;
}
