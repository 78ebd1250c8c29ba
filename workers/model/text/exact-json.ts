/** JSON.rawJSON and its companions (ES2026), which TypeScript's library lacks. */
const json = JSON as typeof JSON & {
  rawJSON(text: string): object;
  isRawJSON(value: unknown): value is { readonly rawJSON: string };
};

/** A number with its original digits, which JSON.stringify preserves. */
export const exactNumber = (text: string): object => json.rawJSON(text);

/** String() of a value, or the digits of an exact number. */
export const textOf = (value: unknown): string => (json.isRawJSON(value) ? value.rawJSON : String(value));

/** The digits of an exact number; null for other values. */
export const digitsOf = (value: unknown): string | null => (json.isRawJSON(value) ? value.rawJSON : null);

/** A number from its digits: an exact number if a double would print it differently (1.50, twenty digits). */
export const exactOrNumber = (source: string): unknown =>
  String(Number(source)) === source ? Number(source) : exactNumber(source);

/** Parses JSON with all digits: its numbers are made by exactOrNumber(). */
export function parseExactly(text: string): unknown {
  const reviver = (_: string, value: unknown, { source = '' }: { readonly source?: string }): unknown =>
    typeof value === 'number' ? exactOrNumber(source) : value;
  return JSON.parse(text, reviver as Parameters<typeof JSON.parse>[1]);
}
