import type { ErrorData } from './error.ts';

/**
 * The message of an error, followed by its hint, as sentences: "The server said: no such file. Install its libraries."
 * Messages of servers seldom end with a full stop.
 */
export const errorText = ({
  message,
  hint,
}: Pick<ErrorData, 'message'> & { readonly hint?: string | null | undefined }): string =>
  hint ? `${message.trimEnd()}${/[.!?…:;,]["'”’)]?$/.test(message.trimEnd()) ? '' : '.'} ${hint}` : message;
