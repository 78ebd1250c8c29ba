import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { PostgresConfig } from './config.ts';

/** Path of one of PostgreSQL's own client programs; null (and a visible word) where it is not installed. */
export function findPeer(program: 'psql' | 'pgbench'): string | null {
  const path = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, program));
  const found = path.find((file) => existsSync(file)) ?? null;
  if (found === null)
    console.log(
      `SKIPPED: ${program} is not installed, so there is nothing to compare with (Debian: postgresql-client).`,
    );
  return found;
}

/** Environment of such a program: the same server and database as ours. */
export const peerEnvironment = ({ host, port, user, database, password }: PostgresConfig): NodeJS.ProcessEnv => ({
  ...process.env,
  PGHOST: host,
  PGPORT: String(port),
  PGUSER: user,
  PGDATABASE: database,
  PGPASSWORD: password ?? '',
});

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
