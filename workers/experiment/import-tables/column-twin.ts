import type { ColumnFacts, ColumnStatistics, StatisticsValue } from '#engine-api/table-facts.ts';
import { fnv1a } from '#model/text/fnv1a.ts';
import { exactTime, timeOf, timePattern } from '#model/text/time-text.ts';

type Mapping = Readonly<Record<string, unknown>>;

/** A column of the experiment with the statistics of a column at a server. */
export interface ColumnTwin {
  readonly spec: Mapping;
  /** A value of the server as the column has it; undefined: it has none. */
  valueOf(value: StatisticsValue): string | number | undefined;
}

/** The facts about the table of a column. */
interface TwinTable {
  /** Rows at the server, and in the experiment. */
  readonly rows: number;
  readonly twinRows: number;
  readonly keepValues: boolean;
}

/** Shares have so many significant digits: their sum is right to a millionth. */
const shareDigits = 6;
/** The values and shares of a column are rounded to it. */
export const roundShare = (share: number): number => Number(share.toPrecision(shareDigits));

/** From this share of the rows on, the number of different values grows with the table, as PostgreSQL assumes. */
const growingShare = 0.1;
/** Weaker rank correlations are those of a random order. */
const leastOrder = 0.05;
/** A reference is skewed if its most frequent parent has so many times the rows of the usual one. */
const skewedBy = 3;
/** The most frequent parents of a reference that have shares of their own. */
const mostParents = 1_000;

/**
 * Different values of the experiment for as many different ones at the server, per row. Values that are drawn at random
 * repeat themselves: of d values, n draws find d (1 − e^(−n/d)).
 */
function drawnFrom(different: number, draws: number): number {
  if (different >= draws * 0.98) return Math.max(1, Math.ceil(draws * 20));
  let [low, high] = [different, draws * 50];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (middle * -Math.expm1(-draws / middle) < different) low = middle;
    else high = middle;
  }
  return Math.max(1, Math.round((low + high) / 2));
}

/** Number of different values at the size of the experiment. */
export function distinctHere(distinct: number, { rows, twinRows }: Pick<TwinTable, 'rows' | 'twinRows'>): number {
  const scaled = rows > 0 && distinct > growingShare * rows ? (distinct / rows) * twinRows : distinct;
  return Math.max(1, Math.min(Math.round(scaled), twinRows));
}

const ordered = (rowOrder: number | null): Mapping =>
  rowOrder === null || Math.abs(rowOrder) < leastOrder
    ? {}
    : { rowOrder: Math.max(-1, Math.min(1, Number(rowOrder.toFixed(3)))) };

/** The column with the statistics of the server. `spec`: the column that its definition alone makes. */
export function columnTwin(spec: Mapping, facts: ColumnFacts, table: TwinTable, isKey: boolean): ColumnTwin {
  const none: ColumnTwin = { spec, valueOf: () => undefined };
  const { statistics } = facts;
  if (statistics === null) return none;
  if (isKey) return { ...none, spec: keyTwin(spec, statistics) };
  const nulls = facts.isNullable ? nullsOf(statistics, spec) : {};
  const { nulls: _, ...plain } = spec;
  switch (spec.type) {
    case 'reference':
      return { ...none, spec: { ...referenceTwin(plain, statistics, table), ...nulls } };
    case 'boolean':
      return { ...none, spec: { ...plain, ...trueShareOf(statistics), ...nulls } };
    case 'oneOf':
      return { ...none, spec: { ...plain, ...weightsOf(plain, statistics), ...nulls } };
    case 'integer':
    case 'decimal':
    case 'timestamp':
    case 'sequence':
      return numberTwin({ ...plain, ...nulls }, facts, statistics, table) ?? { ...none, spec: { ...plain, ...nulls } };
    case 'text':
    case 'code':
    case 'words':
      return textTwin({ ...plain, ...nulls }, facts, statistics, table);
    case 'bytes':
      return { ...none, spec: { ...bytesTwin(plain, statistics), ...nulls } };
    case 'document':
      return { ...none, spec: { ...documentTwin(plain, statistics), ...nulls } };
    default:
      return { ...none, spec: { ...plain, ...nulls } };
  }
}

const nullsOf = ({ nullShare }: ColumnStatistics, spec: Mapping): Mapping => {
  if (nullShare === null) return spec.nulls === undefined ? {} : { nulls: spec.nulls };
  return nullShare > 0 ? { nulls: roundShare(nullShare) } : {};
};

/** A key of whole numbers begins with the smallest one. */
function keyTwin(spec: Mapping, { bounds, meanBytes }: ColumnStatistics): Mapping {
  const [least] = bounds;
  if (spec.type === 'sequence' && Number.isSafeInteger(least)) return { ...spec, start: least };
  if (spec.type === 'code' && meanBytes !== null) {
    const length = Math.max(4, Math.min(40, Math.round(meanBytes)));
    return { ...spec, pattern: '?'.repeat(4) + '#'.repeat(length - 4) };
  }
  return spec;
}

function referenceTwin(spec: Mapping, statistics: ColumnStatistics, table: TwinTable): Mapping {
  const { common, distinct, rowOrder } = statistics;
  const present = 1 - (statistics.nullShare ?? 0);
  const shares = common.slice(0, mostParents).map(({ share }) => roundShare(share / Math.max(present, Number.EPSILON)));
  const parents = distinct === null ? null : distinctHere(distinct, table);
  const draws = table.twinRows * present;
  const from = parents === null ? {} : { distinct: drawnFrom(parents, draws) };
  const isSkewed = (shares[0] ?? 0) * (distinct ?? 1) > skewedBy;
  if (isSkewed) return { ...spec, shares, ...from };
  return { ...spec, ...from, ...ordered(rowOrder) };
}

function trueShareOf({ common, nullShare }: ColumnStatistics): Mapping {
  const present = 1 - (nullShare ?? 0);
  const found = common.find(
    ({ value }) => value === true || value === 't' || value === 'true' || value === 1 || value === '1',
  );
  const other = common.find(
    ({ value }) => value === false || value === 'f' || value === 'false' || value === 0 || value === '0',
  );
  if (found === undefined && other === undefined) return {};
  const share = found?.share ?? present - other!.share;
  return { trueShare: Math.min(1, Math.max(0, roundShare(share / Math.max(present, Number.EPSILON)))) };
}

/** Labels that the statistics do not list share the rest. */
function weightsOf({ values }: Mapping, { common, nullShare }: ColumnStatistics): Mapping {
  if (!Array.isArray(values) || common.length === 0) return {};
  const present = Math.max(1 - (nullShare ?? 0), Number.EPSILON);
  const shares = values.map((label: unknown) => common.find(({ value }) => value === label)?.share ?? null);
  const listed = shares.reduce<number>((sum, share) => sum + (share ?? 0), 0);
  const others = shares.filter((share) => share === null).length;
  const rest = others === 0 ? 0 : Math.max(0, present - listed) / others;
  return { weights: shares.map((share) => roundShare((share ?? rest) / present)) };
}

/** The listed values and their shares of the rows that are not null; values of another type are dropped. */
function listedOf<T extends string | number>(
  { common, nullShare }: ColumnStatistics,
  convert: (value: StatisticsValue, index: number) => T | undefined,
): readonly { readonly value: T; readonly share: number }[] {
  const present = Math.max(1 - (nullShare ?? 0), Number.EPSILON);
  return common.flatMap(({ value, share }, i) => {
    const converted = convert(value, i);
    return converted === undefined ? [] : [{ value: converted, share: roundShare(Math.min(1, share / present)) }];
  });
}

const listed = (list: readonly { readonly value: string | number; readonly share: number }[]): Mapping =>
  list.length === 0 ? {} : { values: list.map(({ value }) => value), shares: list.map(({ share }) => share) };

/** From this sum of shares on, the statistics list all values. */
const wholeShare = 0.9995;

/** The number of different values that are not listed, of which the column draws; null: there are none, or unknown. */
function restOf(
  { distinct, nullShare }: ColumnStatistics,
  list: readonly { readonly share: number }[],
  table: TwinTable,
): number | null {
  if (distinct === null) return null;
  const sum = list.reduce((total, { share }) => total + share, 0);
  const here = distinctHere(distinct, table) - list.length;
  if (here < 1) return 1;
  const draws = table.twinRows * (1 - (nullShare ?? 0)) * Math.max(0, 1 - sum);
  return Math.min(drawnFrom(Math.min(here, draws), Math.max(1, draws)), 10_000_000_000);
}

/** True if the statistics show that no value repeats itself. */
const isUnique = ({ distinct, nullShare, common }: ColumnStatistics, rows: number): boolean =>
  common.length === 0 && distinct !== null && rows > 0 && distinct >= rows * (1 - (nullShare ?? 0)) * 0.98;

const mostExact = 15;

function numberTwin(
  spec: Mapping,
  facts: ColumnFacts,
  statistics: ColumnStatistics,
  table: TwinTable,
): ColumnTwin | null {
  const nulls = spec.nulls === undefined ? {} : { nulls: spec.nulls };
  const kind = kindOf(spec, facts, statistics);
  const convert = converterOf(kind);
  const bounds = statistics.bounds.flatMap((value) => convert(value) ?? []);
  const list = listedOf(statistics, convert);
  if (bounds.length < 2 && list.length === 0) {
    const range = rangeOf(spec);
    if (statistics.distinct === null || statistics.bounds.length > 0 || range === null) return null;
    return numberTwin(spec, facts, { ...statistics, bounds: range }, table);
  }
  const sum = list.reduce((total, { share }) => total + share, 0);
  const hasRest = bounds.length > 1 && sum < wholeShare;
  const unique = isUnique(statistics, table.rows);
  if (spec.type === 'sequence' && unique && statistics.rowOrder !== null && statistics.rowOrder > 0.99)
    return { spec: { ...spec, start: Number(bounds[0] ?? 1) }, valueOf: () => undefined };
  const rest = hasRest ? (unique ? table.twinRows : restOf(statistics, list, table)) : null;
  return {
    spec: {
      type: 'frequencies',
      ...kind,
      ...listed(list),
      ...(hasRest && { bounds }),
      ...(rest !== null && { distinct: rest }),
      ...ordered(statistics.rowOrder),
      ...nulls,
    },
    valueOf: convert,
  };
}

/** The range of a column that its definition alone makes; null: it has none. */
function rangeOf({ type, min, max, from, to }: Mapping): readonly StatisticsValue[] | null {
  if (type === 'timestamp') return [String(from ?? '2020-01-01'), String(to ?? '2026-01-01')];
  return typeof min === 'number' && typeof max === 'number' && min < max ? [min, max] : null;
}

type NumberKind =
  | { readonly as: 'integer' }
  | { readonly as: 'date' | 'timestamp' }
  | { readonly as: 'decimal'; readonly precision: number; readonly scale: number };

function kindOf(spec: Mapping, facts: ColumnFacts, { bounds, common }: ColumnStatistics): NumberKind {
  if (spec.type === 'timestamp') {
    const all = [...bounds, ...common.map(({ value }) => value)];
    const areDays =
      facts.type === 'date' && all.every((value) => /^\d{4}-\d\d-\d\d([T ]00:00(:00(\.0+)?)?)?$/.test(String(value)));
    return { as: areDays ? 'date' : 'timestamp' };
  }
  if (spec.type !== 'decimal') return { as: 'integer' };
  const values = [...bounds, ...common.map(({ value }) => value)].map(Number).filter(Number.isFinite);
  const precision = Math.min(Number(spec.precision ?? mostExact), mostExact);
  // A number without a declared scale has the digits of its values.
  const seen = Math.max(0, ...values.map((value) => Math.min(6, decimalsOf(value))));
  let scale = facts.args.length > 1 ? Number(spec.scale ?? 0) : Math.min(seen, precision);
  const largest = Math.max(0, ...values.map(Math.abs));
  while (scale > 0 && largest * 10 ** scale >= 10 ** precision) scale--;
  return { as: 'decimal', precision, scale };
}

const decimalsOf = (value: number): number => (/\.(\d+)$/.exec(String(value))?.[1] ?? '').length;

const converterOf =
  (kind: NumberKind) =>
  (value: StatisticsValue): string | number | undefined => {
    if (kind.as === 'integer') {
      const number = Number(value);
      return typeof value !== 'boolean' && Number.isSafeInteger(number) ? number : undefined;
    }
    if (kind.as === 'decimal') {
      const number = Number(Number(value).toFixed(kind.scale));
      return Number.isFinite(number) && Math.abs(number) * 10 ** kind.scale < 10 ** kind.precision ? number : undefined;
    }
    const text = String(value);
    if (!timePattern.test(text) || timeOf(text) === null) return undefined;
    const time = exactTime(text);
    return kind.as === 'date' ? time.slice(0, 10) : time.replace(/\.?0+Z$/, 'Z').replace(/T(\d\d:\d\d)Z$/, 'T$1:00Z');
  };

function textTwin(spec: Mapping, facts: ColumnFacts, statistics: ColumnStatistics, table: TwinTable): ColumnTwin {
  const nulls = spec.nulls === undefined ? {} : { nulls: spec.nulls };
  const madeUp = createMadeUp(facts.name, table.keepValues);
  const convert = (value: StatisticsValue) => madeUp(String(value));
  const list = listedOf(statistics, convert);
  const sum = list.reduce((total, { share }) => total + share, 0);
  const unique = isUnique(statistics, table.rows);
  const isWhole =
    list.length > 0 && (sum >= wholeShare || (statistics.distinct !== null && statistics.distinct <= list.length));
  const lengths = lengthsOf(spec, statistics, list);
  const rest = isWhole ? null : unique ? table.twinRows : restOf(statistics, list, table);
  return {
    spec: {
      type: 'frequencies',
      as: 'text',
      ...listed(list),
      ...(rest !== null && { distinct: rest }),
      ...(isWhole ? { maxLength: lengths.maxLength } : lengths),
      ...ordered(statistics.rowOrder),
      ...nulls,
    },
    valueOf: convert,
  };
}

/** Length of the longest text if neither the definition nor the statistics tell it. */
const usualLength = 60;

/** Lengths of the texts that are not listed: those of the bounds, and the mean without the listed texts. */
function lengthsOf(
  spec: Mapping,
  { bounds, meanBytes }: ColumnStatistics,
  list: readonly { readonly value: string | number; readonly share: number }[],
) {
  const seen = bounds.filter((bound) => typeof bound === 'string').map(({ length }) => Math.max(1, length));
  const declared = Number(spec.length ?? spec.maxLength ?? 0) || null;
  const sum = list.reduce((total, { share }) => total + share, 0);
  const ofList = list.reduce((total, { value, share }) => total + share * String(value).length, 0);
  const mean =
    meanBytes === null
      ? seen.length > 0
        ? seen.reduce((total, length) => total + length, 0) / seen.length
        : null
      : Math.max(1, (meanBytes - ofList) / Math.max(1 - sum, 0.001));
  if (mean === null)
    return { minLength: Number(spec.length ?? spec.minLength ?? 1), maxLength: declared ?? usualLength };
  const shortest = seen.length > 0 ? Math.min(...seen) : Math.max(1, Math.round(mean / 2));
  const most = seen.length > 0 ? Math.max(...seen) : Math.max(shortest, Math.round(mean * 1.5));
  const maxLength = Math.max(1, Math.min(declared ?? most, most));
  const minLength = Math.min(shortest, maxLength);
  const meanLength = Math.min(maxLength, Math.max(minLength, Number(mean.toFixed(1))));
  return { minLength, maxLength, meanLength };
}

/** Replaces each text by a made-up one of its length, always the same one; two texts never become one. */
function createMadeUp(column: string, keepValues: boolean): (text: string) => string {
  const made = new Map<string, string>();
  const taken = new Set<string>();
  return (text) => {
    if (keepValues) return text;
    const known = made.get(text);
    if (known !== undefined) return known;
    const length = Math.max(1, [...text].length);
    let found = '';
    for (let attempt = 0; found === '' || (taken.has(found) && attempt < 10_000); attempt++)
      found = lettersOf(`${column} ${taken.size} ${attempt}`, length);
    taken.add(found);
    made.set(text, found);
    return found;
  };
}

/** Capital letters that a text determines and does not show. */
function lettersOf(seed: string, length: number): string {
  let letters = '';
  for (let i = 0; letters.length < length; i++) {
    let number = Number.parseInt(fnv1a(`${i} ${seed}`), 16);
    for (let k = 0; k < 4 && letters.length < length; k++) {
      letters += String.fromCharCode(65 + (number % 26));
      number = Math.floor(number / 26);
    }
  }
  return letters;
}

function bytesTwin(spec: Mapping, { meanBytes }: ColumnStatistics): Mapping {
  if (meanBytes === null || spec.length !== undefined) return spec;
  const mean = Math.max(1, Math.round(meanBytes));
  return { type: 'bytes', minLength: Math.max(1, Math.ceil(mean / 2)), maxLength: Math.max(1, Math.floor(mean * 1.5)) };
}

/** Bytes of a document besides the text of its field `name`. */
const aroundName = 30;

function documentTwin(spec: Mapping, { meanBytes }: ColumnStatistics): Mapping {
  if (meanBytes === null) return spec;
  const length = Math.max(1, Math.round(meanBytes) - aroundName);
  return { ...spec, fields: { id: { type: 'integer' }, name: { type: 'text', length } } };
}
