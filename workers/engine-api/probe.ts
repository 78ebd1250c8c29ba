import type { ProbeRole, ResourceClass } from '#model/resource.ts';

/**
 * Cumulative server counters at one moment, under the engine's own names; the app shows differences between two
 * samples.
 */
export interface ProbeSample {
  /** Totals since some moment before the sample, which never go down while the server runs; units: probeInfo. */
  readonly counters: Readonly<Record<string, number>>;
  /**
   * Values of the moment (pages in the cache, active sessions…). `wait:CLASS:EVENT` counts the sessions in that wait;
   * it is absent at 0.
   */
  readonly gauges: Readonly<Record<string, number>>;
  /**
   * The server's own work since the last sample, as timed by the server; each event appears once. Absent: the engine
   * reports none.
   */
  readonly events?: readonly ServerEvent[];
  /**
   * Sessions outside of this run that hold locks for which sessions of the run wait, at this moment. Absent: no session
   * of the run waits for a lock, or the server does not name who holds it.
   */
  readonly foreignLocks?: readonly ForeignLock[];
  /** Values that could not be read, each with the privilege that would allow it. */
  readonly unavailable: readonly string[];
  /**
   * Values that the server would report with another configuration, each with how a DBA configures it; the connection
   * needs no more privileges.
   */
  readonly optional?: readonly string[];
}

/** One piece of the server's own work, timed by the server: a journal write, a flush, a checkpoint. */
export interface ServerEvent {
  /** The engine's own name ("JournalWrite"); Engine.probeInfo has its label. */
  readonly kind: string;
  /** Milliseconds from the start of the work to the sample, by the server's clock. */
  readonly agoMs: number;
  /** Duration in ms; for a sum: the longest piece, or an upper bound of it. */
  readonly durationMs: number;
  /** Bytes written or read; null where the server does not report them. */
  readonly bytes: number | null;
  /** Present: the event stands for several pieces of work, because the server does not list each of them. */
  readonly sum?: EventSum;
}

/** A session outside of this run that holds what sessions of the run wait for. */
export interface ForeignLock {
  /**
   * Who it is, in the server's words: program, user, host and the number of the session. Never its statement, which may
   * hold what is nobody's business.
   */
  readonly holder: string;
  /** Sessions of the run that wait for it, directly or behind one another. */
  readonly waiting: number;
  /** Age of its transaction in ms by the server's clock; null where the server does not tell. */
  readonly heldMs: number | null;
}

/** Several pieces of work of one kind that the server does not list individually; `bytes` counts all of them. */
interface EventSum {
  /** Number of pieces, 1 or more. */
  readonly count: number;
  /** Sum of their durations, ms; pieces may overlap. */
  readonly totalMs: number;
  /** Milliseconds from the start of the first piece (agoMs) to the end of the last one. */
  readonly spanMs: number;
}

/** Unit, label and meaning of a counter, a gauge or a kind of event. */
export interface ProbeInfo {
  /** The unit of the value as the engine reports it; tables and charts show larger ones where they fit. */
  readonly unit: 'bytes' | 'count' | 'ms' | 'us';
  /** The name for people, without its unit. */
  readonly label: string;
  /**
   * The resource that the server's time went into: for counters in ms or us, for `running` and `wait:…` gauges
   * (sessions), and for kinds of events. Absent: the value is not a time, is contained in another counter, or belongs
   * to no session.
   */
  readonly class?: ResourceClass;
  /**
   * The engine-independent meaning of the counter, or of the bytes of a kind of event. Absent: only this engine has it.
   */
  readonly role?: ProbeRole;
}
