import type { ErrorData } from '#model/error.ts';

/** The answer to a call that touched other rows than it had to. */
export const mismatch = (
  touched: number,
  { low, high }: { readonly low: number; readonly high: number },
): ErrorData => ({
  kind: 'mismatch',
  code: null,
  message: `A call should have touched ${low === high ? low : `${low} to ${high}`} rows; the server reported ${touched}.`,
  hint: 'Something else changes the table, or the server kept other rows than it was sent.',
  retryable: false,
});
