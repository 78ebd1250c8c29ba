import { quote } from './names.ts';

/** The least that a user of Dyno's own needs; manual, chapters "GRANT" and "Predefined Roles". */
export function grants({ user, database }: { readonly user: string; readonly database: string }): string {
  const [role, name] = [quote(user), quote(database)];
  return `-- Run as a superuser or the owner of the database ${name}. Set the password by \\password ${role} in psql: it is then in no script.
CREATE ROLE ${role} LOGIN;
GRANT CONNECT, CREATE ON DATABASE ${name} TO ${role};  -- Dyno keeps its tables in a schema of its own, dyno
-- Server counters and wait events of other sessions; without it they are listed as unavailable.
GRANT pg_monitor TO ${role};
-- PostgreSQL 15 and later: a checkpoint before the clock starts, so that trials begin alike.
GRANT pg_checkpoint TO ${role};
-- Afterwards, everything of Dyno goes by: DROP SCHEMA dyno CASCADE; DROP OWNED BY ${role}; DROP ROLE ${role};
`;
}
