/**
 * Text for a terminal. Names in experiments and run files may contain control characters that move the cursor, set
 * titles or hide lines, and characters of writing direction that reorder a line; they are replaced. Line ends and tabs
 * stay.
 */
export const printable = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, '\ufffd');
