import type { PostgresConfig } from './config.ts';

/** Environment of PostgreSQL's own client programs: the same server and database as ours. */
export const peerEnvironment = ({ host, port, user, database, password, ssl }: PostgresConfig): NodeJS.ProcessEnv => ({
  ...process.env,
  PGHOST: host,
  PGPORT: String(port),
  PGUSER: user,
  PGDATABASE: database,
  PGPASSWORD: password ?? '',
  // Without this variable they use TLS wherever the server takes it.
  PGSSLMODE: ssl,
});
