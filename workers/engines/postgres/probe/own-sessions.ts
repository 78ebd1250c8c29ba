import type pg from 'pg';

/** Everybody may read the names of sessions (application_name), but not what they do. */
export async function sessionsOf(client: pg.Client, tag: string): Promise<number> {
  const { rows } = await client.query<{ sessions: string }>(
    `SELECT count(*) AS sessions FROM pg_stat_activity
      WHERE left(application_name, length($1)) = $1 AND pid <> pg_backend_pid()`,
    [tag],
  );
  return Number(rows[0]?.sessions);
}
