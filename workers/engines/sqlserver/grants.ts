import { readerScript } from '../shared/reader-script.ts';
import { quote, schemaName, text } from './names.ts';

/** The least rights that a user for Dyno needs (manual, "Permissions (Database Engine)"). */
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
  const who = text(windows ? `${domain}\\${user}` : user);
  const schema = text(schemaName);
  const isMarked = `EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 3 AND major_id = SCHEMA_ID(${schema}) AND name = N'dyno')`;
  return `-- Run in SSMS or sqlcmd as a member of sysadmin (first part) and of db_owner (second part), on any version from SQL Server 2012 on.
-- It can be run again: what is there stays.
USE [master];
GO
${login(name, who, windows, entra)}
GO
-- Server counters and wait events of all sessions, and how this connection is encrypted; without these rights they are listed as unavailable.
-- Versions before SQL Server 2022 (16) refuse a batch that names the two new rights, so each stands in a text of its own.
IF CAST(PARSENAME(CAST(SERVERPROPERTY('ProductVersion') AS nvarchar(128)), 4) AS int) >= 16 OR CAST(SERVERPROPERTY('EngineEdition') AS int) = 8
  EXECUTE (${text(`GRANT VIEW SERVER PERFORMANCE STATE TO ${name}; GRANT VIEW SERVER SECURITY STATE TO ${name};`)});
ELSE
  EXECUTE (${text(`GRANT VIEW SERVER STATE TO ${name};`)});
GO
${use}
GO
IF USER_ID(${who}) IS NULL
  ${entra ? `CREATE USER ${name} FROM EXTERNAL PROVIDER;` : `CREATE USER ${name} FOR LOGIN ${name};`}
GO
-- Dyno keeps its tables in a schema of its own, ${schemaName}, which this makes and marks as Dyno's.
IF SCHEMA_ID(${schema}) IS NULL
BEGIN
  EXECUTE (${text(`CREATE SCHEMA ${schemaName} AUTHORIZATION ${name};`)});
  EXECUTE sys.sp_addextendedproperty @name = N'dyno', @value = N'schema', @level0type = N'SCHEMA', @level0name = ${schema};
END
ELSE IF NOT ${isMarked}
  RAISERROR (N'The schema ${schemaName} is there and is not marked as Dyno''s: Dyno will not use it.', 16, 1);
ELSE IF NOT EXISTS (SELECT 1 FROM sys.schemas WHERE name = ${schema} AND principal_id = USER_ID(${who}))
  EXECUTE (${text(`GRANT CONTROL ON SCHEMA::${schemaName} TO ${name};`)});
GO
GRANT CREATE TABLE, CREATE TYPE TO ${name};
GO
-- Query plans (SET STATISTICS XML, SET SHOWPLAN_XML), also of custom statements when they are tried.
GRANT SHOWPLAN TO ${name};
GO
-- A checkpoint before the clock starts, so that trials begin alike.
ALTER ROLE db_backupoperator ADD MEMBER ${name};
GO
-- Only for cache: cold, which empties the cache of the whole server, and only while no sessions but the run's are there (in master).
-- GRANT ALTER SERVER STATE TO ${name};
-- Only for partitions, and sqlserver.table: partitioned: partition schemes and functions are the database's.
-- GRANT ALTER ANY DATASPACE TO ${name};
-- Afterwards: drop what is left in ${schemaName}, then DROP SCHEMA ${schemaName}; DROP USER ${name};${entra ? '' : ` DROP LOGIN ${name};`}
${readerScript(
  [
    `ALTER ROLE db_datareader ADD MEMBER ${name};`,
    `ALTER ROLE db_denydatawriter ADD MEMBER ${name};`,
    `GRANT SHOWPLAN TO ${name};`,
  ],
  'Make login and user with the rights over the server as above, and leave out the rest but these.',
)}`;
}

function login(name: string, who: string, windows: boolean, entra: boolean): string {
  const unless = `IF SUSER_ID(${who}) IS NULL\n  `;
  if (entra) return `${unless}CREATE LOGIN ${name} FROM EXTERNAL PROVIDER;`;
  if (windows) return `${unless}CREATE LOGIN ${name} FROM WINDOWS;`;
  return `${unless}CREATE LOGIN ${name} WITH PASSWORD = N'<choose one>';  -- and give it to Dyno as the target's password`;
}
