import { tableSql, text } from '../names.ts';

/** Counters of one view; every number is a total since the server started. */
export interface CounterSource {
  readonly view: string;
  /** The right that allows reading it. */
  readonly needs: string;
  readonly sql: string;
  /** The counter of each name, if rows are name and value. Null: there is one row, with a counter in each column. */
  readonly names: Readonly<Record<string, string>> | null;
}

export const serverState = 'VIEW SERVER PERFORMANCE STATE (before 2022: VIEW SERVER STATE)';
const quoted = (names: readonly string[]): string => names.map(text).join(', ');

/** Names in "/sec" of sys.dm_os_performance_counters are running totals, too. */
const databaseCounters = {
  'Log Bytes Flushed/sec': 'log_bytes_flushed',
  'Log Flushes/sec': 'log_flushes',
  'Log Flush Waits/sec': 'log_flush_waits',
  'Log Flush Wait Time': 'log_flush_wait_time',
  'Log Growths': 'log_growths',
  'Transactions/sec': 'transactions',
  'Write Transactions/sec': 'write_transactions',
} as const;
const serverCounters = {
  'Batch Requests/sec': 'batch_requests',
  'SQL Compilations/sec': 'compilations',
  'SQL Re-Compilations/sec': 'recompilations',
  'Page Splits/sec': 'page_splits',
  'Page lookups/sec': 'page_lookups',
  'Page reads/sec': 'page_reads',
  'Checkpoint pages/sec': 'checkpoint_pages',
  'Lock Waits/sec': 'lock_waits',
  'Number of Deadlocks/sec': 'deadlocks',
} as const;

/** The waits of sys.dm_os_wait_stats for writes and reads. */
export const waitTypes = {
  WRITELOG: 'wait_writelog',
  LOGBUFFER: 'wait_logbuffer',
  PAGELATCH_EX: 'wait_pagelatch_ex',
  PAGELATCH_SH: 'wait_pagelatch_sh',
  PAGELATCH_UP: 'wait_pagelatch_up',
  LATCH_EX: 'wait_latch_ex',
  LATCH_SH: 'wait_latch_sh',
  PAGEIOLATCH_EX: 'wait_pageiolatch_ex',
  PAGEIOLATCH_SH: 'wait_pageiolatch_sh',
  IO_COMPLETION: 'wait_io_completion',
  LCK_M_S: 'wait_lock_s',
  LCK_M_U: 'wait_lock_u',
  LCK_M_X: 'wait_lock_x',
  LCK_M_IX: 'wait_lock_ix',
  LCK_M_BU: 'wait_lock_bu',
  SOS_SCHEDULER_YIELD: 'wait_scheduler_yield',
  ASYNC_NETWORK_IO: 'wait_network',
  THREADPOOL: 'wait_threadpool',
  HADR_SYNC_COMMIT: 'wait_replica_commit',
  BTREE_INSERT_FLOW_CONTROL: 'wait_insert_flow_control',
} as const;
const waitCounters = Object.entries(waitTypes).flatMap(([type, name]) => [
  [`${type} ms`, `${name}_ms`] as const,
  [`${type} count`, `${name}_count`] as const,
]);

export const counterSources: readonly CounterSource[] = [
  {
    view: 'sys.dm_os_performance_counters (database)',
    needs: serverState,
    sql: `SELECT RTRIM(counter_name) AS name, CAST(cntr_value AS float) AS value FROM sys.dm_os_performance_counters
 WHERE object_name LIKE N'%:Databases%' AND instance_name = DB_NAME() AND counter_name IN (${quoted(Object.keys(databaseCounters))})`,
    names: databaseCounters,
  },
  {
    view: 'sys.dm_os_performance_counters (server)',
    needs: serverState,
    sql: `SELECT RTRIM(counter_name) AS name, CAST(cntr_value AS float) AS value FROM sys.dm_os_performance_counters
 WHERE instance_name IN (N'', N'_Total') AND counter_name IN (${quoted(Object.keys(serverCounters))})`,
    names: serverCounters,
  },
  {
    view: 'sys.dm_os_wait_stats',
    needs: serverState,
    sql: `SELECT wait_type + N' ms' AS name, CAST(wait_time_ms AS float) AS value FROM sys.dm_os_wait_stats WHERE wait_type IN (${quoted(Object.keys(waitTypes))})
UNION ALL
SELECT wait_type + N' count', CAST(waiting_tasks_count AS float) FROM sys.dm_os_wait_stats WHERE wait_type IN (${quoted(Object.keys(waitTypes))})`,
    names: Object.fromEntries(waitCounters),
  },
  {
    view: 'sys.dm_os_schedulers',
    needs: `${serverState}, SQL Server 2016 or later`,
    sql: `SELECT CAST(SUM(total_cpu_usage_ms) AS float) AS cpu_ms FROM sys.dm_os_schedulers WHERE status = N'VISIBLE ONLINE'`,
    names: null,
  },
  {
    view: 'sys.dm_io_virtual_file_stats',
    needs: serverState,
    sql: `SELECT CAST(SUM(CASE WHEN f.type = 0 THEN v.num_of_bytes_read END) AS float) AS data_read_bytes,
       CAST(SUM(CASE WHEN f.type = 0 THEN v.num_of_bytes_written END) AS float) AS data_written_bytes,
       CAST(SUM(CASE WHEN f.type = 0 THEN v.io_stall_read_ms END) AS float) AS data_read_stall_ms,
       CAST(SUM(CASE WHEN f.type = 0 THEN v.io_stall_write_ms END) AS float) AS data_write_stall_ms,
       CAST(SUM(CASE WHEN f.type = 1 THEN v.num_of_writes END) AS float) AS log_writes,
       CAST(SUM(CASE WHEN f.type = 1 THEN v.num_of_bytes_written END) AS float) AS log_written_bytes,
       CAST(SUM(CASE WHEN f.type = 1 THEN v.io_stall_write_ms END) AS float) AS log_write_stall_ms
  FROM sys.dm_io_virtual_file_stats(DB_ID(), NULL) AS v JOIN sys.database_files AS f ON f.file_id = v.file_id`,
    names: null,
  },
];

/**
 * The counts of a table's rows and pages, which need the same right or VIEW DATABASE PERFORMANCE STATE. They are zeros
 * before its first use, and missing if the table is gone.
 */
export const indexStatsSql = (table: { readonly name: string }): string => `
IF OBJECT_ID(${text(tableSql(table))}) IS NOT NULL
SELECT CAST(COALESCE(SUM(leaf_insert_count), 0) AS float) AS table_leaf_inserts,
       CAST(COALESCE(SUM(leaf_allocation_count), 0) AS float) AS table_leaf_allocations,
       CAST(COALESCE(SUM(nonleaf_allocation_count), 0) AS float) AS table_nonleaf_allocations,
       CAST(COALESCE(SUM(row_lock_wait_count), 0) AS float) AS table_row_lock_waits,
       CAST(COALESCE(SUM(row_lock_wait_in_ms), 0) AS float) AS table_row_lock_wait_ms,
       CAST(COALESCE(SUM(page_latch_wait_count), 0) AS float) AS table_page_latch_waits,
       CAST(COALESCE(SUM(page_latch_wait_in_ms), 0) AS float) AS table_page_latch_wait_ms
  FROM sys.dm_db_index_operational_stats(DB_ID(), OBJECT_ID(${text(tableSql(table))}), NULL, NULL)`;

/**
 * True if views show other sessions; without the right they show only this one. Null: this version has no such right.
 */
export const rightsSql = `SELECT CASE WHEN 1 IN (
  HAS_PERMS_BY_NAME(NULL, NULL, 'VIEW SERVER STATE'),
  HAS_PERMS_BY_NAME(NULL, NULL, 'VIEW SERVER PERFORMANCE STATE'),
  CASE WHEN SERVERPROPERTY('EngineEdition') = 5 THEN HAS_PERMS_BY_NAME(DB_NAME(), 'DATABASE', 'VIEW DATABASE STATE') END
) THEN 1 ELSE 0 END AS allowed`;

/**
 * Sessions of this run without the probe's. A status other than sleeping means a running request; an emulator says
 * active.
 */
export const sessionsSql = (tag: string): string => `
SELECT COUNT(*) AS sessions, COALESCE(SUM(CASE WHEN status IN (N'running', N'active') THEN 1 ELSE 0 END), 0) AS active
  FROM sys.dm_exec_sessions WHERE LEFT(program_name, ${tag.length}) = ${text(tag)} AND session_id <> @@SPID`;

/** The waits of this run's requests; null: none. Runnable requests wait for a processor. */
export const waitsSql = (tag: string): string => `
SELECT CASE WHEN r.status = N'runnable' THEN N'SOS_SCHEDULER' ELSE r.wait_type END AS wait_type, COUNT(*) AS sessions
  FROM sys.dm_exec_requests AS r JOIN sys.dm_exec_sessions AS s ON s.session_id = r.session_id
 WHERE LEFT(s.program_name, ${tag.length}) = ${text(tag)} AND r.session_id <> @@SPID
 GROUP BY CASE WHEN r.status = N'runnable' THEN N'SOS_SCHEDULER' ELSE r.wait_type END`;

/** Classes of waits in the words of DBAs; manual, "sys.dm_os_wait_stats". */
const classes: readonly (readonly [RegExp, string])[] = [
  [/^LCK_/, 'Lock'],
  [/^PAGEIOLATCH_|^IO_COMPLETION|^ASYNC_IO/, 'IO'],
  [/^PAGELATCH_|^LATCH_|^BTREE_INSERT/, 'Latch'],
  [/^WRITELOG|^LOGBUFFER|^LOGMGR/, 'Log'],
  [/^HADR_/, 'Replica'],
  [/^ASYNC_NETWORK_IO/, 'Network'],
  [/^SOS_|^THREADPOOL|^CXPACKET|^CXCONSUMER/, 'CPU'],
  [/^RESOURCE_|^CMEMTHREAD/, 'Memory'],
];
export const waitClass = (waitType: string): string =>
  classes.find(([pattern]) => pattern.test(waitType))?.[1] ?? 'Other';
