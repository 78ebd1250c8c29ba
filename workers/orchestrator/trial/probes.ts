import { addAbortListener } from 'node:events';
import type { ProbeSample } from '#engine-api/probe.ts';
import { within } from '#platform/worker-errors.ts';
import type { Control } from '../worker/control.ts';

/** The server's counters around and during one measured phase. */
interface ServerWatch {
  /** Takes the "before". Call right before the clock starts. */
  before(): Promise<void>;
  /** Starts sampling each second; the measured phase begins now. */
  start(): void;
  /** The counters' differences since the last call, at first since the measured phase began; empty where unknown. */
  lap(): Promise<Readonly<Record<string, number>>>;
  /**
   * Stops sampling, takes the "after" and answers the differences; empty where there is no "after": earlier samples
   * would pass for the whole phase. A counter that went back (restart) is left out.
   */
  finish(): Promise<Readonly<Record<string, number>>>;
}

const everyMs = 1_000;

/** A busy server may answer slowly; a server that takes longer than this has stopped. */
const probeWithinMs = 10_000;

/** So many samples apart `also` is called: what it asks may cost a server more than its counters do. */
const alsoEvery = 5;

/**
 * `also`: asks the server for something else now and then, never together with a probe: some drivers have one request
 * at a time. An answer that fails or does not come ends the watching, never the trial: counters are a help, not the
 * measurement.
 */
export function watchServer(
  control: Control,
  signal: AbortSignal,
  onSample: (atMs: number, sample: ProbeSample, tookMs: number) => void,
  also: () => Promise<void> = async () => {},
): ServerWatch {
  let samples = 0;
  let first: ProbeSample | null = null;
  let last: ProbeSample | null = null;
  let lapped: ProbeSample | null = null;
  /** The time at which the measured phase began; null: it has not. */
  let startedAt: number | null = null;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let broken = false;
  const answered = async <T>(asked: Promise<T>): Promise<T> => {
    // Nobody waits for counters of a trial that is over.
    const aborted = Promise.withResolvers<never>();
    using _ = addAbortListener(signal, () => aborted.reject(signal.reason));
    return await Promise.race([within(probeWithinMs, asked, 'The server did not tell its counters'), aborted.promise]);
  };

  /** False: the server did not answer. */
  const sample = async (): Promise<boolean> => {
    if (broken || signal.aborted) return false;
    const askedAt = performance.now();
    try {
      const taken = await answered(control.ask({ call: 'probe' }, signal));
      first ??= taken;
      last = taken;
      // Events in the first sample have ended before the clock starts: a load's flushes are not the measured phase's.
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
  const settled = () => {
    running = null;
  };
  /** A sample after the one that is under way, and none beside it. */
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
    before: async () => void (await sample()),
    start() {
      startedAt = performance.now();
      timer = setInterval(() => {
        // A slow server is not asked again before it has answered.
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
      return isTaken && first && last ? differences(first, last) : {};
    },
  };
}

function differences(first: ProbeSample, last: ProbeSample): Readonly<Record<string, number>> {
  const pairs = Object.entries(last.counters).flatMap(([name, value]): [string, number][] => {
    const before = first.counters[name];
    return before === undefined || value < before ? [] : [[name, value - before]];
  });
  return Object.fromEntries(pairs);
}
