import type { StatementParts } from '#engine-api/reproducer.ts';
import type { Place } from '#engines/shared/sql/statements.ts';

const mark = '\u0000';
const marked: Place = (row, column) => `${mark}${row},${column}${mark}`;

/**
 * The parts of a statement for any number of rows, from its text for two rows. Null where the text for three rows does
 * not have the same parts.
 */
export function statementParts(sql: (rows: number, place: Place) => string): StatementParts | null {
  const parts = partsOf(sql(2, marked));
  if (parts === null || textOf(parts, 3, marked) !== sql(3, marked)) return null;
  return parts;
}

/** The parts of a statement of one row. */
export function singleParts(sql: (rows: number, place: Place) => string): StatementParts {
  const pieces = sql(1, marked).split(mark);
  const texts = pieces.filter((_, i) => i % 2 === 0);
  const columns = pieces.filter((_, i) => i % 2 === 1).map((place) => Number(place.split(',')[1]));
  return {
    first: texts[0]!,
    between: texts.slice(1, -1),
    next: '',
    last: texts.length > 1 ? texts.at(-1)! : '',
    columns,
  };
}

function partsOf(text: string): StatementParts | null {
  const pieces = text.split(mark);
  const texts = pieces.filter((_, i) => i % 2 === 0);
  const places = pieces.filter((_, i) => i % 2 === 1).map((place) => place.split(',').map(Number));
  const width = places.filter(([row]) => row === 0).length;
  if (width === 0 || places.length !== 2 * width) return null;
  return {
    first: texts[0]!,
    between: texts.slice(1, width),
    next: texts[width]!,
    last: texts.at(-1)!,
    columns: places.slice(0, width).map(([, column]) => column!),
  };
}

/** The text of a statement with this many rows. */
export const textOf = ({ first, between, next, last, columns }: StatementParts, rows: number, place: Place): string =>
  `${first}${Array.from({ length: rows }, (_, r) =>
    columns.map((column, i) => `${i === 0 ? '' : between[i - 1]}${place(r, column)}`).join(''),
  ).join(next)}${last}`;
