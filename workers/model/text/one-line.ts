/**
 * A name or value of a file on one line: control characters, line separators and characters that change the direction
 * of writing become spaces, so that the text cannot look like lines that Dyno writes.
 */
export const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ').trim();
