/** JSON.rawJSON and its companions (ES2026), which TypeScript's library lacks. */
const json = JSON as typeof JSON & {
  rawJSON(text: string): object;
  isRawJSON(value: unknown): value is { readonly rawJSON: string };
};

/** A number as it is written, which JSON.stringify writes so. */
export const exactNumber = (text: string): object => json.rawJSON(text);

/** String() of a value, or the digits of an exact number. */
export const textOf = (value: unknown): string => (json.isRawJSON(value) ? value.rawJSON : String(value));

/** The digits of an exact number; null for other values. */
export const digitsOf = (value: unknown): string | null => (json.isRawJSON(value) ? value.rawJSON : null);

/** Parses JSON with all digits: numbers that a double prints otherwise (1.50, twenty digits) become exact numbers. */
export function parseExactly(text: string): unknown {
  const reviver = (_: string, value: unknown, { source = '' }: { readonly source?: string }): unknown =>
    typeof value === 'number' && String(value) !== source ? exactNumber(source) : value;
  return JSON.parse(text, reviver as Parameters<typeof JSON.parse>[1]);
}
