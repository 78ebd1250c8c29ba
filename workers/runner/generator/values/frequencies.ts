import type { FrequencySpec } from '#model/dataset/column-specs.ts';
import { dayUs, frequentNumber } from '#model/dataset/frequent-number.ts';
import { usualLongest } from '#model/dataset/text-size.ts';
import { fnv1a } from '#model/text/fnv1a.ts';
import { type Stream, stream, toUnit } from '#stats/random/random.ts';
import { firstWord, furtherWord, mix, secondWord } from '../hash.ts';
import { allocate, viewOf } from '../memory.ts';
import { createPermutation } from '../permutation.ts';
import { type Rows, rowAt } from '../rows.ts';
import { type MakeVariable, slack } from '../value-bytes.ts';
import { poolOf } from './pool.ts';
import { placesIn } from './row-order.ts';

/**
 * Values by frequency. A row has a place in [0, 1). The listed values divide this range by their shares; numbers are in
 * the order of their values, so that a place that follows the rows makes values that follow the rows. The rest of the
 * range is for values that are not listed: a histogram of numbers, or made-up texts. Columns that draw together first
 * choose one of their common entries by a place that they share.
 */

/** The result of a draw: a listed value by its index, or a place in [0, 1) among the values that are not listed. */
interface Draw {
  /** Index in the list of the column; −1: the value is not listed. */
  listed: number;
  place: number;
}

type DrawRow = (row: number, key: Stream, to: Draw) => void;

const sharedLane = 600;
const togetherWord = 11;

/**
 * Draws for each row. `order`: the indexes of the list in the order of its values. `below`: the share of the values
 * that are not listed and lie below a listed value. `hasRest`: values that are not listed exist.
 */
function drawOf(
  { shares = [], rowOrder, row: group, jointly = shares.length, together = 0 }: FrequencySpec,
  rows: number,
  order: readonly number[],
  below: (index: number) => number,
  hasRest: boolean,
): DrawRow {
  const joint = group === undefined ? 0 : Math.min(jointly, shares.length);
  const alone = order.filter((index) => index >= joint);
  const restExists = hasRest || alone.length > 0;
  const sums = cumulated(shares.slice(0, joint), restExists);
  const jointShare = sums.at(-1) ?? 0;
  const own = rangesOf(
    alone.map((index) => shares[index]! / Math.max(1 - jointShare, Number.EPSILON)),
    alone.map(below),
    hasRest,
  );
  const placed = placesIn(rows, group === undefined ? rowOrder : 0);
  const placeAt = (key: Stream, row: number) => {
    const first = firstWord(key, row);
    return placed(row, first, secondWord(key, row, first));
  };
  const drawAlone = (place: number, to: Draw) => {
    drawAt(own, place, to);
    if (to.listed >= 0) to.listed = alone[to.listed]!;
  };
  if (group === undefined) return (row, key, to) => drawAlone(placeAt(key, row), to);
  const shared = stream(Number.parseInt(fnv1a(group), 16), sharedLane);
  return (row, key, to) => {
    const first = firstWord(shared, row);
    const second = secondWord(shared, row, first);
    const place = toUnit(first, second);
    if (place < jointShare) {
      to.listed = firstAbove(sums, place);
      return;
    }
    const isTogether = toUnit(furtherWord(first, second, togetherWord), first) < together;
    drawAlone(isTogether ? (place - jointShare) / (1 - jointShare) : placeAt(key, row), to);
  };
}

const sumOf = (list: readonly number[]): number => list.reduce((sum, share) => sum + share, 0);

/** The factor of shares that fill the whole range, or leave a rest of it. */
function scaleOf(shares: readonly number[], leavesRest: boolean): number {
  const total = sumOf(shares);
  return total > 1 || !leavesRest ? 1 / total : 1;
}

/** The sum of the shares up to each one, inclusive. */
function cumulated(shares: readonly number[], leavesRest: boolean): Float64Array {
  const scale = scaleOf(shares, leavesRest);
  let sum = 0;
  return Float64Array.from(shares, (share) => {
    sum += share * scale;
    return sum;
  });
}

/** Index of the first of ascending sums that is above a place. */
function firstAbove(sums: Float64Array, place: number): number {
  let [low, high] = [0, sums.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sums[middle]! > place) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The ranges of listed values: their starts ascend. */
interface Ranges {
  readonly starts: Float64Array;
  readonly ends: Float64Array;
  /** Width of all ranges up to each one, inclusive. */
  readonly widths: Float64Array;
  readonly rest: number;
}

function rangesOf(shares: readonly number[], before: readonly number[], hasRest: boolean): Ranges {
  const scale = scaleOf(shares, hasRest);
  const rest = hasRest ? Math.max(0, 1 - sumOf(shares)) : 0;
  const starts = new Float64Array(shares.length);
  const ends = new Float64Array(shares.length);
  const widths = new Float64Array(shares.length);
  let sum = 0;
  for (const [i, share] of shares.entries()) {
    starts[i] = sum + rest * before[i]!;
    sum += share * scale;
    ends[i] = starts[i]! + share * scale;
    widths[i] = sum;
  }
  return { starts, ends, widths, rest };
}

function drawAt({ starts, ends, widths, rest }: Ranges, place: number, to: Draw): void {
  let [low, high] = [-1, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= place) low = middle;
    else high = middle - 1;
  }
  if (low >= 0 && (place < ends[low]! || rest === 0)) {
    to.listed = low;
    return;
  }
  to.listed = -1;
  to.place = Math.min(Math.max((place - (low < 0 ? 0 : widths[low]!)) / rest, 0), 1 - Number.EPSILON);
}

/** The position of a value that is not listed, 0 … distinct − 1. Where `distinct` values suffice, none repeats. */
type Position = (row: number, place: number) => number;

function positionsOf(distinct: number, rows: number, rowOrder: number, isMixed: boolean): Position {
  if (distinct < rows || rows <= 1 || isMixed) return (_row, place) => Math.floor(place * distinct);
  const step = distinct / rows;
  if (rowOrder > 0) return (row) => Math.floor((row % rows) * step);
  const order = createPermutation(rows, distinct, 0);
  return (row) => Math.floor(order(row % rows) * step);
}

/** Up to this number, the values that are not listed are listed in memory, and no two are equal if there is room. */
const mostInMemory = 65_536;

/** Makes the numbers of a column. `rows`: the number of rows of the table. */
export function frequentNumbers(spec: FrequencySpec, rows: number): (row: number, key: Stream) => number {
  const step = spec.as === 'date' ? dayUs : 1;
  const numberOf = (value: string | number) => frequentNumber(spec, value) ?? 0;
  const bounds = spec.bounds?.map(numberOf) ?? [];
  const values = (spec.values ?? []).map(numberOf);
  const order = values.map((_, i) => i).toSorted((a, b) => values[a]! - values[b]!);
  const drawRow = drawOf(spec, rows, order, (i) => shareBelow(bounds, values[i]!), bounds.length > 0);
  const rest = restOf(spec, bounds, new Set(values), step, rows);
  const draw: Draw = { listed: -1, place: 0 };
  return (row, key) => {
    drawRow(row, key, draw);
    return draw.listed >= 0 ? values[draw.listed]! : rest(row, draw.place);
  };
}

/** The share of a histogram that lies below a value. */
function shareBelow(bounds: readonly number[], value: number): number {
  const last = bounds.length - 1;
  if (last < 1 || value <= bounds[0]!) return 0;
  if (value >= bounds[last]!) return 1;
  const bucket = bounds.findLastIndex((bound) => bound <= value);
  const width = bounds[bucket + 1]! - bounds[bucket]!;
  return (bucket + (width === 0 ? 0 : (value - bounds[bucket]!) / width)) / last;
}

/** The values of the histogram: the number at a place, or at a position of `distinct` ones. */
function restOf(
  { distinct, rowOrder = 0, row: group }: FrequencySpec,
  bounds: readonly number[],
  listed: ReadonlySet<number>,
  step: number,
  rows: number,
): (row: number, place: number) => number {
  if (bounds.length === 0) return () => 0;
  const last = bounds.length - 1;
  const at = (place: number): number => {
    const position = place * last;
    const bucket = Math.min(Math.floor(position), last - 1);
    const exact = bounds[bucket]! + (position - bucket) * (bounds[bucket + 1]! - bounds[bucket]!);
    return Math.round(exact / step) * step;
  };
  const unlisted = (value: number): number => {
    let next = value;
    while (listed.has(next)) next += step;
    return next;
  };
  if (distinct === undefined) return (_row, place) => unlisted(at(place));
  const positionOf = positionsOf(distinct, rows, rowOrder, listed.size > 0 || group !== undefined);
  const placeOf = (position: number) => (distinct === 1 ? 0.5 : position / (distinct - 1));
  if (distinct > mostInMemory) return (row, place) => unlisted(at(placeOf(positionOf(row, place))));
  const values = new Float64Array(distinct);
  let before = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < distinct; i++) {
    const place = placeOf(i);
    const own = at(place);
    const next = unlisted(Math.max(own, before + step));
    // Values repeat themselves if there is no room for another one before the next bound.
    before = next <= bounds[Math.min(Math.floor(place * last), last - 1) + 1]! ? next : unlisted(own);
    values[i] = before;
  }
  return (row, place) => values[positionOf(row, place)]!;
}

const letters = 26;
const firstLetter = 97;
/** The most letters of a text that follow its position; a double holds them exactly. */
const mostLetters = 11;

/** Makes the texts of a column. The texts that are not listed depend on the column's specification alone. */
export function frequentTexts(spec: FrequencySpec, rows: number): MakeVariable {
  const pool = poolOf((spec.values ?? []).map(String));
  const shares = spec.shares ?? [];
  const hasRest = sumOf(shares) < 1 || shares.length === 0;
  const order = shares.map((_, i) => i);
  const drawRow = drawOf(spec, rows, order, () => 0, hasRest);
  const { distinct = Math.max(rows, mostInMemory), maxLength = usualLongest, rowOrder = 0 } = spec;
  const positionOf = positionsOf(distinct, rows, rowOrder, shares.length > 0 || spec.row !== undefined);
  const ordered = Math.min(
    maxLength,
    mostLetters,
    Math.max(1, Math.ceil(Math.log(distinct) / Math.log(letters) + 1e-9)),
  );
  const space = letters ** ordered;
  const lengthOf = lengthsOf(spec, ordered, maxLength);

  const draw: Draw = { listed: -1, place: 0 };
  /** Listed texts are −1 − index, the others their position. */
  const choose = (rowsToMake: Rows, key: Stream): Float64Array => {
    const chosen = new Float64Array(rowsToMake.count);
    for (let r = 0; r < rowsToMake.count; r++) {
      const row = rowAt(rowsToMake, r);
      drawRow(row, key, draw);
      chosen[r] = draw.listed >= 0 ? -1 - draw.listed : positionOf(row, draw.place);
    }
    return chosen;
  };
  return (rowsToMake, key) => {
    const chosen = choose(rowsToMake, key);
    const offsets = new Uint32Array(rowsToMake.count + 1);
    for (let r = 0; r < rowsToMake.count; r++) {
      const one = chosen[r]!;
      const length = one < 0 ? pool.offsets[-one]! - pool.offsets[-one - 1]! : lengthOf(one);
      offsets[r + 1] = offsets[r]! + length;
    }
    const bytes = allocate(offsets[rowsToMake.count]! + slack);
    const to = viewOf(bytes);
    for (let r = 0; r < rowsToMake.count; r++) {
      const one = chosen[r]!;
      const start = offsets[r]!;
      const length = offsets[r + 1]! - start;
      if (one < 0)
        for (let i = 0; i < length; i++) to.setUint8(start + i, pool.bytes.getUint8(pool.offsets[-one - 1]! + i));
      else writeText(to, start, length, Math.floor((one * space) / distinct), ordered, one);
    }
    return { bytes, offsets };
  };
}

/** Lengths by position: their mean is `meanLength`, because the mean of u^k is 1 / (k + 1). */
function lengthsOf({ minLength = 1, meanLength }: FrequencySpec, least: number, most: number) {
  const shortest = Math.max(Math.min(minLength, most), least);
  const span = most - shortest;
  const mean = meanLength === undefined ? span / 2 : Math.min(Math.max(meanLength - shortest, 0), span);
  if (span === 0 || mean === 0) return () => shortest;
  if (mean === span) return () => most;
  const power = span / mean - 1;
  return (position: number) => {
    const unit = (mix(position ^ lengthKey) >>> 0) * 2 ** -32;
    return shortest + Math.round(unit ** power * span);
  };
}
const lengthKey = 0x5bd1e995;

/** Letters that ascend with the position, and random ones behind them. */
function writeText(to: DataView, at: number, length: number, number: number, ordered: number, position: number): void {
  let rest = number;
  for (let i = ordered - 1; i >= 0; i--) {
    const next = Math.floor(rest / letters);
    to.setUint8(at + i, firstLetter + rest - next * letters);
    rest = next;
  }
  const first = mix(position);
  const second = mix(Math.floor(position * 2 ** -32) ^ first);
  for (let i = ordered; i < length; i++)
    to.setUint8(at + i, firstLetter + Math.floor((furtherWord(first, second, i) >>> 0) * 2 ** -32 * letters));
}
