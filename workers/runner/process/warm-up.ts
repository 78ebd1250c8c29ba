import { measurePhase, runPhase } from '../loop/loop.ts';
import type { Phase } from '../loop/phase.ts';
import { makeCalls, reportWork, startsUntouched, type Trial } from './client-trial.ts';
import { collectGarbage } from './garbage.ts';

/** How long a rehearsal takes, in seconds: less than until V8 has compiled what it finds to be frequent. */
const longestRehearsal = 0.05;
/** Prepared calls of a rehearsal: V8 notes which branches a function takes only after some ten calls of it. */
const rehearsedCalls = 100;
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
  const byTime = measure.until === 'time';
  const seconds = startsUntouched(job) ? 0 : byTime ? measure.warmupSeconds : Number.POSITIVE_INFINITY;
  const parts: Part[] = [];
  const leftSeconds = () => parts.reduce((left, part) => left - part.seconds, seconds);
  let prepared = 0;

  if (seconds > 0 && !load.isScheduled) {
    await prepare(trial, measure.seconds, null, rehearsedCalls);
    parts.push(await rehearse(trial, Math.min(longestRehearsal, seconds / 10)));
    // A call may have taken all the time.
    if (byTime && plan.settings.generation === 'prepared' && leftSeconds() > 0) {
      const first = await run(trial, leftSeconds() * firstPart);
      parts.push(first);
      prepared = await prepare(trial, Math.max(0, leftSeconds()) + measure.seconds, first.rate);
      if (prepared > 0) collectGarbage();
    }
  }
  if (leftSeconds() > 0) parts.push(await run(trial, leftSeconds()));
  // What followed the first part may have been faster; that leaves too little garbage to collect.
  const more = await prepare(trial, measure.seconds, parts.at(-1)?.rate ?? null);
  if (prepared === 0 && more > 0) collectGarbage();
  return parts.map(({ phase }) => phase);
}

/** A part of the warm-up that was run. */
interface Part {
  readonly phase: Phase;
  /** How long it took, which calls that the clock met may have made longer. */
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
    setTimeout(() => {
      phase.lastTurnMs = Number.NEGATIVE_INFINITY;
    }, seconds * 500);
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

/**
 * Prepares calls for so many seconds at this rate (null: it is not known), as many as fit into memory; `most`: no more
 * than these. Resolves with how many were to be made.
 */
async function prepare(
  trial: Trial,
  seconds: number,
  callsPerSecond: number | null,
  most = Number.POSITIVE_INFINITY,
): Promise<number> {
  const { mix, workload } = trial.plan;
  const calls = mix?.followsInserts ? 0 : Math.min(workload.callsToPrepare(seconds, callsPerSecond), most);
  await makeCalls(trial, workload.measure, calls, { asManyAsFit: true });
  return calls;
}
