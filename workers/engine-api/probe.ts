import type { ProbeRole, ResourceClass } from '#model/resource.ts';

/**
 * Cumulative server counters at one moment, under the engine's own names; the app shows differences between two
 * samples.
 */
export interface ProbeSample {
  readonly counters: Readonly<Record<string, number>>;
  /**
   * Values of the moment (pages in the cache, active sessions…). `wait:CLASS:EVENT` counts sessions that wait for it,
   * and is there while some do.
   */
  readonly gauges: Readonly<Record<string, number>>;
  /**
   * Work of the server since the last sample that it timed itself; each event appears once. Absent: the engine reports
   * none.
   */
  readonly events?: readonly ServerEvent[];
  /** What could not be read, and which privilege would allow it. */
  readonly unavailable: readonly string[];
  /**
   * What the server would report with another configuration, and how a DBA would configure it; the connection lacks
   * nothing.
   */
  readonly optional?: readonly string[];
}

/** One piece of a server's own work, timed by the server: a journal write, a flush, a checkpoint. */
export interface ServerEvent {
  /** The engine's own name ("JournalWrite"); Engine.probeInfo has its label. */
  readonly kind: string;
  /** How long before the sample the work began, by the server's clock. */
  readonly agoMs: number;
  /** For a sum: the duration of the longest piece, or an upper bound of it. */
  readonly durationMs: number;
  /** Bytes written or read; null where the server does not tell. */
  readonly bytes: number | null;
  /** Present: the event stands for several pieces of work, as the server lists only some of them one by one. */
  readonly sum?: EventSum;
}

/** Several pieces of work of one kind that the server does not list one by one; `bytes` counts all of them. */
interface EventSum {
  readonly count: number;
  readonly totalMs: number;
  /** From the beginning of the first one (agoMs) to the end of the last one. */
  readonly spanMs: number;
}

/** What a counter, a gauge or a kind of event is. */
export interface ProbeInfo {
  readonly unit: 'bytes' | 'count' | 'ms' | 'us';
  readonly label: string;
  /**
   * The resource that the server's time went into: for counters in ms or us, for `running` and `wait:…` gauges
   * (sessions), and for kinds of events. Absent: not a time, contained in another counter, or spent beside the
   * sessions' work.
   */
  readonly class?: ResourceClass;
  /** What the counter, or the bytes of a kind of event, means on every engine. Absent: only this engine has it. */
  readonly role?: ProbeRole;
}
