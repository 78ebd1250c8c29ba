/**
 * A NUMBER from the bytes that Oracle stores: an exponent to the base of 100, then digits, which are complements and
 * end with 102 in negative numbers (node-oracledb, "parseOracleNumber").
 */
export function numberOfRaw(hex: string): number | null {
  const [head, ...bytes] = Buffer.from(hex, 'hex');
  if (head === undefined) return null;
  if (head === 0x80) return 0;
  const isPositive = head > 0x80;
  const exponent = isPositive ? head - 193 : 62 - head;
  const digits = isPositive
    ? bytes.map((byte) => byte - 1)
    : bytes.filter((byte) => byte !== 102).map((byte) => 101 - byte);
  if (digits.length === 0 || digits.some((digit) => digit < 0 || digit > 99)) return null;
  const text = digits.map((digit) => String(digit).padStart(2, '0')).join('');
  const point = (exponent + 1) * 2;
  return Number(`${isPositive ? '' : '-'}${text}e${point - text.length}`);
}

/** A DATE or TIMESTAMP from its bytes: century and year plus 100, month, day, and the time plus 1. */
export function dateOfRaw(hex: string): string | null {
  const [century, year, month, day, hour, minute, second] = Buffer.from(hex, 'hex');
  if (second === undefined) return null;
  const full = (century! - 100) * 100 + year! - 100;
  if (full < 1) return null;
  const parts = [month!, day!, hour! - 1, minute! - 1, second - 1].map((part) => String(part).padStart(2, '0'));
  return `${String(full).padStart(4, '0')}-${parts[0]}-${parts[1]} ${parts[2]}:${parts[3]}:${parts[4]}`;
}

/** The Julian day of 1970-01-01. */
const epoch = 2_440_588;

/** A time from the Julian day of an endpoint, whose fraction is the part of the day. */
export const dateOfJulian = (day: number): string =>
  new Date(Math.round((day - epoch) * 86_400) * 1_000).toISOString().slice(0, 19).replace('T', ' ');
