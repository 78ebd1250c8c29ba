import type { ErrorData } from '#model/error.ts';

/** An error's message, followed by its hint. */
export const errorText = ({ message, hint }: Pick<ErrorData, 'message' | 'hint'>): string =>
  hint ? `${message} ${hint}` : message;
