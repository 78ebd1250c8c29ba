/** Characters that move the cursor, set titles, hide or break lines, or reverse the writing direction. */
const steering = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;
/** Characters at which a terminal, or a page, begins a new line. */
const lineEnds = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;

/**
 * Text for a terminal or a page, which may have several lines. Names in experiments and run files, and answers of
 * servers, may contain terminal control characters, which are replaced. Line ends and tabs stay.
 */
export const printable = (text: string): string =>
  text.replace(steering, (char) => (char === '\n' || char === '\t' ? char : '\ufffd'));

/**
 * A name or value from a file or server on one line: control characters, including line ends, become spaces, so that
 * the text cannot imitate lines of Dyno.
 */
export const oneLine = (text: string): string => text.replaceAll(new RegExp(`${steering.source}+`, 'gu'), ' ').trim();

/** A text as one item of a list: its lines after the first are indented, so that none looks like another item. */
export const asItem = (text: string, indent = '    '): string => printable(text.split(lineEnds).join(`\n${indent}`));
