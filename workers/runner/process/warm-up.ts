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
  if (seconds === 0) {
    await prepare(trial, measure.seconds, null);
    collectGarbage();
    return [];
  }
  if (load.isScheduled) {
    const { phase, rate } = await run(trial, seconds);
    await prepare(trial, measure.seconds, rate);
    collectGarbage();
    return [phase];
  }

  await prepare(trial, measure.seconds, null, rehearsedCalls);
  const rehearsalSeconds = Math.min(longestRehearsal, seconds / 10);
  const rehearsal = await rehearse(trial, rehearsalSeconds);
  const leftSeconds = seconds - rehearsalSeconds;
  if (!byTime || plan.settings.generation === 'inline') return [rehearsal, (await run(trial, leftSeconds)).phase];
  const first = await run(trial, leftSeconds * firstPart);
  const restSeconds = leftSeconds * (1 - firstPart);
  await prepare(trial, restSeconds + measure.seconds, first.rate);
  collectGarbage();
  const rest = await run(trial, restSeconds);
  // It was faster than the first part. What these calls leave is too little to collect.
  await prepare(trial, measure.seconds, rest.rate);
  return [rehearsal, first.phase, rest.phase];
}

/** Does for a moment all that the measured phase does, its end included. */
async function rehearse(trial: Trial, seconds: number): Promise<Phase> {
  const { client, job, plan, connections, load, split } = trial;
  const { callSource } = plan.loop;
  callSource.use(plan.workload.warmup);
  const { phase, work } = load.begin('warmup', seconds);
  // Has some calls make a turn of the event loop each, as calls behind a pause do.
  setTimeout(() => {
    phase.lastTurnMs = Number.NEGATIVE_INFINITY;
  }, seconds * 500);
  const runWork = () => runPhase(work, phase, client.channel);
  await measurePhase(phase, { worker: job.worker, connections, callSource, split }, runWork, () => {});
  if (phase.failure) throw phase.failure;
  if (!client.channel.stopped) await reportWork(connections);
  return phase;
}

/** Runs a part of the warm-up. `rate`: its calls per second; null: no clock ended it. */
async function run(
  { client, plan, load }: Trial,
  seconds: number,
): Promise<{ readonly phase: Phase; readonly rate: number | null }> {
  const { callSource } = plan.loop;
  callSource.use(plan.workload.warmup);
  const madeMs = () => callSource.generateMs + callSource.encodeMs;
  const beforeMs = madeMs();
  const { phase, work } = load.begin('warmup', seconds);
  await runPhase(work, phase, client.channel);
  if (phase.failure) throw phase.failure;
  if (!Number.isFinite(seconds)) return { phase, rate: null };
  // Prepared calls take no time to make, so the time that the warm-up spent on it is not part of the rate.
  // The time to make them is sampled: one pause among few samples may make it longer than the whole warm-up.
  const callingSeconds = Math.max(seconds - (madeMs() - beforeMs) / 1_000, seconds / 4);
  return { phase, rate: phase.succeededCalls / callingSeconds };
}

/** Prepares calls for so many seconds at this rate, as many as fit into memory; `most`: no more than these. */
async function prepare(
  trial: Trial,
  seconds: number,
  callsPerSecond: number | null,
  most = Number.POSITIVE_INFINITY,
): Promise<void> {
  const { mix, workload } = trial.plan;
  const calls = mix?.followsInserts ? 0 : Math.min(workload.callsToPrepare(seconds, callsPerSecond), most);
  await makeCalls(trial, workload.measure, calls, { asManyAsFit: true });
}
