import type oracledb from 'oracledb';
import { identitiesOf } from '../../shared/identities.ts';

/** Each query returns one text. */
const identityQueries = {
  // All instances of RAC have the same dbid, and so have standbys; a user needs a right to read it.
  dbid: 'SELECT TO_CHAR(dbid) FROM v$database',
  name: "SELECT SYS_CONTEXT('USERENV', 'DB_UNIQUE_NAME') || '.' || SYS_CONTEXT('USERENV', 'DB_DOMAIN') || ' on ' || SYS_CONTEXT('USERENV', 'SERVER_HOST') FROM DUAL",
} as const;

/** The database's number, and its name with the server's host. */
export const identities = (connection: oracledb.Connection): Promise<readonly string[]> =>
  identitiesOf(
    Object.entries(identityQueries).map(
      ([kind, sql]) =>
        async () =>
          ((await connection.execute<readonly (string | null)[]>(sql)).rows ?? []).map(([id]) => id && `${kind} ${id}`),
    ),
  );
