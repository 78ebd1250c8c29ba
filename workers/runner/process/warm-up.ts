import { measurePhase, runPhase } from '../loop/loop.ts';
import type { Phase } from '../loop/phase.ts';
import { makeCalls, reportWork, startsUntouched, type Trial } from './client-trial.ts';
import { collectGarbage } from './garbage.ts';

/** Maximum duration of a rehearsal in seconds, shorter than V8 needs to compile frequent code. */
const longestRehearsal = 0.05;
/**
 * Number of rows of a rehearsal's prepared calls. V8 records which branches a function takes only after about ten
 * calls.
 */
const rehearsedRows = 100;
/** The share of the warm-up that shows the rate of calls. */
const firstPart = 1 / 3;

/**
 * Runs the phases before the measured phase, and prepares the calls whose number only these phases show. Resolves with
 * these phases.
 *
 * V8 throws compiled code away when it takes a branch for the first time, when a field holds its first fraction, and
 * when it collects all garbage while no call is under way. So a rehearsal comes first, and calls are prepared in the
 * middle of the warm-up, whose rest runs like the measured phase. Otherwise half of a call's code would be compiled
 * again during the measurement.
 */
export async function warmUp(trial: Trial): Promise<readonly Phase[]> {
  const { job, load, plan } = trial;
  const { measure } = job;
  const timed = measure.until === 'time' ? measure.warmupSeconds : Number.POSITIVE_INFINITY;
  const seconds = startsUntouched(job) ? 0 : timed;
  const parts: Part[] = [];
  const leftSeconds = () => parts.reduce((left, part) => left - part.seconds, seconds);
  let early: Prepared = { calls: 0, fit: true };

  if (seconds > 0 && !load.isScheduled) {
    const needed = callsToPrepare(trial, measure.seconds, null);
    // Calls with many rows are too few to make V8 compile the code that takes them.
    await prepare(trial, Math.min(needed, Math.floor(rehearsedRows / plan.workload.rowsPerCall)));
    parts.push(await rehearse(trial, Math.min(longestRehearsal, seconds / 10)));
    // A single call may have taken all the time.
    if (needed > 0 && leftSeconds() > 0) {
      const first = await run(trial, leftSeconds() * firstPart);
      parts.push(first);
      early = await prepare(trial, callsToPrepare(trial, Math.max(0, leftSeconds()) + measure.seconds, first.rate));
      if (early.calls > 0) collectGarbage();
    }
  }
  if (leftSeconds() > 0) parts.push(await run(trial, leftSeconds()));
  if (early.fit) {
    // If the calls after the first part were faster, too little garbage is left to collect.
    const more = await prepare(trial, callsToPrepare(trial, measure.seconds, parts.at(-1)?.rate ?? null));
    if (early.calls === 0 && more.calls > 0) collectGarbage();
  }
  return parts.map(({ phase }) => phase);
}

/** A finished part of the warm-up. */
interface Part {
  readonly phase: Phase;
  /** The duration, including calls that were running at the planned end. */
  readonly seconds: number;
  /** Calls per second. */
  readonly rate: number;
}

/** Does everything that the measured phase does, including its end, for a moment. */
async function rehearse(trial: Trial, seconds: number): Promise<Part> {
  const { client, job, plan, connections, split } = trial;
  const { callSource } = plan.loop;
  const part = await run(trial, seconds, (phase, work) => {
    // Makes some calls yield to the event loop, like calls after a pause.
    const middleMs = (seconds * 1_000) / 2;
    setTimeout(() => {
      phase.lastTurnMs = Number.NEGATIVE_INFINITY;
    }, middleMs);
    return measurePhase(phase, { worker: job.worker, connections, callSource, split }, work, () => {});
  });
  if (!client.channel.stopped) await reportWork(connections);
  return part;
}

/** Runs a part of the warm-up: its work, wrapped by `around`. */
async function run(
  { client, plan, load }: Trial,
  seconds: number,
  around: (phase: Phase, work: () => Promise<void>) => Promise<unknown> = (_, work) => work(),
): Promise<Part> {
  const { callSource } = plan.loop;
  callSource.use(plan.workload.warmup);
  const madeMs = () => callSource.generateMs + callSource.encodeMs;
  const beforeMs = madeMs();
  const { phase, work } = load.begin('warmup', seconds);
  await around(phase, () => runPhase(work, phase, client.channel));
  if (phase.failure) throw phase.failure;
  const tookSeconds = (performance.now() - phase.startMs) / 1_000;
  // Prepared calls take no time to make, so the time that the warm-up spent on it is not part of the rate.
  // The time to make them is sampled: one pause among few samples may make it longer than the whole warm-up.
  const callingSeconds = Math.max(tookSeconds - (madeMs() - beforeMs) / 1_000, tookSeconds / 4);
  return { phase, seconds: tookSeconds, rate: phase.succeededCalls / callingSeconds };
}

/** Number of further calls to prepare for this many seconds at this rate (null if unknown). */
const callsToPrepare = ({ plan: { mix, workload } }: Trial, seconds: number, callsPerSecond: number | null): number =>
  mix?.followsInserts ? 0 : workload.callsToPrepare(seconds, callsPerSecond);

/** Number of prepared calls, and whether all requested ones were prepared; memory or a stop may limit them. */
interface Prepared {
  readonly calls: number;
  readonly fit: boolean;
}

/** Prepares this many calls, or as many as fit into memory. */
async function prepare(trial: Trial, calls: number): Promise<Prepared> {
  const { measure } = trial.plan.workload;
  const before = measure.nextCall;
  await makeCalls(trial, measure, calls, { asManyAsFit: true });
  const made = measure.nextCall - before;
  return { calls: made, fit: made === calls };
}
