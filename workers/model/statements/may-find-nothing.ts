import type { StatementSpec } from './statements.ts';

/** True where the file says that calls of a statement may return or change no row. */
export const mayFindNothing = (expectRows: StatementSpec['expectRows']): boolean =>
  expectRows === 0 || (typeof expectRows === 'object' && expectRows.min === 0);
