/**
 * Decimal numbers beyond the precision of a JavaScript number: 38 digits, or 0.0000001, which String() formats as 1e-7.
 * These functions convert text to text through a bigint and round nothing.
 */
export interface ExactDecimal {
  /** The number × 10^scale. */
  readonly unscaled: bigint;
  /** Digits after the point, including trailing zeros. */
  readonly scale: number;
}

/**
 * The limit exceeds the exponents of a double and of an Oracle NUMBER, and keeps "1e999999999" from exhausting the
 * memory.
 */
const mostExponent = 400;
const written = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,9}))?$/;

/** Parses "12.50", ".5", "-1E-7" and the like; null for other texts, and for an excessive exponent. */
export function parseDecimal(text: string): ExactDecimal | null {
  const [, sign, whole = '', fraction = '', exponent = '0'] = written.exec(text) ?? [];
  if (sign === undefined || whole.length + fraction.length === 0) return null;
  const shift = Number(exponent);
  if (Math.abs(shift) > mostExponent) return null;
  const digits = BigInt(whole + fraction);
  const magnitude = shift > fraction.length ? digits * 10n ** BigInt(shift - fraction.length) : digits;
  return { unscaled: sign === '-' ? -magnitude : magnitude, scale: Math.max(0, fraction.length - shift) };
}

/** The number without an exponent, with `scale` digits after the point: "-12.05". */
export function decimalText({ unscaled, scale }: ExactDecimal): string {
  if (scale === 0) return String(unscaled);
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
  return `${unscaled < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** The same number with another scale; null if the new scale would drop digits other than zero. */
export function rescaled({ unscaled, scale }: ExactDecimal, wanted: number): ExactDecimal | null {
  if (wanted >= scale) return { unscaled: unscaled * 10n ** BigInt(wanted - scale), scale: wanted };
  const unit = 10n ** BigInt(scale - wanted);
  return unscaled % unit === 0n ? { unscaled: unscaled / unit, scale: wanted } : null;
}

/** Number of digits before and after the point together: 12.50 has 4, 0.05 has 2. */
export function precisionOf({ unscaled, scale }: ExactDecimal): number {
  const digits = unscaled === 0n ? 0 : String(unscaled < 0n ? -unscaled : unscaled).length;
  return Math.max(1, digits, scale);
}

/** A number without an exponent: "1e-7" is "0.0000001". Other texts stay as they are. */
export function plainDecimal(text: string): string {
  const decimal = parseDecimal(text);
  return decimal === null ? text : decimalText(decimal);
}

/** The largest whole number with this scale that is not above the decimal, × 10^scale. */
export function floorTo({ unscaled, scale }: ExactDecimal, wanted: number): bigint {
  if (wanted >= scale) return unscaled * 10n ** BigInt(wanted - scale);
  const unit = 10n ** BigInt(scale - wanted);
  const quotient = unscaled / unit;
  return unscaled < 0n && quotient * unit !== unscaled ? quotient - 1n : quotient;
}

/** The smallest whole number with this scale that is not below the decimal, × 10^scale. */
export const ceilTo = ({ unscaled, scale }: ExactDecimal, wanted: number): bigint =>
  -floorTo({ unscaled: -unscaled, scale }, wanted);
