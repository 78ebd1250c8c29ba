import { formatUpTo } from '../format/format.ts';
import { many } from '../format/plural.ts';
import type { RowOrder } from './row-order.ts';

/** Values in a form that does not depend on types and drivers. Each begins with a letter for its kind; null is ''. */
export type CanonicalRow = readonly string[];

/** An answer, with its rows in canonical form beside the rows as the server's values read. */
export interface CanonicalAnswer {
  readonly columns: readonly string[];
  readonly shown: readonly (readonly (string | null)[])[];
  readonly rows: readonly CanonicalRow[];
  /** True for columns whose numbers have no rounding error (integers and decimals), and for those without numbers. */
  readonly exact: readonly boolean[];
  /** The answer has more rows than these. */
  readonly hasMore: boolean;
}

/** The rows of two answers that have no equal in the other one, side by side; null: the answer has no further row. */
export interface RowPair {
  readonly baseline: readonly (string | null)[] | null;
  readonly own: readonly (string | null)[] | null;
}

/** The comparison of two answers to the same values. */
export type RowsCompared =
  | { readonly outcome: 'equal' }
  | { readonly outcome: 'cannotTell'; readonly why: string }
  | {
      readonly outcome: 'differ';
      /** The reason, as a clause: "it returned 3 rows instead of 5". */
      readonly what: string;
      readonly pairs: readonly RowPair[];
    };

/** Numbers that differ by this share are equal: a sum of floating-point numbers depends on the order of its rows. */
const equalWithin = 1e-12;
/** Numbers that differ by a share between `equalWithin` and this one may be rounding errors, or not. */
const roundingWithin = 1e-6;
const mostPairs = 5;

/**
 * Compares an answer with the baseline's. Rows are a multiset; where the baseline's text sorts them, their order counts
 * as far as the sort keys determine it. Orders, limits and functions that leave a choice to the server give *cannot
 * tell* where only that choice explains the difference.
 */
export function compareRows(
  baseline: CanonicalAnswer,
  own: CanonicalAnswer,
  order: RowOrder,
  ownOrder: RowOrder,
): RowsCompared {
  if (own.columns.length !== baseline.columns.length)
    return differ(
      `it returned ${many(own.columns.length, 'column')} instead of ${formatUpTo(baseline.columns.length)}`,
      [],
    );
  const unsettled = order.unsettled ?? ownOrder.unsettled;
  const doubt = unsettled === null ? null : cannotTell(`the rows of ${unsettled} may depend on the plan`);
  if (baseline.hasMore && own.hasMore)
    return cannotTell(`the answers have more than ${many(baseline.rows.length, 'row')}`);
  if (baseline.hasMore || own.hasMore || baseline.rows.length !== own.rows.length)
    return doubt ?? differ(countText(baseline, own), pairsOf(baseline, own, rest(baseline, own)));
  const left = rest(baseline, own);
  if (left.isNear) return cannotTell('floating-point numbers differ in their last digits');
  if (left.baseline.length > 0) {
    if (doubt !== null) return doubt;
    if ((order.groups || ownOrder.groups) && foldedText(baseline, left.baseline) === foldedText(own, left.own))
      return cannotTell('texts differ in case, accents or spaces at the end, which a collation may group as equal');
    const isLimited = order.isLimited || ownOrder.isLimited;
    const skips = order.skips || ownOrder.skips;
    if (isLimited || skips) {
      const tied = tiedAtTheCut(baseline, own, order, skips, left);
      if (tied !== null) return tied;
    }
    return differ('it returned other rows', pairsOf(baseline, own, left));
  }
  return order.keys.length === 0 ? { outcome: 'equal' } : compareOrder(baseline, own, order, doubt);
}

/** The outcome *cannot tell*, with its reason as a clause. */
export const cannotTell = (why: string): RowsCompared & { readonly outcome: 'cannotTell' } => ({
  outcome: 'cannotTell',
  why,
});
const differ = (what: string, pairs: readonly RowPair[]): RowsCompared => ({ outcome: 'differ', what, pairs });

const countText = (baseline: CanonicalAnswer, own: CanonicalAnswer): string => {
  const more = (answer: CanonicalAnswer) => (answer.hasMore ? 'more than ' : '');
  return `it returned ${more(own)}${many(own.rows.length, 'row')} instead of ${more(baseline)}${formatUpTo(baseline.rows.length)}`;
};

/** Indices of the rows that have no equal in the other answer. */
interface Rest {
  readonly baseline: readonly number[];
  readonly own: readonly number[];
  /** All of them are equal but for numbers within `roundingWithin`. */
  readonly isNear: boolean;
}

function rest(baseline: CanonicalAnswer, own: CanonicalAnswer): Rest {
  const places = new Map<string, number[]>();
  for (const [i, row] of baseline.rows.entries()) {
    const key = JSON.stringify(row);
    const known = places.get(key);
    if (known) known.push(i);
    else places.set(key, [i]);
  }
  // Equal rows are taken in their order, so that those that are left are the last ones.
  const taken = new Map<string, number>();
  const ownLeft = [...own.rows.keys()].filter((i) => {
    const key = JSON.stringify(own.rows[i]);
    const used = taken.get(key) ?? 0;
    if (used >= (places.get(key)?.length ?? 0)) return true;
    taken.set(key, used + 1);
    return false;
  });
  const left = [...places].flatMap(([key, indices]) => indices.slice(taken.get(key) ?? 0)).toSorted((a, b) => a - b);
  if (left.length !== ownLeft.length || left.length === 0) return { baseline: left, own: ownLeft, isNear: false };
  const sorted = { baseline: byKnown(left, baseline), own: byKnown(ownLeft, own) };
  const alike = sorted.baseline.map((i, n) => likenessOf(baseline, own, i, sorted.own[n]!));
  return {
    baseline: sorted.baseline.filter((_, n) => alike[n] !== 'equal').toSorted((a, b) => a - b),
    own: sorted.own.filter((_, n) => alike[n] !== 'equal').toSorted((a, b) => a - b),
    isNear: alike.includes('near') && !alike.includes('other'),
  };
}

/** Rows by their values without rounding errors first, and then by their numbers, so that equal rows get one place. */
function byKnown(rows: readonly number[], { rows: values, exact }: CanonicalAnswer): readonly number[] {
  const keyed = rows.map((i) => {
    const row = values[i]!;
    const isRounded = (value: string, c: number) => value.startsWith('n') && exact[c] !== true;
    return {
      i,
      known: JSON.stringify(row.map((value, c) => (isRounded(value, c) ? 'n' : value))),
      numbers: row.flatMap((value, c) => (isRounded(value, c) ? [Number(value.slice(1))] : [])),
    };
  });
  return keyed
    .toSorted((a, b) => {
      if (a.known !== b.known) return a.known < b.known ? -1 : 1;
      const c = a.numbers.findIndex((number, n) => number !== b.numbers[n]);
      return c === -1 ? 0 : a.numbers[c]! - b.numbers[c]!;
    })
    .map(({ i }) => i);
}

type Likeness = 'equal' | 'near' | 'other';

function likenessOf(baseline: CanonicalAnswer, own: CanonicalAnswer, i: number, j: number): Likeness {
  let worst: Likeness = 'equal';
  for (const [c, value] of baseline.rows[i]!.entries()) {
    const likeness = valuesLikeness(value, own.rows[j]![c]!, baseline.exact[c] === true && own.exact[c] === true);
    if (likeness === 'other') return 'other';
    if (likeness === 'near') worst = 'near';
  }
  return worst;
}

/** Whole numbers with more digits than a double holds may be rounded, too, but they may also be keys that differ. */
const isWhole = (value: string): boolean => /^n-?\d{1,15}$/.test(value);
const isLongWhole = (value: string): boolean => /^n-?\d{16,}$/.test(value);

function valuesLikeness(a: string, b: string, isExact: boolean): Likeness {
  if (a === b) return 'equal';
  if (isExact || !a.startsWith('n') || !b.startsWith('n') || (isWhole(a) && isWhole(b))) return 'other';
  const [x, y] = [Number(a.slice(1)), Number(b.slice(1))];
  const apart = Math.abs(x - y) / Math.max(Math.abs(x), Math.abs(y));
  if (apart <= equalWithin && isLongWhole(a) && isLongWhole(b)) return 'near';
  return apart <= equalWithin ? 'equal' : apart <= roundingWithin ? 'near' : 'other';
}

/** The columns of the first sort keys, up to one that the answer does not have. */
export function keyColumns({ columns }: Pick<CanonicalAnswer, 'columns'>, { keys }: RowOrder): readonly number[] {
  const found: number[] = [];
  for (const key of keys) {
    const named = columns.flatMap((name, c) => (name.toLowerCase() === key ? [c] : []));
    const column = typeof key === 'number' ? key - 1 : named.length === 1 ? named[0]! : -1;
    if (column < 0 || column >= columns.length) break;
    found.push(column);
  }
  return found;
}

/** A collation may take two texts as one sort key: upper and lower case, accents, spaces at the end. */
export const folded = (value: string): string =>
  value.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().trimEnd();

/** These rows as one text, without the differences that a collation may ignore. */
const foldedText = ({ rows }: CanonicalAnswer, of: readonly number[]): string =>
  of
    .map((i) => JSON.stringify(rows[i]!.map(folded)))
    .toSorted()
    .join();

const keyOf = (row: CanonicalRow, columns: readonly number[]): string =>
  JSON.stringify(columns.map((c) => folded(row[c]!)));

/** The first place where the sort keys of the answers differ; −1: nowhere. */
const firstOtherKey = (baseline: CanonicalAnswer, own: CanonicalAnswer, columns: readonly number[]): number =>
  baseline.rows.findIndex((row, i) => {
    const other = own.rows[i]!;
    if (keyOf(row, columns) === keyOf(other, columns)) return false;
    return columns.some(
      (c) =>
        folded(row[c]!) !== folded(other[c]!) &&
        valuesLikeness(row[c]!, other[c]!, baseline.exact[c] === true && own.exact[c] === true) === 'other',
    );
  });

/** The rows are the same: their order counts as far as the sort keys determine it. */
function compareOrder(
  baseline: CanonicalAnswer,
  own: CanonicalAnswer,
  order: RowOrder,
  doubt: RowsCompared | null,
): RowsCompared {
  const at = baseline.rows.findIndex((_, i) => likenessOf(baseline, own, i, i) === 'other');
  if (at === -1) return { outcome: 'equal' };
  const columns = keyColumns(baseline, order);
  const other = firstOtherKey(baseline, own, columns);
  if (other !== -1)
    return (
      doubt ??
      differ(
        'it returned the rows in another order',
        baseline.rows
          .slice(other, other + mostPairs)
          .map((_, n) => ({ baseline: baseline.shown[other + n]!, own: own.shown[other + n]! })),
      )
    );
  return columns.length === order.keys.length
    ? { outcome: 'equal' }
    : cannotTell('the rows come in another order, and the answer has not all of the columns of ORDER BY');
}

/**
 * *cannot tell* where the rows that differ are among those that tie for the last place of a limited answer (or for the
 * first, behind an OFFSET): the server chooses. Null: ties do not explain the difference.
 */
function tiedAtTheCut(
  baseline: CanonicalAnswer,
  own: CanonicalAnswer,
  order: RowOrder,
  skips: boolean,
  left: Rest,
): RowsCompared | null {
  const columns = keyColumns(baseline, order);
  if (order.keys.length === 0) return cannotTell('LIMIT without an ORDER BY leaves the choice of rows to the server');
  if (firstOtherKey(baseline, own, columns) !== -1) return null;
  const last = baseline.rows.length - 1;
  const free = [last, ...(skips ? [0] : [])].map((i) => keyOf(baseline.rows[i]!, columns));
  const isFree = (row: CanonicalRow) => free.includes(keyOf(row, columns));
  return left.baseline.every((i) => isFree(baseline.rows[i]!)) && left.own.every((i) => isFree(own.rows[i]!))
    ? cannotTell('rows tie for the last place of LIMIT, because ORDER BY does not name a unique column')
    : null;
}

const pairsOf = (baseline: CanonicalAnswer, own: CanonicalAnswer, left: Rest): readonly RowPair[] =>
  Array.from({ length: Math.min(mostPairs, Math.max(left.baseline.length, left.own.length)) }, (_, n) => {
    const [i, j] = [left.baseline[n], left.own[n]];
    return {
      baseline: i === undefined ? null : baseline.shown[i]!,
      own: j === undefined ? null : own.shown[j]!,
    };
  });
