import type { Connection } from 'tedious';
import type { WaitTotal } from '#engine-api/waits.ts';
import { isLost, Refusals } from '../../shared/refusals.ts';
import { toError } from '../errors.ts';
import { query } from '../wire/request.ts';
import { waitClass } from './probe-sources.ts';

interface WaitRow {
  readonly name: string;
  readonly count: number;
  readonly ms: number;
  readonly longest_ms: number;
}

/** The waits of the whole server; max_wait_time_ms is the longest since its start. */
const allWaitsSql = `
SELECT TOP (2000) wait_type AS name, CAST(waiting_tasks_count AS float) AS count, CAST(wait_time_ms AS float) AS ms,
       CAST(max_wait_time_ms AS float) AS longest_ms
  FROM sys.dm_os_wait_stats WHERE waiting_tasks_count > 0 ORDER BY wait_time_ms DESC`;

/**
 * Waits of tasks that have nothing to do. sys.dm_os_wait_stats has no classes, so these are Query Store's categories
 * Idle and User Wait (manual, "sys.query_store_wait_stats"), and the queues of system tasks that Query Store does not
 * see, because they run no query (manual, "sys.dm_os_wait_stats").
 */
const idle: readonly RegExp[] = [
  /^SLEEP_|_SLEEP$|^SLEEP$|SLEEP_TASK$/,
  /^(LAZYWRITER_SLEEP|SQLTRACE_BUFFER_FLUSH|SQLTRACE_WAIT_ENTRIES|FT_IFTS_SCHEDULER_IDLE_WAIT|XE_DISPATCHER_WAIT)$/,
  /^(REQUEST_FOR_DEADLOCK_SEARCH|LOGMGR_QUEUE|ONDEMAND_TASK_QUEUE|CHECKPOINT_QUEUE|XE_TIMER_EVENT)$/,
  /^(WAITFOR|WAIT_FOR_RESULTS|BROKER_RECEIVE_WAITFOR)$/,
  /^(BROKER_(EVENTHANDLER|TASK_STOP|TO_FLUSH|TRANSMITTER)|SNI_HTTP_ACCEPT|DISPATCHER_QUEUE_SEMAPHORE|DIRTY_PAGE_POLL)$/,
  /^(CLR_(AUTO_EVENT|MANUAL_EVENT|SEMAPHORE)|DBMIRROR_(EVENTS_QUEUE|WORKER_QUEUE|DBM_EVENT)|FSAGENT|KSOURCE_WAKEUP)$/,
  /^(HADR_(CLUSAPI_CALL|FILESTREAM_IOMGR_IOCOMPLETION|LOGCAPTURE_WAIT|NOTIFICATION_DEQUEUE|TIMER_TASK|WORK_QUEUE))$/,
  /^(QDS_(ASYNC_QUEUE|SHUTDOWN_QUEUE)|SP_SERVER_DIAGNOSTICS_SLEEP|PARALLEL_REDO_WORKER_WAIT_WORK|UCS_SESSION_REGISTRATION)$/,
  /^(PWAIT_(ALL_COMPONENTS_INITIALIZED|DIRECTLOGCONSUMER_GETNEXT|EXTENSIBILITY_CLEANUP_TASK)|PVS_PREALLOCATE)$/,
  /^(XE_(DISPATCHER_JOIN|LIVE_TARGET_TVF)|SOS_WORK_DISPATCHER|WAIT_XTP_(CKPT_CLOSE|HOST_WAIT|OFFLINE_CKPT_NEW_LOG|RECOVERY))$/,
  /^(VDI_CLIENT_OTHER|REDO_THREAD_PENDING_WORK|STARTUP_DEPENDENCY_MANAGER)$/,
];

/** Reads the server's waits. The probe lists the right that is missing. */
export function createWaits(connection: Connection): () => Promise<readonly WaitTotal[] | null> {
  const refusals = new Refusals<string>(toError, (kind) => !isLost(kind));
  return async () => {
    const rows = await refusals.ask(
      allWaitsSql,
      () => query<WaitRow & Record<string, unknown>>(connection, allWaitsSql),
      ({ message }) => message,
    );
    return rows && waitTotals(rows);
  };
}

/** The rows of the query as waits, without idle ones. */
export const waitTotals = (rows: readonly WaitRow[]): readonly WaitTotal[] =>
  rows
    .filter(({ name }) => !idle.some((pattern) => pattern.test(name)))
    .map(({ name, count, ms, longest_ms }) => ({
      ...{ name, class: waitClass(name), count: Number(count) },
      ...{ totalUs: Number(ms) * 1_000, longestUs: Number(longest_ms) * 1_000 },
    }));
