import type pg from 'pg';
import type { ProbeSample } from '#engine-api/probe.ts';
import { withForeignLocks } from '../../shared/foreign-locks.ts';
import { Refusals } from '../../shared/refusals.ts';
import { toError } from '../errors.ts';
import { foreignLocks } from './foreign-locks.ts';
import { probeInfo } from './probe-info.ts';
import { findStatementCounts, type StatementCounts } from './statement-counts.ts';

export { probeInfo };

/** The numbers of one view in one row; every column of the answer is a counter of that name. */
interface Source {
  readonly view: string;
  /** The versions (server_version_num / 10000, inclusive) that have it. */
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

/**
 * Sessions report their work to these views at most once a second; from version 15 on they can be told to do it now.
 */
export async function reportWork(client: pg.Client, version: number): Promise<void> {
  if (version >= 15) await client.query('SELECT pg_stat_force_next_flush()');
}

type Counters = Readonly<Record<string, string | null>>;

/**
 * Makes the probe of a server. A view that the user may not read is listed as unavailable and not read again. Work that
 * sessions have not reported yet is missing, so single seconds lag; wal_lsn_bytes does not. The probe's own session
 * reports first, because it may have loaded the table.
 */
export function createProbe(client: pg.Client, version: number, tag: string): () => Promise<ProbeSample> {
  const views = sources.filter(({ from, until }) => from <= version && version <= until);
  let applicable: readonly Source[] = views;
  let statements: StatementCounts | null = null;
  const refusals = new Refusals<Source>(toError, (kind) => kind !== 'serverGone' && kind !== 'unreachable');

  const one = async (source: Source): Promise<Counters> => {
    const answer = async () => (await client.query<Counters>(source.sql)).rows[0];
    return (await refusals.ask(source, answer, ({ message }) => `${source.view}: ${message}`)) ?? {};
  };
  /**
   * Sources that have answered before share one round trip, with a row each, in a prepared statement: planning these
   * views each time would cost the server more than answering. The number of refused sources only grows, so that each
   * statement has a name of its own.
   */
  const together = async (allowed: readonly Source[]): Promise<readonly Counters[]> => {
    const parts = allowed.map(({ sql }, i) => `(${sql}) AS source${i}`);
    const name = `dyno_probe_without_${refusals.reasons.length}`;
    return (await client.query<Counters>({ name, text: `SELECT * FROM ${parts.join(' CROSS JOIN ')}` })).rows;
  };
  /** It is not known yet which views may be read, or a right has been taken away. */
  let isUnsure = true;
  const ask = async (): Promise<readonly Counters[]> => {
    const allowed = applicable.filter((source) => !refusals.has(source));
    try {
      if (!isUnsure) return await together(allowed);
    } catch (error) {
      if (toError(error).kind !== 'permission') throw error;
    }
    const rows: Counters[] = [];
    for (const source of allowed) rows.push(await one(source));
    isUnsure = false;
    return rows;
  };

  return async () => {
    if (statements === null) {
      statements = await findStatementCounts(client);
      if (statements.sql !== null)
        applicable = [...views, { view: 'pg_stat_statements', from: 12, until: latest, sql: statements.sql }];
    }
    await reportWork(client, version);
    const rows = await ask();
    const counters: Record<string, number> = {};
    for (const [name, value] of rows.flatMap((row) => Object.entries(row)))
      if (value !== null) counters[name] = Number(value);
    const gauges = await sampleWaits(client, tag);
    return {
      counters,
      gauges,
      ...(await withForeignLocks(gauges, probeInfo, () => foreignLocks(client, tag))),
      unavailable: refusals.reasons,
      optional: statements.missing,
    };
  };
}

/** Sessions of this run by what they do or wait for: "wait:LWLock:WALWrite"; idle ones: "Client:ClientRead". */
async function sampleWaits(client: pg.Client, tag: string): Promise<Record<string, number>> {
  const { rows } = await client.query<Record<'state' | 'wait_event_type' | 'wait_event' | 'sessions', string | null>>({
    name: 'dyno_probe_waits',
    text: waits,
    values: [tag],
  });
  const gauges: Record<string, number> = { sessions: 0, active: 0 };
  for (const { state, wait_event_type, wait_event, sessions } of rows) {
    const number = Number(sessions);
    gauges.sessions! += number;
    if (state === 'active') gauges.active! += number;
    // Between two statements a session may be counted before it begins to wait for the next.
    else if (wait_event_type === null) continue;
    const name = wait_event_type === null ? 'running' : `wait:${wait_event_type}:${wait_event}`;
    gauges[name] = (gauges[name] ?? 0) + number;
  }
  return gauges;
}
