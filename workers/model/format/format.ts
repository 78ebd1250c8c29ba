/**
 * Numbers for readers: 3 significant digits, commas between thousands, no-break spaces before units. Window, terminal,
 * report and messages share them. Null and NaN are a dash: "not measured", which is not zero.
 */

/** A no-break space before a unit. */
const space = '\u00a0';
/** The text in place of a value that is not known. */
export const dash = '–';
const missing = (value: number | null | undefined): value is null | undefined =>
  value === null || value === undefined || Number.isNaN(value);

/**
 * 3 significant digits with commas between thousands: 1234567 → "1,230,000", 0.012345 → "0.0123". Tiny and huge numbers
 * are written out too: 0.0000123 is not "1.23e−5", which few people read at once.
 */
export function formatNumber(value: number | null | undefined, digits = 3): string {
  if (missing(value)) return dash;
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  if (value === 0) return '0';
  const magnitude = Math.floor(Math.log10(Math.abs(value)));
  const step = 10 ** (magnitude - digits + 1);
  const rounded = magnitude >= digits ? Math.round(value / step) * step : Number(value.toPrecision(digits));
  // toFixed would write an exponent.
  if (Math.abs(rounded) >= 1e21) return grouped(rounded.toLocaleString('en', { useGrouping: false }));
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(Math.abs(rounded)) + 1e-12));
  return grouped(rounded.toFixed(Math.min(100, decimals)));
}

/** The number in full, with commas between thousands, for counts of rows and calls: "1,234,567". */
export const formatCount = (value: number | null | undefined): string =>
  missing(value) ? dash : grouped(Math.round(value).toFixed(0));

/**
 * The number in full, or with at most this many significant digits, without trailing zeros: 1500 → "1,500", 0.250 →
 * "0.25".
 */
export const formatUpTo = (value: number | null | undefined, digits = 15): string =>
  trimmed(formatNumber(value, digits));

/** "19,000,000 rows in 9 tables"; for a single table only its rows. */
export const formatRows = (
  { rows, tables }: { readonly rows: number; readonly tables: number },
  unit = ' rows',
): string => (tables > 1 ? `${formatCount(rows)}${unit} in ${tables} tables` : `${formatCount(rows)}${unit}`);

const grouped = (digits: string): string => {
  const [whole = '', fraction] = digits.replace('-', '−').split('.');
  const separated = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return fraction === undefined ? separated : `${separated}.${fraction}`;
};

const si: readonly (readonly [number, string])[] = [
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
];

/** Short, for axes and labels: 2510000 → "2.51M", 16400 → "16.4k". */
export function formatShort(value: number | null | undefined, digits = 3): string {
  if (missing(value)) return dash;
  // The larger unit begins at 999.5, because rounding would give "1000" of the smaller one.
  const [scale, letter] = si.find(([limit]) => Math.abs(value) >= limit * (1 - 0.5 * 10 ** -digits)) ?? [1, ''];
  const number = formatNumber(value / scale, digits);
  return letter === '' ? number : `${number}${letter}`;
}

/** Like formatShort, for axis ticks: no trailing zeros, "10k" rather than "10.0k". */
export const formatTick = (value: number | null | undefined): string => trimmed(formatShort(value));

/** formatMs for axis ticks: "10 s", "5 min". */
export const formatMsTick = (ms: number): string =>
  ms === 0 ? '0' : trimmed(formatMs(ms)).replace(/(?<=min|h)\s0\s\w+$/, '');

const trimmed = (text: string) => text.replace(/(\.\d*?)0+(?!\d)/, '$1').replace(/\.(?!\d)/, '');

/** "16.4k rows/s". */
export const formatRate = (value: number | null | undefined, unit = 'rows/s', digits = 3): string =>
  missing(value) ? dash : `${formatShort(value, digits)}${space}${unit}`;

/** A duration in ms, formatted in the unit that suits it: "850 ns", "12.3 µs", "1.25 ms", "3.4 s", "1 h 2 min". */
export const formatMs = (ms: number | null | undefined): string => formatMsTo(ms, 3);

/** formatMs with this many significant digits. */
export function formatMsTo(ms: number | null | undefined, digits: number): string {
  if (missing(ms)) return dash;
  const size = Math.abs(ms);
  // The larger unit begins at this share of it, because rounding would give "1,000" of the smaller one.
  const full = 1 - 0.5 * 10 ** -digits;
  if (size === 0) return `0${space}ms`;
  if (size < 0.001 * full) return `${formatNumber(ms * 1e6, digits)}${space}ns`;
  if (size < full) return `${formatNumber(ms * 1e3, digits)}${space}µs`;
  if (size < 1e3 * full) return `${formatNumber(ms, digits)}${space}ms`;
  if (size < 119_500) return `${formatNumber(ms / 1e3, digits)}${space}s`;
  const seconds = Math.round(ms / 1e3);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}${space}min ${seconds % 60}${space}s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)}${space}h ${minutes % 60}${space}min`;
}

/** An amount of money with its currency, if it has one: "0.0342 EUR". */
export const formatMoney = (amount: number | null | undefined, currency: string | undefined, digits = 3): string =>
  missing(amount) || currency === undefined
    ? formatNumber(amount, digits)
    : `${formatNumber(amount, digits)}${space}${currency}`;

/** Bytes in binary units, the only ones that Dyno uses: "8 KiB", "1.5 GiB". */
export const formatBytes = (bytes: number | null | undefined): string => formatBytesTo(bytes, 3);

/** formatBytes with this many significant digits. */
export function formatBytesTo(bytes: number | null | undefined, digits: number): string {
  if (missing(bytes)) return dash;
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  const power = bytes === 0 ? 0 : Math.min(5, Math.max(0, Math.floor(Math.log2(Math.abs(bytes)) / 10 + 1e-12)));
  return `${formatNumber(bytes / 2 ** (10 * power), digits)}${space}${units[power]}`;
}

/** formatBytes for axis ticks. */
export const formatBytesTick = (bytes: number): string => (bytes === 0 ? '0' : trimmed(formatBytes(bytes)));

interface StoredBytesPerRow {
  readonly table: number;
  readonly index: number;
  readonly medium: 'disk' | 'memory';
}

/** Bytes of table and indexes: "82.0 B + 41.0 B index"; tables in memory are marked. */
export function formatStored(stored: StoredBytesPerRow | null): string {
  if (stored === null) return dash;
  const { table, index, medium } = stored;
  return `${formatBytes(table)}${index === 0 ? '' : ` + ${formatBytes(index)} index`}${medium === 'memory' ? ' in memory' : ''}`;
}

/** A share 0…1: "12.3 %". */
export const formatPercent = (share: number | null | undefined): string => percentTo(share, 3);

const percentTo = (share: number | null | undefined, digits: number): string =>
  missing(share)
    ? dash
    : `${share !== 0 && Math.abs(share) < 0.001 ? '<0.1' : formatNumber(share * 100, digits)}${space}%`;

/** A share as a label of an axis, without trailing zeros. */
export const formatPercentTick = (share: number): string => trimmed(formatPercent(share));

/** "41.2×". */
export const formatRatio = (ratio: number | null | undefined, digits = 3): string =>
  missing(ratio) ? dash : `${formatNumber(ratio, digits)}×`;

interface Bounds {
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
}

/** Significant digits that an interval justifies: 2 if it is wider than a fifth of its value, otherwise 3. */
export const digitsWithin = ({ value, low, high }: Bounds): number =>
  low !== null && high !== null && high - low > 0.2 * Math.abs(value) ? 2 : 3;

/** "41.2× (38.9–43.7)", "12× (8.1–17)"; without bounds the value alone. */
export const formatRatioInterval = (interval: Bounds): string => {
  const bounds = formatRatioBounds(interval);
  const value = formatRatio(interval.value, digitsWithin(interval));
  return bounds === '' ? value : `${value} (${bounds})`;
};

/** "38.9–43.7"; empty without bounds. */
export const formatRatioBounds = (interval: Bounds): string => {
  const { low, high } = interval;
  if (low === null || high === null) return '';
  const digits = digitsWithin(interval);
  return `${low < 1e-4 ? '<0.0001' : formatBound(low, digits)}–${high > 1e6 ? '>1,000,000' : formatBound(high, digits)}`;
};

/** A bound near 1 has enough digits to show on which side of 1 it lies. */
function formatBound(bound: number, least: number): string {
  const enough = [2, 3, 4, 5, 6, 7, 8].find(
    (count) => count >= least && (bound === 1 || Number(bound.toPrecision(count)) !== 1),
  );
  return formatNumber(bound, enough ?? 9);
}

/** A ratio of speeds in words, from a factor of 2 as a multiple: "2.1× faster", "40 % slower". */
export const formatSpeed = (ratio: Bounds): string => formatChange(ratio, 'faster', 'slower');

/** A ratio with custom words for more and less: "2.1× higher", "40 % lower". */
export function formatChange(ratio: Bounds, more: string, less: string): string {
  const { value } = ratio;
  if (value < 1) return `${changedPercent(1 - value)}${space}% ${less}`;
  return value < 2
    ? `${changedPercent(value - 1)}${space}% ${more}`
    : `${formatRatio(value, digitsWithin(ratio))} ${more}`;
}

/**
 * The bounds of formatChange in the unit of its value, with a blank before: " (36–47×)" of "41× faster", " (1.0–7.1 %)"
 * of "4.2 % slower". Empty without bounds.
 */
export function formatChangeBounds(ratio: Bounds): string {
  const { value, low, high } = ratio;
  if (low === null || high === null) return '';
  if (value >= 2) return ` (${formatRatioBounds(ratio)}×)`;
  const percents = (value < 1 ? [1 - high, 1 - low] : [low - 1, high - 1]).map(changedPercent);
  return ` (${percents.join('–')}${space}%)`;
}

/** A share in percent with two digits, or with as many as a share below 1 needs to stay below 100. */
function changedPercent(share: number): string {
  if (share > 1e4) return '>1,000,000';
  const enough = [2, 3, 4, 5, 6, 7, 8].find((count) => share >= 1 || Number(share.toPrecision(count)) < 1);
  return formatNumber(share * 100, enough ?? 9);
}

/** "16.4k (15.9k–16.9k)", "116 µs (107–126 µs)"; without bounds the value alone. */
export const formatInterval = (interval: Bounds, format: NumberFormat = formatShort): string => {
  const bounds = formatBounds(interval, format);
  const value = format(interval.value, digitsWithin(interval));
  return bounds === '' ? value : `${value} (${bounds})`;
};

/** "15.9k–16.9k", "107–126 µs", "610 µs–1.9 ms": bounds of one unit name it once. Empty without bounds. */
export const formatBounds = (interval: Bounds, format: NumberFormat): string => {
  const { low, high } = interval;
  if (low === null || high === null) return '';
  const digits = digitsWithin(interval);
  const [from, to] = [format(low, digits), format(high, digits)];
  const [fromUnit, toUnit] = [unitOf(from), unitOf(to)];
  return `${fromUnit !== null && fromUnit === toUnit ? from.slice(0, -fromUnit.length) : from}–${to}`;
};

type NumberFormat = (value: number, digits: number) => string;

/** The unit of a number with the blank before it: " ms" of "42.0 ms". Null for other texts. */
const unitOf = (text: string): string | null => /^[\d.,]+(\s\S+)$/.exec(text)?.[1] ?? null;
