import type { UuidOrder } from '../dataset/uuid-order.ts';
import { decimalText, parseDecimal } from '../text/exact-decimal.ts';
import { type CanonicalAnswer, type CanonicalRow, cannotTell, compareRows, type RowsCompared } from './compare-rows.ts';
import type { RowOrder } from './row-order.ts';

/** The traits of an engine by which it gives the same rows in other forms. */
export interface AnswerTraits {
  /** Answers are documents with named fields. */
  readonly isNamed: boolean;
  /** Empty texts are nulls. */
  readonly emptyIsNull: boolean;
  /** Decimals and times are stored as whole numbers. */
  readonly storesWhole: boolean;
  readonly uuidOrder: UuidOrder;
}

/** An answer of one engine, with the order of its text. */
export interface AnswerSide {
  readonly answer: Pick<CanonicalAnswer, 'columns' | 'rows' | 'exact' | 'hasMore'>;
  readonly order: RowOrder;
  readonly traits: AnswerTraits;
}

/**
 * Compares the answers of two engines to the same values, as `compareRows` does. Forms that mean the same are equal:
 * padded texts, empty texts where they are nulls, booleans as numbers, the spaces of documents. Where only the types of
 * the engines, or their orders of texts, nulls and uuids, explain a difference, the outcome is *cannot tell*.
 */
export function compareAcross(first: AnswerSide, second: AnswerSide): RowsCompared {
  const moving = first.order.moving ?? second.order.moving;
  if (moving !== null) return cannotTell(`the answer depends on ${moving}`);
  const places = placesOf(first, second);
  if (places === null) return cannotTell('its columns have other names there');
  const pair = pairOf(first, second, places);
  const nullsAlike = first.traits.emptyIsNull || second.traits.emptyIsNull;
  const forms = mapped(pair, (value) => alikeForm(value, nullsAlike));
  const alike = withSameDigits(forms, digitsOfQuotients);
  const compared = comparePair(alike, pair, first, second);
  if (compared.outcome !== 'differ') return compared;
  const sorted = whySorted(alike, first, second);
  if (sorted !== null) return cannotTell(sorted);
  // Some engines cut a quotient where others round it.
  if (comparePair(withSameDigits(forms, 1, 'cut'), pair, first, second).outcome !== 'differ')
    return cannotTell(otherDigits);
  let loose = alike;
  for (const { why, applies, loosen } of looseForms) {
    if (!applies(first.traits, second.traits)) continue;
    loose = loosen(loose);
    if (comparePair(loose, pair, first, second).outcome !== 'differ') return cannotTell(why);
  }
  return compared;
}

/** Compares the answers of two texts on one engine to the same values, as `compareRows` does. */
export function compareTexts(first: AnswerSide, second: AnswerSide): RowsCompared {
  const moving = first.order.moving ?? second.order.moving;
  if (moving !== null) return cannotTell(`the answer depends on ${moving}`);
  const places = placesOf(first, second);
  if (places === null) return cannotTell('its columns have other names there');
  const pair = pairOf(first, second, places);
  return comparePair(pair, pair, first, second);
}

/** The rows of both answers, with the columns of the first. */
interface Pair {
  readonly columns: readonly string[];
  readonly rows: readonly [readonly CanonicalRow[], readonly CanonicalRow[]];
  /** True for columns whose numbers have no rounding error in either answer. */
  readonly exact: readonly boolean[];
}

const pairOf = ({ answer }: AnswerSide, second: AnswerSide, places: readonly number[]): Pair => ({
  columns: answer.columns,
  rows: [answer.rows, second.answer.rows.map((row) => places.map((place) => row[place] ?? ''))],
  exact: places.map((place, c) => answer.exact[c] === true && second.answer.exact[place] === true),
});

/** The places of the first answer's columns in the second; null: the names do not say it. */
function placesOf({ answer, traits }: AnswerSide, second: AnswerSide): readonly number[] | null {
  const [own, other] = [answer.columns, second.answer.columns];
  const isNamed = traits.isNamed || second.traits.isNamed;
  const hasRows = answer.rows.length > 0 && second.answer.rows.length > 0;
  if (!isNamed || !hasRows) return other.map((_, place) => place);
  const names = other.map((name) => name.toLowerCase());
  const places = own.map((name) => names.indexOf(name.toLowerCase()));
  const left = names.map((_, place) => place).filter((place) => !places.includes(place));
  const lacking = places.filter((place) => place === -1).length;
  // A document's key is _id, whatever the key of the table is called.
  const hasKey = [...own, ...other].some((name) => name === '_id');
  if (lacking === 1 && left.length === 1 && hasKey) return places.map((place) => (place === -1 ? left[0]! : place));
  return lacking === 0 && left.length === 0 ? places : null;
}

function comparePair({ columns, rows, exact }: Pair, shown: Pair, first: AnswerSide, second: AnswerSide): RowsCompared {
  const [baseline, own] = ([0, 1] as const).map((side): CanonicalAnswer => {
    // An answer without rows has the columns of the other one.
    const names = (rows[side][0] ?? rows[1 - side]![0])?.map((_, c) => columns[c] ?? `${c + 1}`) ?? columns;
    return {
      columns: names,
      shown: shown.rows[side].map((row) => row.map((value) => (value === '' ? null : value.slice(1)))),
      rows: rows[side],
      exact: names.map((_, c) => exact[c] === true),
      hasMore: (side === 0 ? first : second).answer.hasMore,
    };
  });
  return compareRows(baseline!, own!, first.order, second.order);
}

const mapped = ({ rows, ...pair }: Pair, form: (value: string) => string): Pair => ({
  ...pair,
  rows: [rows[0].map((row) => row.map(form)), rows[1].map((row) => row.map(form))],
});

const notANumber = /^s[+-]?(?:nan|inf(?:inity)?)$/i;
const sixteenBytes = /^b([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;
const paddedNumber = /^s[+-]?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** A value in the form that it shares with the same value of another engine. */
function alikeForm(value: string, emptyIsNull: boolean): string {
  if (value.startsWith('b')) return value.replace(sixteenBytes, 'u$1-$2-$3-$4-$5');
  if (!value.startsWith('s')) return value;
  if (value === 'strue' || value === 'sfalse') return value === 'strue' ? 'n1' : 'n0';
  if (notANumber.test(value)) return value.toLowerCase().replace('+', '').replace(/inf$/, 'infinity');
  const text = value.trimEnd();
  if (text === 's' && emptyIsNull) return '';
  // Without its spaces, a padded text may look like a number, and the other engine's text is then a number here, too.
  if (text !== value && paddedNumber.test(text)) return numberWith(text.length, text.slice(1), 'cut');
  return text[1] === '{' || text[1] === '[' ? documentForm(text) : text;
}

function documentForm(value: string): string {
  try {
    return `s${JSON.stringify(sortedKeys(JSON.parse(value.slice(1))))}`;
  } catch {
    return value;
  }
}

function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, own]) => [key, sortedKeys(own)] as const);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The reason why engines may sort these rows differently, where the order or a limit explains the difference. */
function whySorted({ columns, rows }: Pair, first: AnswerSide, second: AnswerSide): string | null {
  const orders = [first.order, second.order];
  const { keys } = first.order;
  if (keys.length === 0) return null;
  const sorts = (row: CanonicalRow): string | undefined =>
    keys
      .map((key) => (typeof key === 'number' ? key - 1 : columns.findIndex((name) => name.toLowerCase() === key)))
      .map((place) => row[place] ?? 's')
      .find((value) => value === '' || value.startsWith('s') || value.startsWith('u'));
  const value = rows.flatMap((all) => all.map(sorts)).find((one) => one !== undefined);
  if (value === undefined) return null;
  const isMultisetEqual = () => {
    const texts = rows.map((all) =>
      all
        .map((row) => JSON.stringify(row))
        .toSorted()
        .join(),
    );
    return texts[0] === texts[1];
  };
  if (!orders.some(({ isLimited, skips }) => isLimited || skips) && !isMultisetEqual()) return null;
  return value === '' ? 'engines sort nulls first or last' : 'engines sort texts by other rules (collations)';
}

const otherDigits = 'numbers have other digits after the point there';
const numberForm = /^n(-?\d+)(?:\.(\d+))?$/;
const digitsOf = (value: string): number => numberForm.exec(value)?.[2]?.length ?? 0;

/** Engines give a mean this many digits after the point at least, and further ones by rules of their own. */
const digitsOfQuotients = 4;

/** Numbers of a column with the digits after the point that both answers have, if they are as many as these. */
function withSameDigits(pair: Pair, least = 1, end: 'rounded' | 'cut' = 'rounded'): Pair {
  const { columns, rows, exact } = pair;
  const most = (all: readonly CanonicalRow[], c: number) => Math.max(0, ...all.map((row) => digitsOf(row[c] ?? '')));
  const digits = columns.map((_, c) => [most(rows[0], c), most(rows[1], c)] as const);
  const shortened = (row: CanonicalRow): CanonicalRow =>
    row.map((value, c) => {
      const [a = 0, b = 0] = digits[c] ?? [];
      const kept = Math.min(a, b);
      if (a === b || kept < least || !numberForm.test(value)) return value;
      return numberWith(kept, value.slice(1), end);
    });
  return {
    columns,
    rows: [rows[0].map(shortened), rows[1].map(shortened)],
    // A number with other digits may have been rounded.
    exact: exact.map((isExact, c) => isExact && digits[c]![0] === digits[c]![1]),
  };
}

/** A number with these digits after the point at most. A five is rounded away from zero, as servers round decimals. */
function numberWith(digits: number, text: string, end: 'rounded' | 'cut'): string {
  const { unscaled, scale } = parseDecimal(text)!;
  const unit = 10n ** BigInt(Math.max(0, scale - digits));
  const more = end === 'rounded' ? (unscaled < 0n ? -unit : unit) / 2n : 0n;
  const kept = decimalText({ unscaled: (unscaled + more) / unit, scale: Math.min(scale, digits) });
  return `n${kept.includes('.') ? kept.replace(/\.?0+$/, '') : kept}`;
}

/** Two numbers are compared by at least, and at most, this many significant digits, as far as both have them. */
const [leastDigits, mostDigits] = [6, 10] as const;

/**
 * Decimals and times in a form that they share with the whole numbers that stand for them: a number by its significant
 * digits without the point, and a time by its seconds.
 */
function withoutPoints({ columns, rows, exact }: Pair): Pair {
  const inColumn = (side: readonly CanonicalRow[], c: number) => side.map((row) => row[c] ?? '');
  const forms = columns.map((_, c) => {
    const [a, b] = [inColumn(rows[0], c), inColumn(rows[1], c)];
    if ([...a, ...b].some((value) => value.startsWith('t'))) return secondsForm;
    const most = (side: readonly string[]) => Math.max(0, ...side.map((value) => significantDigits(value).length));
    const kept = Math.min(mostDigits, Math.max(leastDigits, Math.min(most(a), most(b))));
    return (value: string) => digitsForm(value, kept);
  });
  const formed = (row: CanonicalRow): CanonicalRow => row.map((value, c) => forms[c]?.(value) ?? value);
  return { columns, rows: [rows[0].map(formed), rows[1].map(formed)], exact: exact.map(() => false) };
}

/** The digits of a number between its leading and its trailing zeros; empty for zero and for values of other types. */
function significantDigits(value: string): string {
  const [, whole = '', fraction = ''] = numberForm.exec(value) ?? [];
  return `${whole.replace('-', '')}${fraction}`.replace(/^0+|0+$/g, '');
}

function digitsForm(value: string, kept: number): string {
  if (!numberForm.test(value)) return value;
  const digits = significantDigits(value);
  const up = (digits[kept] ?? '0') >= '5' ? 1n : 0n;
  const rounded = digits.length <= kept ? digits : `${BigInt(digits.slice(0, kept)) + up}`;
  return `n${value[1] === '-' ? '-' : ''}${rounded.replace(/0+$/, '')}`;
}

/** The seconds of a time, or of a whole number of microseconds. */
function secondsForm(value: string): string {
  if (value.startsWith('t')) return `n${Date.parse(`${value.slice(1, 20)}Z`) / 1_000}`;
  if (!/^n-?\d+$/.test(value)) return value;
  const microseconds = BigInt(value.slice(1));
  const fraction = ((microseconds % 1_000_000n) + 1_000_000n) % 1_000_000n;
  return `n${(microseconds - fraction) / 1_000_000n}`;
}

interface LooseForm {
  readonly why: string;
  readonly applies: (first: AnswerTraits, second: AnswerTraits) => boolean;
  readonly loosen: (pair: Pair) => Pair;
}

/**
 * Forms in which answers are equal though their values are not: each is a doubt, and is applied after those before it.
 */
const looseForms: readonly LooseForm[] = [
  {
    why: 'one of the engines stores decimals and times as whole numbers',
    applies: (first, second) => first.storesWhole !== second.storesWhole,
    loosen: withoutPoints,
  },
  {
    why: otherDigits,
    applies: () => true,
    loosen: (pair) => withSameDigits(pair),
  },
  {
    why: 'times have other fractions of a second there',
    applies: () => true,
    loosen: (pair) => mapped(pair, (value) => (value.startsWith('t') ? value.slice(0, 20) : value)),
  },
  {
    why: 'each of the engines has sequential UUIDs in its own order',
    applies: (first, second) => first.uuidOrder !== second.uuidOrder,
    loosen: (pair) => mapped(pair, (value) => (value.startsWith('u') ? 'u' : value)),
  },
];
