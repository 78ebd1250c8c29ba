import { measurePhase, runPhase } from '../loop/loop.ts';
import type { Phase } from '../loop/phase.ts';
import { makeCalls, reportWork, startsUntouched, type Trial } from './client-trial.ts';
import { collectGarbage } from './garbage.ts';

/**
 * The longest time that a rehearsal takes, in seconds: less than until V8 has compiled what it finds to be frequent.
 */
const longestRehearsal = 0.05;
/** Rows of a rehearsal's prepared calls: V8 notes which branches a function takes only after some ten calls of it. */
const rehearsedRows = 100;
/** The part of the warm-up that tells the rate of calls. */
const firstPart = 1 / 3;

/**
 * Runs the phases before the measured one, and prepares the calls of which only they tell how many there will be.
 * Resolves with these phases.
 *
 * V8 throws compiled code away when it takes a branch for the first time, when a field holds its first fraction, and
 * when it collects all garbage while no call is under way. So a rehearsal comes first, and calls are prepared in the
 * midst of the warm-up: what follows runs as the measured phase will. Else half of what a call runs would have to be
 * compiled again while it is measured.
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
    // Calls of many rows are too few for what V8 makes of taking them.
    await prepare(trial, Math.min(needed, Math.floor(rehearsedRows / plan.workload.rowsPerCall)));
    parts.push(await rehearse(trial, Math.min(longestRehearsal, seconds / 10)));
    // A call may have taken all the time.
    if (needed > 0 && leftSeconds() > 0) {
      const first = await run(trial, leftSeconds() * firstPart);
      parts.push(first);
      early = await prepare(trial, callsToPrepare(trial, Math.max(0, leftSeconds()) + measure.seconds, first.rate));
      if (early.calls > 0) collectGarbage();
    }
  }
  if (leftSeconds() > 0) parts.push(await run(trial, leftSeconds()));
  if (early.fit) {
    // The calls after the first part may have been faster; then too little garbage is left to collect.
    const more = await prepare(trial, callsToPrepare(trial, measure.seconds, parts.at(-1)?.rate ?? null));
    if (early.calls === 0 && more.calls > 0) collectGarbage();
  }
  return parts.map(({ phase }) => phase);
}

/** A part of the warm-up that was run. */
interface Part {
  readonly phase: Phase;
  /** The time that it took, which calls that the clock met may have made longer. */
  readonly seconds: number;
  /** Calls per second. */
  readonly rate: number;
}

/** Does for a moment all that the measured phase does, its end included. */
async function rehearse(trial: Trial, seconds: number): Promise<Part> {
  const { client, job, plan, connections, split } = trial;
  const { callSource } = plan.loop;
  const part = await run(trial, seconds, (phase, work) => {
    // Has some calls make a turn of the event loop each, as calls behind a pause do.
    const middleMs = (seconds * 1_000) / 2;
    setTimeout(() => {
      phase.lastTurnMs = Number.NEGATIVE_INFINITY;
    }, middleMs);
    return measurePhase(phase, { worker: job.worker, connections, callSource, split }, work, () => {});
  });
  if (!client.channel.stopped) await reportWork(connections);
  return part;
}

/** Runs a part of the warm-up: its work, or what `around` makes of it. */
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

/** The number of calls to prepare in addition for so many seconds at this rate (null: it is not known). */
const callsToPrepare = ({ plan: { mix, workload } }: Trial, seconds: number, callsPerSecond: number | null): number =>
  mix?.followsInserts ? 0 : workload.callsToPrepare(seconds, callsPerSecond);

/** Calls that were prepared; and whether these are all that were asked for, as memory or a stop may have cut them. */
interface Prepared {
  readonly calls: number;
  readonly fit: boolean;
}

/** Prepares so many calls, or as many as fit into memory. */
async function prepare(trial: Trial, calls: number): Promise<Prepared> {
  const { measure } = trial.plan.workload;
  const before = measure.nextCall;
  await makeCalls(trial, measure, calls, { asManyAsFit: true });
  const made = measure.nextCall - before;
  return { calls: made, fit: made === calls };
}
