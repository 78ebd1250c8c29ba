import type { ComparedFigure, QueryComparison, ShapeStep, TwinComparison } from '#analysis/twin/compare-twin.ts';
import { mostOff } from '#analysis/twin/compare-twin.ts';
import { formatCount, formatRatio, formatShort } from '#model/format/format.ts';
import { heads, type NotedTable, numbers, type PanelCell, remarks, words } from '../shared/panel-table.ts';

/** The factor of a figure. A figure that neither side has is no figure. */
const offText = ({ off }: ComparedFigure): string => formatRatio(off);

/** The original's figure, the twin's, and the factor between them. */
const cellsOf = (figure: ComparedFigure | null, format: typeof formatCount): readonly PanelCell[] =>
  figure === null ? ['', '', ''] : [format(rounded(figure.original)), format(rounded(figure.twin)), offText(figure)];

const rounded = (figure: number | null): number | null =>
  figure === null ? null : figure < 10 ? Number(figure.toFixed(1)) : Math.round(figure);

const shapeWords = { true: 'same', false: 'another' } as const;

/** Rows and plans of the queries of a comparison with a twin. */
export function twinQueryTable({ queries }: TwinComparison): NotedTable {
  return {
    columns: [
      ...heads('Query'),
      ...numbers('Expected rows', 'Twin', 'Off', 'Rows', 'Twin', 'Off'),
      ...words('Plan'),
      ...remarks('Remark'),
    ],
    rows: queries.map((query) => ({
      cells: [
        query.name,
        ...cellsOf(query.estimated, formatCount),
        ...cellsOf(query.rows, formatCount),
        query.sameShape === null ? '' : shapeWords[`${query.sameShape}`],
        query.notes.join(' '),
      ],
    })),
    note: 'Off: the larger figure over the smaller one. Plan: operators, tables and indexes of all steps, compared where both sides have one engine.',
  };
}

/** The statistics of the columns of a comparison with a twin. */
export function twinColumnTable({ columns }: TwinComparison): NotedTable {
  const length = (figure: number | null | undefined) => formatShort(figure);
  return {
    columns: [
      ...heads('Column'),
      ...numbers('Different', 'Twin', 'Off', 'Most frequent', 'Twin', 'Off', 'Nulls', 'Twin', 'Off'),
      ...numbers('Length', 'Twin', 'Off'),
      ...words('Original'),
    ],
    rows: columns.map((one) => ({
      cells: [
        `${one.table}.${one.column}`,
        ...cellsOf(one.different, formatCount),
        ...cellsOf(one.most, formatCount),
        ...cellsOf(one.nulls, formatCount),
        ...cellsOf(one.meanLength, length),
        one.from,
      ],
    })),
    note: 'Different: number of different values. Most frequent: rows of the most frequent value. Length: mean of texts; counted in characters, and in bytes in statistics. The twin is counted.',
  };
}

/** The most frequent value of a column with fewer rows than this is no frequent one. */
const leastRows = 20;

/** How many figures are right, in sentences. A part without a known figure has none. */
export function twinVerdictText({ tables, columns, queries }: TwinComparison): string {
  const within = (figures: readonly (ComparedFigure | null)[], what: string): readonly string[] => {
    const offs = figures.flatMap((figure) => figure?.off ?? []);
    if (offs.length === 0) return [];
    const right = offs.filter((off) => off <= mostOff).length;
    const worst = Math.max(...offs);
    return [`${what}: within ${mostOff}× for ${right} of ${offs.length}, the worst ${formatRatio(worst)}.`];
  };
  const shapes = queries.flatMap(({ sameShape }) => (sameShape === null ? [] : [sameShape]));
  return [
    ...within(
      queries.map(({ rows }) => rows),
      'Rows of queries',
    ),
    ...within(
      queries.map(({ estimated }) => estimated),
      'Rows that the optimizer expects',
    ),
    ...(shapes.length === 0
      ? []
      : [`Same plan shape: ${shapes.filter((same) => same).length} of ${shapes.length} queries.`]),
    ...within(
      tables.map(({ rows }) => rows),
      'Rows of tables',
    ),
    ...within(
      columns.map(({ different }) => different),
      'Different values of columns',
    ),
    ...within(
      // The rows of a rare value are a matter of chance.
      columns.map(({ most }) => ((most.original ?? 0) < leastRows ? null : most)),
      'Rows of the most frequent values',
    ),
  ].join(' ');
}

/** The plans of a query whose shapes differ, or whose engines do, a line for each step. */
export const twinPlanLines = ({ name, sameShape, originalPlan, twinPlan }: QueryComparison): readonly string[] =>
  sameShape === true || originalPlan === null || twinPlan === null
    ? []
    : [name, '  original', ...stepLines(originalPlan), '  twin', ...stepLines(twinPlan)];

const stepLines = (steps: readonly ShapeStep[]): readonly string[] =>
  steps.map(
    ({ depth, operator, table, index }) =>
      `    ${'  '.repeat(depth)}${operator}${table === null ? '' : ` on ${table}`}${index === null ? '' : ` by ${index}`}`,
  );
