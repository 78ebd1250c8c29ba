/**
 * JSON in canonical form, which hides an engine's changes to white space, field order and numbers: fields sorted by
 * length of name and then by name, as in jsonb and MySQL's JSON; no white space; numbers without exponent and without
 * trailing zeros.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'number') return plainNumber(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const fields = Object.entries(value).toSorted(([a], [b]) => byFieldName(a, b));
  return `{${fields.map(([name, inner]) => `${JSON.stringify(name)}:${canonicalJson(inner)}`).join(',')}}`;
}

/** Names are ASCII. */
export const byFieldName = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : 1);

/** The conversion is exact for generated columns: integers below 2^53, and decimals of 15 digits. */
function plainNumber(value: number): string {
  const [, sign, digit, fraction = '', exponent] = /^(-?)(\d)(?:\.(\d+))?e-(\d+)$/.exec(String(value)) ?? [];
  return exponent === undefined ? String(value) : `${sign}0.${'0'.repeat(Number(exponent) - 1)}${digit}${fraction}`;
}

/** The canonical JSON of the decimal text "12.50". */
export const withoutTrailingZeros = (decimal: string): string =>
  decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal;
