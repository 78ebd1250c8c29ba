import type { KeptStatements } from '#engine-api/kept-statements.ts';
import type { UserTable } from '#model/statements/statements.ts';

/** All that a server tells about its statements, and the user's tables there. */
export interface ToldStatements {
  readonly kept: KeptStatements;
  readonly tables: readonly UserTable[];
}
