import type { ProbeRole, ResourceClass } from '#model/resource.ts';

/**
 * The server's counters at one moment, under the engine's own names. Dyno shows the differences between two samples, so
 * an engine does no arithmetic of its own. A sample of PostgreSQL:
 *
 * ```ts
 * {
 *   counters: { wal_bytes: 81_204_223, blks_read: 5_120 },
 *   gauges: { active: 4, 'wait:LWLock:WALWrite': 2 },
 *   unavailable: ['pg_stat_io: Needs the role pg_monitor.'],
 * }
 * ```
 */
export interface ProbeSample {
  /**
   * Totals since some moment before the sample, which never go down while the server runs. `Engine.probeInfo` has their
   * units; a name that it lacks is a plain count. Every sample has the same names. Example: `{ wal_bytes: 81_204_223
   * }`.
   */
  readonly counters: Readonly<Record<string, number>>;
  /**
   * Values of the moment: pages in the cache, active sessions. `wait:CLASS:EVENT` is the number of sessions in that
   * wait and is left out at 0; `active` is the number of sessions that run a call. Example: `{ active: 4,
   * 'wait:LWLock:WALWrite': 2 }`.
   */
  readonly gauges: Readonly<Record<string, number>>;
  /**
   * The server's own work since the last sample, as the server timed it; each event is in one sample. The charts mark
   * the events, and findings compare them with slow calls. Default: the engine reports none. Example: a checkpoint that
   * began 800 ms ago.
   */
  readonly events?: readonly ServerEvent[];
  /**
   * Sessions of others that hold locks for which sessions of the run wait, at this moment. Default: no session of the
   * run waits for a lock, or the server does not tell who holds it. Example: a report that has locked the table.
   */
  readonly foreignLocks?: readonly ForeignLock[];
  /**
   * The values that could not be read, each with the right that would allow it, as sentences for the user. A missing
   * right is never an error. Empty: everything was read. Example: `['Waits: need the role pg_monitor.']`.
   */
  readonly unavailable: readonly string[];
  /**
   * The values that the server would report with another configuration, each with the way to configure it. Default:
   * there are none. Example: `['I/O times: SET track_io_timing = on.']`.
   */
  readonly optional?: readonly string[];
}

/** A piece of the server's own work: a write of the log, a flush, a checkpoint. */
export interface ServerEvent {
  /** The engine's own name of the work; `Engine.probeInfo` has its label. Example: `'JournalWrite'`. */
  readonly kind: string;
  /** Milliseconds from the start of the work to the sample, by the server's clock. Example: `800`. */
  readonly agoMs: number;
  /** The duration in ms; of a sum, the longest piece or an upper bound of it. Example: `120`. */
  readonly durationMs: number;
  /** The bytes that were written or read. Null: the server does not report them. Example: `8_388_608`. */
  readonly bytes: number | null;
  /**
   * The event stands for several pieces of work, which the server does not list one by one. Default: it is one piece.
   * Example: `{ count: 12, totalMs: 90, spanMs: 1_000 }`.
   */
  readonly sum?: EventSum;
}

/** A session of somebody else that holds locks for which sessions of the run wait. */
export interface ForeignLock {
  /**
   * The session in the server's words: program, user, host and number. It never contains the session's statement, which
   * may hold private data. Example: `'psql of alice at 10.0.0.7, session 4711'`.
   */
  readonly holder: string;
  /** The number of the run's sessions that wait for it, directly or behind one another. Example: `16`. */
  readonly waiting: number;
  /** The age of its transaction in ms, by the server's clock. Null: the server does not tell. Example: `90_000`. */
  readonly heldMs: number | null;
}

/** Several pieces of work of one kind; `bytes` of the event counts all of them. */
interface EventSum {
  /** The number of pieces, 1 or more. Example: `12`. */
  readonly count: number;
  /** The sum of their durations in ms; pieces may overlap. Example: `90`. */
  readonly totalMs: number;
  /** Milliseconds from the start of the first piece (`agoMs`) to the end of the last one. Example: `1_000`. */
  readonly spanMs: number;
}

/**
 * The unit, label and meaning of a counter, a gauge or a kind of event. `count`, `bytes`, `ms`, `us` and `waits` of
 * probe-info.ts make it:
 *
 * ```ts
 * { wal_bytes: bytes('WAL written', 'logBytes'), 'wait:IO:*': waits('I/O', 'dataIo') }
 * ```
 */
export interface ProbeInfo {
  /**
   * The unit of the value as the engine reports it; tables and charts show a larger one where it fits. Example: `'us'`.
   */
  readonly unit: 'bytes' | 'count' | 'ms' | 'us';
  /** The name for people, without its unit. Example: `'WAL written'`. */
  readonly label: string;
  /**
   * The resource into which the server's time went: for counters in ms or us, for the gauges `running` and `wait:…`
   * (sessions), and for kinds of events. The chart of where time went adds up the values of a class. Default: the value
   * is no time, is contained in another counter, or belongs to no session. Example: `'dataIo'`.
   */
  readonly class?: ResourceClass;
  /**
   * The meaning of the counter, or of an event's bytes, that several engines share: findings and the comparison of
   * engines look values up by their roles. Default: the value means something in this engine alone. Example:
   * `'logBytes'`.
   */
  readonly role?: ProbeRole;
}
