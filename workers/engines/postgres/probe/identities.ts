import type pg from 'pg';
import { identitiesOf } from '../../shared/identities.ts';

/**
 * Reads the identifier of the database cluster, which its standbys and copies of its files share (CockroachDB has its
 * own), and the time of the server's start in µs. Every user may read both.
 */
export const identities = (client: pg.Client): Promise<readonly string[]> => {
  const ask = (kind: string, sql: string) => async () =>
    (await client.query<{ id: string | null }>(sql)).rows.map(({ id }) => id && `${kind} ${id}`);
  return identitiesOf([
    ask('cluster', 'SELECT system_identifier::text AS id FROM pg_control_system()'),
    ask('start', 'SELECT extract(epoch FROM pg_postmaster_start_time())::text AS id'),
  ]);
};
