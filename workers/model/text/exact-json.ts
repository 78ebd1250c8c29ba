/** What ES2026 adds to JSON and the types do not know yet. */
const json = JSON as typeof JSON & {
  rawJSON(text: string): object;
  isRawJSON(value: unknown): value is { readonly rawJSON: string };
};

/** A number as it is written, which JSON.stringify writes so. */
export const exactNumber = (text: string): object => json.rawJSON(text);

/** What String() makes of a value, and the digits of an exact number. */
export const textOf = (value: unknown): string => (json.isRawJSON(value) ? value.rawJSON : String(value));

/** Of such a number, and of nothing else, the digits. */
export const digitsOf = (value: unknown): string | null => (json.isRawJSON(value) ? value.rawJSON : null);

/**
 * Text whose numbers become numbers where these are written the same, and exact ones where digits would be lost: 1.50,
 * or twenty of them.
 */
export function parseExactly(text: string): unknown {
  const reviver = (_: string, value: unknown, { source = '' }: { readonly source?: string }): unknown =>
    typeof value === 'number' && String(value) !== source ? exactNumber(source) : value;
  return JSON.parse(text, reviver as Parameters<typeof JSON.parse>[1]);
}
