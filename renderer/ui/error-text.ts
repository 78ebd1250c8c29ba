import type { ErrorData } from '#contract/error.ts';

/** An error's message, followed by its hint. */
export const errorText = ({ message, hint }: Pick<ErrorData, 'message' | 'hint'>): string =>
  hint ? `${message} ${hint}` : message;
