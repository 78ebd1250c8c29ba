import type { Connection } from 'tedious';
import type { Fingerprint } from '#engine-api/fingerprint.ts';
import { Refusals } from '../../shared/refusals.ts';
import type { Server } from '../connection/server.ts';
import { toError } from '../errors.ts';
import { query } from '../wire/request.ts';

/** Bytes of every page (manual, "Page and extent architecture"). */
export const pageBytes = 8_192;

/** Facts by name. A source that the user may not read is listed as unavailable. */
interface Source {
  readonly group: 'durability' | 'memory' | 'other';
  readonly what: string;
  readonly needs: string;
  readonly sql: string;
}

const onOff = (column: string): string => `CASE ${column} WHEN 1 THEN 'on' ELSE 'off' END`;

/** Each query returns one row of facts (sys.databases, sys.configurations, SERVERPROPERTY, sys.dm_os_sys_info). */
export const sources: readonly Source[] = [
  {
    group: 'durability',
    what: 'Durability of the database',
    needs: 'access to the database',
    sql: `SELECT LOWER(recovery_model_desc) AS recovery_model, LOWER(delayed_durability_desc) AS delayed_durability,
       LOWER(page_verify_option_desc) AS page_verify, CAST(target_recovery_time_in_seconds AS varchar(20)) + ' s' AS target_recovery_time
  FROM sys.databases WHERE database_id = DB_ID()`,
  },
  {
    group: 'other',
    what: 'Row versioning and compatibility of the database',
    needs: 'access to the database',
    sql: `SELECT ${onOff('CAST(is_read_committed_snapshot_on AS int)')} AS read_committed_snapshot, LOWER(snapshot_isolation_state_desc) AS snapshot_isolation,
       CAST(compatibility_level AS varchar(20)) AS compatibility_level, collation_name AS collation
  FROM sys.databases WHERE database_id = DB_ID()`,
  },
  {
    group: 'memory',
    what: 'Server configuration',
    needs: 'membership in public, as by default',
    sql: `SELECT MAX(CASE WHEN name = 'max server memory (MB)' THEN CAST(value_in_use AS varchar(20)) + ' MiB' END) AS max_server_memory,
       MAX(CASE WHEN name = 'min server memory (MB)' THEN CAST(value_in_use AS varchar(20)) + ' MiB' END) AS min_server_memory,
       MAX(CASE WHEN name = 'max degree of parallelism' THEN CAST(value_in_use AS varchar(20)) END) AS max_degree_of_parallelism,
       MAX(CASE WHEN name = 'cost threshold for parallelism' THEN CAST(value_in_use AS varchar(20)) END) AS cost_threshold_for_parallelism,
       MAX(CASE WHEN name = 'optimize for ad hoc workloads' THEN CAST(value_in_use AS varchar(20)) END) AS optimize_for_ad_hoc_workloads
  FROM sys.configurations`,
  },
  {
    group: 'memory',
    what: 'The server’s machine',
    needs: 'VIEW SERVER PERFORMANCE STATE (before 2022: VIEW SERVER STATE)',
    sql: `SELECT CAST(cpu_count AS varchar(20)) AS schedulers, CAST(physical_memory_kb / 1024 AS varchar(20)) + ' MiB' AS physical_memory
  FROM sys.dm_os_sys_info`,
  },
  {
    group: 'other',
    what: 'This connection',
    needs: 'VIEW SERVER SECURITY STATE (before 2022: VIEW SERVER STATE)',
    sql: `SELECT CAST(net_packet_size AS varchar(20)) + ' bytes' AS packet_size, LOWER(encrypt_option) AS encrypted, LOWER(auth_scheme) AS auth_scheme
  FROM sys.dm_exec_connections WHERE session_id = @@SPID`,
  },
];

/** True if Database.settle() may make a checkpoint (manual, "CHECKPOINT", permissions). */
export const checkpointSql =
  "SELECT CASE WHEN IS_ROLEMEMBER('db_owner') = 1 OR IS_ROLEMEMBER('db_backupoperator') = 1 OR IS_SRVROLEMEMBER('sysadmin') = 1 THEN 1 ELSE 0 END AS allowed";

const changing = ['INSERT', 'UPDATE', 'DELETE', 'ALTER', 'CREATE TABLE'];
/** Reads rights over the whole database that let a user change data; rights on single tables are not among them. */
export const mayWriteSql = `SELECT CASE WHEN ${changing
  .map((right) => `HAS_PERMS_BY_NAME(DB_NAME(), 'DATABASE', '${right}') = 1`)
  .join(' OR ')} THEN 1 ELSE 0 END AS allowed`;

export async function fingerprint(connection: Connection, server: Server): Promise<Fingerprint> {
  const facts = { durability: {}, memory: {}, other: {} } as Record<Source['group'], Record<string, string>>;
  const refusals = new Refusals<string>(toError, (kind) => kind !== 'serverGone' && kind !== 'unreachable');
  for (const { group, what, needs, sql } of sources) {
    const answer = () => query<Record<string, string | null>>(connection, sql);
    const rows = await refusals.ask(what, answer, ({ kind, message }) =>
      kind === 'permission'
        ? `${what}: needs ${needs} (${message}).`
        : `${what}: this server does not have it (${message}).`,
    );
    for (const [name, value] of Object.entries(rows?.[0] ?? {})) if (value !== null) facts[group][name] = String(value);
  }
  const checkpoint = await query<{ allowed: number }>(connection, checkpointSql);
  if (checkpoint[0]?.allowed !== 1)
    refusals.add('CHECKPOINT', 'CHECKPOINT before the clock: needs membership in db_backupoperator or db_owner.');
  const writes = await refusals.ask(
    'Rights to write',
    () => query<{ allowed: number }>(connection, mayWriteSql),
    ({ message }) => `Rights to write: this server does not tell (${message}).`,
  );
  return {
    product: `SQL Server ${server.version}`,
    version: server.version,
    emulator: server.emulator,
    durability: facts.durability,
    memory: facts.memory,
    pageBytes,
    other: { edition: server.edition, ...facts.other },
    ...(writes?.[0]?.allowed === 1 && { mayWrite: true }),
    unavailable: refusals.reasons,
  };
}
