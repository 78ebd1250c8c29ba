/**
 * JSON in one form, whatever the engine that gives it back did to white space, to the order of fields and to numbers:
 * fields by length of name and then by name, as jsonb and MySQL's JSON keep them; no white space; numbers without
 * exponent and without zeros at their end.
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

/** Exact for what columns make: integers below 2^53, and decimals of 15 digits. */
function plainNumber(value: number): string {
  const [, sign, digit, fraction = '', exponent] = /^(-?)(\d)(?:\.(\d+))?e-(\d+)$/.exec(String(value)) ?? [];
  return exponent === undefined ? String(value) : `${sign}0.${'0'.repeat(Number(exponent) - 1)}${digit}${fraction}`;
}

/** The decimal text "12.50" as canonical JSON has it. */
export const withoutTrailingZeros = (decimal: string): string =>
  decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal;
