import { readerScript } from '../shared/reader-script.ts';
import { quote } from './names.ts';
import { literal } from './values/values.ts';

/** The least rights that a user for Dyno needs (manual, chapters "GRANT" and "Predefined Roles"). */
export function grants({ user, database }: { readonly user: string; readonly database: string }): string {
  const [role, name] = [quote(user), quote(database)];
  return `-- Run as a superuser or the owner of the database ${name}. Set the password by \\password ${role} in psql: it is then in no script.
-- It can be run again.
DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = ${literal(user)}) THEN CREATE ROLE ${role} LOGIN; END IF; END $$;
GRANT CONNECT, CREATE ON DATABASE ${name} TO ${role};  -- Dyno keeps its tables in a schema of its own, dyno
-- Server counters and wait events of other sessions; without it they are listed as unavailable.
GRANT pg_monitor TO ${role};
-- A checkpoint before the clock starts, so that trials begin alike; servers before PostgreSQL 15 have no role for it.
DO $$ BEGIN IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'pg_checkpoint') THEN GRANT pg_checkpoint TO ${role}; END IF; END $$;
-- Afterwards, when dyno clean has dropped Dyno's tables: DROP SCHEMA dyno; DROP OWNED BY ${role}; DROP ROLE ${role};
${readerScript(
  [
    `CREATE ROLE ${role} LOGIN;`,
    `ALTER ROLE ${role} SET default_transaction_read_only = on;`,
    `GRANT CONNECT ON DATABASE ${name} TO ${role};`,
    `GRANT pg_read_all_data TO ${role};`,
    `GRANT pg_monitor TO ${role};`,
  ],
  'It needs these statements alone. Before PostgreSQL 14, grant SELECT on the tables in place of pg_read_all_data.',
)}`;
}
