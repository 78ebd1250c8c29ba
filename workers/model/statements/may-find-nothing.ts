import type { StatementSpec } from './statements.ts';

/** True if the file allows calls of a statement to return or change no row. */
export const mayFindNothing = (expectRows: StatementSpec['expectRows']): boolean =>
  expectRows === 0 || (typeof expectRows === 'object' && expectRows.min === 0);
