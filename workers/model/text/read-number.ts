import { decimalText, type ExactDecimal, parseDecimal } from './exact-decimal.ts';

/** The unit of a stored number. `share`: a part of one, which may be entered as a percentage. */
type NumberUnit =
  | 'ms'
  | 's'
  | 'min'
  | 'KB'
  | 'MiB'
  | '%'
  | 'share'
  | '1/s'
  | 'Mbit/s'
  | 'rows'
  | 'calls'
  /** A name made of digits, such as a port, has no thousands separators. */
  | 'digits';

/** The unit at the end of a key's name: warmupSeconds, thinkMs, leastFreeMib; undefined: none. */
export function unitOfKey(key: string): NumberUnit | undefined {
  const [, word = ''] = /([A-Z]?[a-z]+\d*)$/.exec(key) ?? [];
  const known: Readonly<Record<string, NumberUnit>> = {
    ...{ ms: 'ms', seconds: 's', minutes: 'min', kb: 'KB', mib: 'MiB', rows: 'rows', calls: 'calls', port: 'digits' },
  };
  const lower = word.toLowerCase();
  return Object.hasOwn(known, lower) ? known[lower] : undefined;
}

/** The numbers that a field accepts. */
export interface NumberRules {
  readonly unit?: NumberUnit | undefined;
  /** True if the field accepts only whole numbers. */
  readonly whole?: boolean | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /**
   * The decimal sign of the reader's language, which determines the meaning of 1.234 and 1,234. `ask`: both are
   * refused, with both meanings. Default: a point.
   */
  readonly decimalSign?: '.' | ',' | 'ask' | undefined;
}

/** A number as typed by a person, interpreted by {@link NumberRules}. */
interface ReadNumber {
  /** Null: the text is empty or not understood. A number out of bounds keeps its value. */
  readonly value: number | null;
  /** The reason why the text is no valid number, as a sentence; null: it is valid, or empty. */
  readonly problem: string | null;
  /** The full number with its unit and the applied rule, if the text is ambiguous. */
  readonly understood: string | null;
}

/** A number × its ratio, without rounding. */
interface Ratio {
  readonly times: bigint;
  readonly over: bigint;
}

const ratio = (times: number, over = 1): Ratio => ({ times: BigInt(times), over: BigInt(over) });
const k = 1_000;
const scales: Readonly<Record<string, Ratio>> = { k: ratio(k), K: ratio(k), M: ratio(k ** 2), G: ratio(k ** 3) };

/** Units of time, in nanoseconds. Longer words come from {@link timeWords}. */
export const nanoseconds = { ns: 1, us: k, ms: k ** 2, s: k ** 3, min: 60e9, h: 3_600e9, d: 86_400e9 } as const;
const timeWords: Readonly<Record<string, keyof typeof nanoseconds>> = {
  ...{ ns: 'ns', us: 'us', µs: 'us', μs: 'us', ms: 'ms', msec: 'ms', millisecond: 'ms', milliseconds: 'ms' },
  ...{ s: 's', sec: 's', secs: 's', second: 's', seconds: 's', min: 'min', mins: 'min', minute: 'min', minutes: 'min' },
  ...{ h: 'h', hour: 'h', hours: 'h', d: 'd', day: 'd', days: 'd' },
};

/** Bytes of a unit. Units are binary, as in the settings of every server. */
const byteWords: Readonly<Record<string, number>> = {
  ...{ b: 1, k: 2 ** 10, kb: 2 ** 10, kib: 2 ** 10, m: 2 ** 20, mb: 2 ** 20, mib: 2 ** 20 },
  ...{ g: 2 ** 30, gb: 2 ** 30, gib: 2 ** 30, t: 2 ** 40, tb: 2 ** 40, tib: 2 ** 40 },
};

const perSecond: Readonly<Record<string, Ratio>> = {
  '/s': ratio(1),
  '1/s': ratio(1),
  'per second': ratio(1),
  '/min': ratio(1, 60),
  'per minute': ratio(1, 60),
  '/h': ratio(1, 3_600),
};

/** The factor from the typed unit to the field's; null: the field does not accept the unit. */
function factorOf(word: string, unit: NumberUnit | undefined): Ratio | null {
  const lower = word.toLowerCase();
  switch (unit) {
    case 'ms':
    case 's':
    case 'min': {
      const known = Object.hasOwn(timeWords, lower) ? timeWords[lower] : undefined;
      return known && word !== 'M' ? ratio(nanoseconds[known], nanoseconds[unit]) : null;
    }
    case 'KB':
    case 'MiB':
      return Object.hasOwn(byteWords, lower) ? ratio(byteWords[lower] ?? 1, unit === 'KB' ? 2 ** 10 : 2 ** 20) : null;
    case '%':
      return word === '%' ? ratio(1) : null;
    case 'share':
      return word === '%' ? ratio(1, 100) : null;
    case '1/s':
      return Object.hasOwn(perSecond, lower) ? (perSecond[lower] ?? null) : null;
    case 'Mbit/s': {
      const [, letter] = /^([kmg])?bit\/s$/.exec(lower) ?? /^([kMG])$/.exec(word) ?? [];
      const power = { k: ratio(1, k), m: ratio(1), g: ratio(k) };
      return letter ? power[letter.toLowerCase() as 'k'] : lower === 'bit/s' ? ratio(1, k ** 2) : null;
    }
    case 'rows':
    case 'calls':
      return lower === unit || `${lower}s` === unit ? ratio(1) : null;
    default:
      return null;
  }
}

/** The factor of the text after the digits: a unit, or a letter for thousands and more before it. */
function suffixOf(suffix: string, { unit }: NumberRules): Ratio | null {
  if (suffix === '') return ratio(1);
  const own = factorOf(suffix, unit);
  if (own || unit === 'digits') return own;
  const scale = Object.hasOwn(scales, suffix.charAt(0)) ? scales[suffix.charAt(0)] : undefined;
  // M beside a time may mean minutes.
  if (!scale || (isTime(unit) && suffix !== 'k')) return null;
  const rest = suffix.slice(1).trim();
  if (rest === '') return scale;
  const inner = factorOf(rest, unit);
  if (!inner || (unit !== '1/s' && inner.times !== inner.over)) return null;
  return { times: scale.times * inner.times, over: scale.over * inner.over };
}

const isTime = (unit: NumberUnit | undefined): boolean => unit === 'ms' || unit === 's' || unit === 'min';

/** Digits with separators, as a plain decimal; `three`: one separator before three digits, which is ambiguous. */
interface Digits {
  readonly plain: string;
  readonly three: { readonly sign: '.' | ','; readonly asThousands: string } | null;
}

/** Parses digits and their separators; null if the separators fit neither thousands nor decimals. */
function digitsOf(text: string): Digits | null {
  const isGrouped = (whole: string, sign: string): boolean =>
    new RegExp(`^\\d{1,3}(?:${sign === '.' ? '\\.' : sign}\\d{3})+$`).test(whole);
  const without = (whole: string, sign: string): string => whole.replaceAll(sign, '');
  const sure = (plain: string): Digits => ({ plain, three: null });
  const quiet = /[ '_]/.exec(text)?.[0];
  const last = /[.,](?=[^.,]*$)/.exec(text);
  if (quiet !== undefined) {
    // Blanks, apostrophes and underscores are between thousands; the first point or comma is the decimal sign.
    const whole = last ? text.slice(0, last.index) : text;
    const fraction = last ? text.slice(last.index + 1) : '';
    return isGrouped(whole, quiet) && /^\d*$/.test(fraction) ? sure(`${without(whole, quiet)}.${fraction}`) : null;
  }
  if (!last) return sure(text);
  const sign = last[0] as '.' | ',';
  const other = sign === '.' ? ',' : '.';
  const [before, after] = [text.slice(0, last.index), text.slice(last.index + 1)];
  if (before.includes(other)) return isGrouped(before, other) ? sure(`${without(before, other)}.${after}`) : null;
  if (before.includes(sign)) return isGrouped(text, sign) ? sure(without(text, sign)) : null;
  const plain = `${before}.${after}`;
  const isThree = /^[1-9]\d{0,2}$/.test(before) && after.length === 3;
  return { plain, three: isThree ? { sign, asThousands: before + after } : null };
}

const failed = (problem: string): ReadNumber => ({ value: null, problem, understood: null });
const nothing: ReadNumber = { value: null, problem: null, understood: null };

/** Forms of a number that all fields take: full-width digits, any blank, any minus. */
const normalized = (text: string): string =>
  text.normalize('NFKC').replace(/\s+/gu, ' ').replaceAll('−', '-').replaceAll('’', "'").trim();

const grammar = /^([+-]?) ?(\d[\d.,'_]*(?: \d{3})*(?:[.,]\d+)?|[.,]\d+)(?:[eE]([+-]?\d{1,3}))?(?: ?(\D.*))?$/;
const signNames = { '.': 'point', ',': 'comma' } as const;

/**
 * Parses a typed number and never guesses silently: 0,5 is 0.5, 100k is 100,000, 500 ms is 0.5 in a field of seconds,
 * and an unknown text is a problem. One point or comma before three digits (1.000, 1,000) is ambiguous: in fields of
 * whole numbers it separates thousands; elsewhere the language decides, and `understood` names the rule; before a
 * converted unit it is a problem.
 */
export function readNumber(typed: string, rules: NumberRules = {}): ReadNumber {
  const text = normalized(typed);
  if (text === '') return nothing;
  if (text.length > 100) return failed('This text is too long for a number.');
  const parts = isTime(rules.unit) ? timeParts(text) : null;
  if (parts) return sum(typed, parts, rules);
  const [, sign = '', written = '', exponent, suffix = ''] = grammar.exec(text) ?? [];
  if (written === '') return failed(notUnderstood(typed, rules));
  const digits = digitsOf(written);
  if (!digits) return failed(`The separators in “${typed.trim()}” are neither between thousands nor before decimals.`);
  if (rules.unit === 'digits' && /\D/.test(written)) return failed('Write digits alone.');
  const factor = suffixOf(suffix, rules);
  if (!factor) return failed(unknownSuffix(suffix, rules));
  const changes = factor.times !== factor.over || exponent !== undefined;
  const { three } = digits;
  if (three && (changes || rules.decimalSign === 'ask'))
    return failed(twoMeanings(written, digits.plain, three.asThousands));
  const areThousands = three !== null && (rules.whole === true || three.sign !== (rules.decimalSign ?? '.'));
  const plain = areThousands ? three.asThousands : digits.plain;
  const exact = parseDecimal(`${sign}${plain}${exponent === undefined ? '' : `e${exponent}`}`);
  const rule = !three
    ? ''
    : areThousands
      ? ` (the ${signNames[three.sign]} separates thousands)`
      : ` (the ${signNames[three.sign]} is the decimal sign)`;
  return exact ? judged(typed, exact, factor, rules, rule) : failed(notUnderstood(typed, rules));
}

/** "1 min 30 s": numbers, each with its unit of time; null for other texts. */
function timeParts(text: string): readonly { readonly number: string; readonly unit: string }[] | null {
  if (!/^(?:\d+(?:[.,]\d+)? ?\p{L}+ ?){2,}$/u.test(text)) return null;
  return Array.from(text.matchAll(/(\d+(?:[.,]\d+)?) ?(\p{L}+)/gu), ([, number = '', unit = '']) => ({ number, unit }));
}

function sum(typed: string, parts: NonNullable<ReturnType<typeof timeParts>>, rules: NumberRules): ReadNumber {
  const nanos = parts.map(({ number, unit }) => {
    const known = timeWords[unit.toLowerCase()];
    const exact = digitsOf(number)?.three === null ? parseDecimal(number.replace(',', '.')) : null;
    return known && exact && unit !== 'M' ? { size: nanoseconds[known], exact } : null;
  });
  const sizes = nanos.map((one) => one?.size ?? 0);
  if (nanos.includes(null) || sizes.some((size, at) => at > 0 && size >= (sizes[at - 1] ?? 0)))
    return failed(notUnderstood(typed, rules));
  const scale = Math.max(...nanos.map((one) => one?.exact.scale ?? 0));
  const unscaled = nanos.reduce(
    (total, one) =>
      one ? total + one.exact.unscaled * BigInt(one.size) * 10n ** BigInt(scale - one.exact.scale) : total,
    0n,
  );
  const own = nanoseconds[rules.unit as 'ms'];
  return judged(typed, { unscaled, scale }, ratio(1, own), rules, '');
}

function judged(typed: string, exact: ExactDecimal, factor: Ratio, rules: NumberRules, rule: string): ReadNumber {
  const scaled = exact.unscaled * factor.times;
  const divisor = factor.over * 10n ** BigInt(exact.scale);
  // Thirty digits more exceed the precision of a number.
  const places = exact.scale + 30;
  const value = Number(decimalText({ unscaled: (scaled * 10n ** BigInt(places)) / divisor, scale: places })) || 0;
  if (!Number.isFinite(value)) return failed('This number is too large.');
  const isPlain = factor.times === factor.over;
  const kept = parseDecimal(String(value));
  if (isPlain && kept && !sameDecimal(exact, kept)) return failed('This number has more digits than can be kept.');
  const { min, max, whole, unit } = rules;
  const shown = inFull(value, unit);
  const isAsWritten = rule === '' && [String(value), inFull(value)].includes(normalized(typed).replace(/^\+/, ''));
  const understood = isAsWritten || isSameWithUnit(typed, value, unit) ? null : `= ${shown}${rule}`;
  const problem =
    whole && scaled % divisor !== 0n
      ? `A whole number is needed${isPlain ? '' : `; this is ${shown}`}.`
      : min !== undefined && value < min
        ? `At least ${inFull(min, unit)}.`
        : max !== undefined && value > max
          ? `At most ${inFull(max, unit)}.`
          : null;
  return { value, problem, understood };
}

const sameDecimal = (a: ExactDecimal, b: ExactDecimal): boolean =>
  a.unscaled * 10n ** BigInt(b.scale) === b.unscaled * 10n ** BigInt(a.scale);

/** "500 ms" in a field of ms needs no explanation. */
const isSameWithUnit = (typed: string, value: number, unit: NumberUnit | undefined): boolean =>
  unit !== undefined && normalized(typed).replace(/ ?\D+$/, ` ${unit}`) === `${value} ${unit}`;

/** The number with all its digits, commas between thousands, and the unit. */
function inFull(value: number, unit?: NumberUnit): string {
  const [whole = '', fraction] = decimalText(parseDecimal(String(value)) ?? { unscaled: 0n, scale: 0 }).split('.');
  const grouped = unit === 'digits' ? whole : whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  const number = fraction === undefined ? grouped : `${grouped}.${fraction}`;
  if (unit === undefined || unit === 'share' || unit === 'digits') return number;
  return unit === '1/s' ? `${number}/s` : `${number}\u00a0${unit}`;
}

const notUnderstood = (typed: string, rules: NumberRules): string =>
  `“${typed.trim().slice(0, 30)}” is not understood. ${howToWrite(rules)}`;

const unknownSuffix = (suffix: string, rules: NumberRules): string =>
  /^m$/i.test(suffix.trim())
    ? `“${suffix.trim()}” has several meanings. ${howToWrite(rules)}`
    : `“${suffix.trim().slice(0, 30)}” does not fit here. ${howToWrite(rules)}`;

const twoMeanings = (written: string, plain: string, thousands: string): string =>
  `“${written}” has two meanings: write ${thousands}, or ${String(Number(plain))}.`;

function howToWrite({ unit, whole }: NumberRules): string {
  switch (unit) {
    case 'ms':
    case 's':
    case 'min':
      return `Write a number of ${unit}, or with a unit: 500 ms, 2 s, 5 min, 1 h.`;
    case 'KB':
    case 'MiB':
      return `Write a number of ${unit}, or with a unit: 64 KB, 16 MB, 1 GB.`;
    case '%':
      return 'Write a number of per cent, such as 5 or 2.5.';
    case 'share':
      return 'Write a number from 0 to 1, such as 0.05, or 5 %.';
    case '1/s':
      return 'Write a number per second, such as 500 or 10k, or 600/min.';
    case 'Mbit/s':
      return 'Write a number of Mbit/s, or with a unit: 500 kbit/s, 1 Gbit/s.';
    case 'digits':
      return 'Write digits alone.';
    default:
      return whole ? 'Write a whole number, such as 20000, 20k or 2M.' : 'Write a number, such as 0.5, 20000 or 20k.';
  }
}
