import { quote, schemaName } from './names.ts';

/** The least that a user of Dyno's own needs; manual, "Permissions (Database Engine)". */
export function grants({
  user,
  domain,
  database,
  authentication,
}: {
  readonly user: string;
  readonly domain: string | null;
  readonly database: string | null;
  readonly authentication: string;
}): string {
  const windows = domain !== null;
  const entra = authentication.startsWith('azure');
  const name = quote(windows ? `${domain}\\${user}` : user);
  const use = database === null ? '-- In the database that Dyno is to use:' : `USE ${quote(database)};`;
  return `-- Run in SSMS or sqlcmd as a member of sysadmin (first part) and of db_owner (second part).
USE [master];
${login(name, windows, entra)}
-- Server counters and wait events of all sessions, and how this connection is encrypted; without these rights they are listed as unavailable.
-- SQL Server 2022 and later has the first two, versions before have the third instead.
GRANT VIEW SERVER PERFORMANCE STATE TO ${name};
GRANT VIEW SERVER SECURITY STATE TO ${name};
-- GRANT VIEW SERVER STATE TO ${name};
${use}
${entra ? `CREATE USER ${name} FROM EXTERNAL PROVIDER;` : `CREATE USER ${name} FOR LOGIN ${name};`}
GO
-- Dyno keeps its tables in a schema of its own, ${schemaName}, which this makes and marks as Dyno's.
CREATE SCHEMA ${schemaName} AUTHORIZATION ${name};
GO
EXECUTE sys.sp_addextendedproperty @name = N'dyno', @value = N'schema', @level0type = N'SCHEMA', @level0name = N'${schemaName}';
GRANT CREATE TABLE, CREATE TYPE TO ${name};
-- Query plans (SET STATISTICS XML, SET SHOWPLAN_XML), also of custom statements when they are tried.
GRANT SHOWPLAN TO ${name};
-- A checkpoint before the clock starts, so that trials begin alike.
ALTER ROLE db_backupoperator ADD MEMBER ${name};
-- Only for cache: cold, which empties the cache of the whole server, and only while no sessions but the run's are there (in master).
-- GRANT ALTER SERVER STATE TO ${name};
-- Only for partitions, and sqlserver.table: partitioned: partition schemes and functions are the database's.
-- GRANT ALTER ANY DATASPACE TO ${name};
-- Afterwards: drop what is left in ${schemaName}, then DROP SCHEMA ${schemaName}; DROP USER ${name};${entra ? '' : ` DROP LOGIN ${name};`}
`;
}

function login(name: string, windows: boolean, entra: boolean): string {
  if (entra) return `CREATE LOGIN ${name} FROM EXTERNAL PROVIDER;`;
  if (windows) return `CREATE LOGIN ${name} FROM WINDOWS;`;
  return `CREATE LOGIN ${name} WITH PASSWORD = N'<choose one>';  -- and give it to Dyno as the target's password`;
}
