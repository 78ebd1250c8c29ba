import type pg from 'pg';
import type { ProbeInfo, ProbeSample } from '#contract/engine.ts';
import { toError } from './errors.ts';

/** One view's numbers in one row; every column of the answer is a counter of that name. */
interface Source {
  readonly view: string;
  /** server_version_num / 10000, inclusive. */
  readonly from: number;
  readonly until: number;
  readonly sql: string;
}

const latest = 999;
const database = 'FROM pg_stat_database WHERE datname = current_database()';

/** Views and columns by version: manual, "The Cumulative Statistics System", of 12 to 18. */
export const sources: readonly Source[] = [
  {
    view: 'pg_stat_database',
    from: 12,
    until: latest,
    sql: `SELECT xact_commit, xact_rollback, blks_read, blks_hit, tup_returned, tup_fetched, tup_inserted, tup_updated, tup_deleted,
                 temp_bytes, deadlocks, blk_read_time, blk_write_time ${database}`,
  },
  {
    view: 'pg_current_wal_insert_lsn',
    from: 12,
    until: latest,
    sql: "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS wal_lsn_bytes",
  },
  {
    view: 'pg_stat_wal',
    from: 14,
    until: 17,
    sql: 'SELECT wal_records, wal_fpi, wal_bytes, wal_buffers_full, wal_write, wal_sync, wal_write_time, wal_sync_time FROM pg_stat_wal',
  },
  {
    view: 'pg_stat_wal',
    from: 18,
    until: latest,
    sql: 'SELECT wal_records, wal_fpi, wal_bytes, wal_buffers_full FROM pg_stat_wal',
  },
  {
    view: 'pg_stat_bgwriter',
    from: 12,
    until: 16,
    sql: `SELECT checkpoints_timed, checkpoints_req AS checkpoints_requested, checkpoint_write_time, checkpoint_sync_time,
                 buffers_checkpoint, buffers_clean, buffers_backend, buffers_backend_fsync, buffers_alloc FROM pg_stat_bgwriter`,
  },
  {
    view: 'pg_stat_bgwriter',
    from: 17,
    until: latest,
    sql: 'SELECT buffers_clean, buffers_alloc FROM pg_stat_bgwriter',
  },
  {
    view: 'pg_stat_checkpointer',
    from: 17,
    until: latest,
    sql: `SELECT num_timed AS checkpoints_timed, num_requested AS checkpoints_requested, write_time AS checkpoint_write_time,
                 sync_time AS checkpoint_sync_time, buffers_written AS buffers_checkpoint FROM pg_stat_checkpointer`,
  },
  {
    view: 'pg_stat_io',
    from: 16,
    until: 17,
    sql: `SELECT sum(reads * op_bytes) AS io_read_bytes, sum(writes * op_bytes) AS io_write_bytes,
                 sum(extends * op_bytes) AS io_extend_bytes, sum(fsyncs) AS io_fsyncs, sum(evictions) AS io_evictions FROM pg_stat_io`,
  },
  {
    view: 'pg_stat_io',
    from: 18,
    until: latest,
    sql: `SELECT sum(read_bytes) FILTER (WHERE object <> 'wal') AS io_read_bytes,
                 sum(write_bytes) FILTER (WHERE object <> 'wal') AS io_write_bytes,
                 sum(extend_bytes) FILTER (WHERE object <> 'wal') AS io_extend_bytes,
                 sum(fsyncs) FILTER (WHERE object <> 'wal') AS io_fsyncs, sum(evictions) AS io_evictions,
                 sum(writes) FILTER (WHERE object = 'wal') AS wal_write, sum(fsyncs) FILTER (WHERE object = 'wal') AS wal_sync,
                 sum(write_time) FILTER (WHERE object = 'wal') AS wal_write_time,
                 sum(fsync_time) FILTER (WHERE object = 'wal') AS wal_sync_time FROM pg_stat_io`,
  },
];

const waits = `
  SELECT state, wait_event_type, wait_event, count(*) AS sessions FROM pg_stat_activity
   WHERE left(application_name, length($1)) = $1 AND pid <> pg_backend_pid() AND backend_type = 'client backend'
   GROUP BY 1, 2, 3`;

const count = (label: string): ProbeInfo => ({ unit: 'count', label });
const bytes = (label: string): ProbeInfo => ({ unit: 'bytes', label });
const ms = (label: string): ProbeInfo => ({ unit: 'ms', label });

export const probeInfo: Readonly<Record<string, ProbeInfo>> = {
  xact_commit: count('Transactions committed'),
  xact_rollback: count('Transactions rolled back'),
  blks_read: count('Pages read from outside the buffer pool'),
  blks_hit: count('Pages found in the buffer pool'),
  tup_inserted: count('Rows inserted'),
  tup_updated: count('Rows updated'),
  tup_deleted: count('Rows deleted'),
  tup_returned: count('Rows returned by scans'),
  tup_fetched: count('Rows fetched by index'),
  temp_bytes: bytes('Written to temporary files'),
  blk_read_time: ms('Time reading pages (track_io_timing)'),
  blk_write_time: ms('Time writing pages (track_io_timing)'),
  wal_lsn_bytes: bytes('Log written (WAL position)'),
  wal_bytes: bytes('Log generated'),
  wal_records: count('Log records'),
  wal_fpi: count('Full-page images in the log'),
  wal_buffers_full: count('Log buffer full'),
  wal_write: count('Log writes'),
  wal_sync: count('Log syncs'),
  wal_write_time: ms('Time writing the log (track_wal_io_timing)'),
  wal_sync_time: ms('Time syncing the log (track_wal_io_timing)'),
  checkpoints_timed: count('Checkpoints by time'),
  checkpoints_requested: count('Checkpoints by log volume or request'),
  checkpoint_write_time: ms('Time writing in checkpoints'),
  checkpoint_sync_time: ms('Time syncing in checkpoints'),
  buffers_checkpoint: count('Pages written by checkpoints'),
  buffers_clean: count('Pages written by the background writer'),
  buffers_backend: count('Pages written by sessions'),
  buffers_alloc: count('Buffers allocated'),
  io_read_bytes: bytes('Read by all processes'),
  io_write_bytes: bytes('Written by all processes'),
  io_extend_bytes: bytes('Files extended'),
  io_fsyncs: count('Data file syncs'),
  io_evictions: count('Pages evicted from the buffer pool'),
  sessions: count('Sessions of this run'),
  active: count('Sessions in a statement'),
  running: count('Sessions running, waiting for nothing'),
};

/** Sessions report their own work to these views at most once a second; from 15 on they can be told to do it now. */
export async function reportWork(client: pg.Client, version: number): Promise<void> {
  if (version >= 15) await client.query('SELECT pg_stat_force_next_flush()');
}

/**
 * A probe of one server. A view that may not be read is listed as unavailable and not asked again. What sessions have not reported yet is
 * missing, so single seconds lag; wal_lsn_bytes does not. The probe's own session reports first: it may have loaded the table.
 */
export function createProbe(client: pg.Client, version: number, tag: string): () => Promise<ProbeSample> {
  const applicable = sources.filter(({ from, until }) => from <= version && version <= until);
  const refused = new Map<Source, string>();
  return async () => {
    const counters: Record<string, number> = {};
    await reportWork(client, version);
    for (const source of applicable) {
      if (refused.has(source)) continue;
      try {
        const { rows } = await client.query<Record<string, string | null>>(source.sql);
        for (const [name, value] of Object.entries(rows[0] ?? {})) if (value !== null) counters[name] = Number(value);
      } catch (error) {
        const data = toError(error);
        if (data.kind === 'serverGone' || data.kind === 'unreachable') throw error;
        refused.set(source, `${source.view}: ${data.message}`);
      }
    }
    return { counters, gauges: await sampleWaits(client, tag), unavailable: [...refused.values()] };
  };
}

/** Sessions of this run by what they do or wait for, e.g. "wait:LWLock:WALWrite". */
async function sampleWaits(client: pg.Client, tag: string): Promise<Record<string, number>> {
  const { rows } = await client.query<Record<'state' | 'wait_event_type' | 'wait_event' | 'sessions', string | null>>(
    waits,
    [tag],
  );
  const gauges: Record<string, number> = { sessions: 0, active: 0 };
  for (const { state, wait_event_type, wait_event, sessions } of rows) {
    const number = Number(sessions);
    gauges.sessions! += number;
    if (state !== 'active') continue;
    gauges.active! += number;
    const name = wait_event_type === null ? 'running' : `wait:${wait_event_type}:${wait_event}`;
    gauges[name] = (gauges[name] ?? 0) + number;
  }
  return gauges;
}
