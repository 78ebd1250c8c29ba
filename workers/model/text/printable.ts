/** Characters that move the cursor, set titles, hide or break lines, or turn the direction of writing round. */
const steering = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;
/** Characters at which a terminal, or a page, begins a new line. */
const lineEnds = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;

/**
 * Text for a terminal or a page, of several lines where it has them. Names in experiments and run files, and answers of
 * servers, may hold characters that steer a terminal: they are replaced. Line ends and tabs stay.
 */
export const printable = (text: string): string =>
  text.replace(steering, (char) => (char === '\n' || char === '\t' ? char : '\ufffd'));

/**
 * A name or value of a file or server on one line: characters that steer a terminal, line ends among them, become
 * spaces, so that the text cannot look like lines that Dyno writes.
 */
export const oneLine = (text: string): string => text.replaceAll(new RegExp(`${steering.source}+`, 'gu'), ' ').trim();

/** A text as one item of a list: its lines after the first are indented, and none looks like another item. */
export const asItem = (text: string, indent = '    '): string => printable(text.split(lineEnds).join(`\n${indent}`));
