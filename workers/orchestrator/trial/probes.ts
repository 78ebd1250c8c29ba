import { addAbortListener } from 'node:events';
import type { ProbeSample } from '#engine-api/probe.ts';
import type { WaitTotal } from '#engine-api/waits.ts';
import { within } from '#platform/worker-errors.ts';
import type { TrialWaits } from '#protocol/measurement.ts';
import type { Control } from '../worker/control.ts';
import { waitsBetween } from './waits-between.ts';

/** The server's counters around and during one measured phase. */
interface ServerWatch {
  /** Reads the counters before the phase. Call it right before the clock starts. */
  before(): Promise<void>;
  /** Starts sampling each second when the measured phase begins. */
  start(): void;
  /** Differences of the counters since the last call, at first since the measured phase began; empty if unknown. */
  lap(): Promise<Readonly<Record<string, number>>>;
  /**
   * Stops sampling, reads the counters after the phase, and returns the differences. They are empty if the last reading
   * fails, because earlier samples do not cover the whole phase. A counter that decreased (restart) is left out.
   */
  finish(): Promise<Readonly<Record<string, number>>>;
  /** The server's waits over the phase, when it is finished; null if they are unknown. */
  waits(): TrialWaits | null;
}

const everyMs = 1_000;

/** A busy server may answer slowly. A server that takes longer than this has stopped. */
const probeWithinMs = 10_000;

/** `also` is called once per this many samples, because its request may cost a server more than the counters. */
const alsoEvery = 5;

/**
 * `also`: sends another request to the server now and then, never together with a probe, because some drivers allow one
 * request at a time. `readWaits`: reads the totals of the server's waits, before and after the phase alone, because a
 * server has hundreds of kinds. A failed or missing answer ends the watching, never the trial, because counters only
 * explain the measurement.
 */
export function watchServer(
  control: Control,
  signal: AbortSignal,
  onSample: (atMs: number, sample: ProbeSample, tookMs: number) => void,
  also: () => Promise<void> = async () => {},
  readWaits: () => Promise<readonly WaitTotal[] | null> = async () => null,
): ServerWatch {
  let samples = 0;
  let first: ProbeSample | null = null;
  let last: ProbeSample | null = null;
  let lapped: ProbeSample | null = null;
  /** Time at which the measured phase began; null if it has not. */
  let startedAt: number | null = null;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let broken = false;
  let waitsBefore: readonly WaitTotal[] | null = null;
  let waitsAfter: readonly WaitTotal[] | null = null;
  const answered = async <T>(asked: Promise<T>): Promise<T> => {
    // Nobody needs the counters of a finished trial.
    const aborted = Promise.withResolvers<never>();
    using _ = addAbortListener(signal, () => aborted.reject(signal.reason));
    return await Promise.race([within(probeWithinMs, asked, 'The server did not tell its counters'), aborted.promise]);
  };

  /** False if the server did not answer. */
  const sample = async (): Promise<boolean> => {
    if (broken || signal.aborted) return false;
    const askedAt = performance.now();
    try {
      const taken = await answered(control.ask({ call: 'probe' }, signal));
      first ??= taken;
      last = taken;
      // Events in the first sample ended before the clock started: flushes of the load do not belong to the measured
      // phase.
      const { events: told = [], ...rest } = taken;
      const events = startedAt === null ? [] : told;
      const empty = Object.keys(taken.counters).length + Object.keys(taken.gauges).length + events.length === 0;
      const now = performance.now();
      if (!empty)
        onSample(
          startedAt === null ? 0 : now - startedAt,
          events.length === 0 ? rest : { ...rest, events },
          // The time in the control process, and to it and back, is part of the cost.
          now - askedAt,
        );
      return true;
    } catch {
      broken = true;
      return false;
    }
  };
  const takeWaits = async (): Promise<readonly WaitTotal[] | null> => {
    if (broken || signal.aborted) return null;
    return answered(readWaits()).catch(() => {
      broken = true;
      return null;
    });
  };
  const settled = () => {
    running = null;
  };
  /** The next sample follows the running one, never beside it. */
  const sampleNext = async (): Promise<boolean> => {
    await running;
    const taken = sample();
    running = taken.then(settled);
    return taken;
  };
  const askAlso = async (): Promise<void> => {
    if (broken || signal.aborted || ++samples % alsoEvery > 0) return;
    await answered(also()).catch(() => {
      broken = true;
    });
  };
  return {
    async before() {
      // The counters come last, because their first reading is the start of the measured phase.
      waitsBefore = await takeWaits();
      await sample();
    },
    start() {
      startedAt = performance.now();
      timer = setInterval(() => {
        // A slow server gets no new request before it has answered.
        running ??= sample().then(askAlso).then(settled);
      }, everyMs);
    },
    async lap() {
      const from = lapped ?? first;
      const isTaken = await sampleNext();
      lapped = last;
      return isTaken && from && last ? differences(from, last) : {};
    },
    async finish() {
      clearInterval(timer);
      const isTaken = startedAt !== null && (await sampleNext());
      if (isTaken && waitsBefore !== null) waitsAfter = await takeWaits();
      return isTaken && first && last ? differences(first, last) : {};
    },
    waits: () => (waitsBefore && waitsAfter ? waitsBetween(waitsBefore, waitsAfter) : null),
  };
}

function differences(first: ProbeSample, last: ProbeSample): Readonly<Record<string, number>> {
  const pairs = Object.entries(last.counters).flatMap(([name, value]): [string, number][] => {
    const before = first.counters[name];
    return before === undefined || value < before ? [] : [[name, value - before]];
  });
  return Object.fromEntries(pairs);
}
