import { addAbortListener } from 'node:events';
import { type Durations, experimentKey, type FinishedTrial, finishedTrial } from '#planning/durations.ts';
import { estimateStart, roundsWithin } from '#planning/estimate-seconds.ts';
import { repeatsOf } from '#planning/repeats.ts';
import { expectedLastRound } from '#planning/stopping/precision.ts';
import type { RunProgress } from '#protocol/ipc.ts';
import type { Precision } from '#protocol/journal.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import type { Plan, PlannedTrial, Variant } from '#protocol/plan.ts';
import { secondsLeft } from './time-left.ts';

/** The state of a run: its progress, its current activity, and whether it is paused. */
export interface Progress {
  readonly state: RunProgress;
  activity(text: string): void;
  began(trial: PlannedTrial, variant: Variant): void;
  /** `expected`: the trials that still follow, as far as known. */
  finished(trial: PlannedTrial, result: TrialResult, expected: readonly PlannedTrial[]): void;
  /** Records that a whole round is done, if the number of repeats may vary. */
  precision(precision: Precision): void;
  /** Records that no trials after this round are needed. */
  enough(round: number): void;
  pause(paused: boolean): void;
  /** Resolves when the run is not paused (any more), or has been cancelled. */
  whilePaused(signal: AbortSignal): Promise<void>;
  ended(activity: string): void;
  /** The trials that have ended, and the seconds of the run beside them, without pauses. */
  times(): { readonly finished: readonly FinishedTrial[]; readonly startSeconds: number };
}

/** The facts from before the run. */
interface Before {
  readonly known: Durations;
  /** The number of trials that a resumed run has already made. */
  readonly done: number;
}

export function createProgress(
  runId: string,
  plan: Plan,
  { known, done: doneBefore }: Before,
  firstExpected: readonly PlannedTrial[],
  onChange: (state: RunProgress) => void,
): Progress {
  const finished: FinishedTrial[] = [];
  const createdAt = performance.now();
  let pausedMs = 0;
  /** The end of the trial before, or of the pause after it; null before the first trial. */
  let trialStartedAt: number | null = null;
  let expected = firstExpected;
  let wakeUp: (() => void) | null = null;
  const repeats = repeatsOf(plan.measure);
  // Until the repeats show more, the run is expected to end as it did before, or after the last round that is allowed.
  const usualRounds = Math.min(repeats.max, known.rounds.get(experimentKey(plan)) ?? repeats.max);
  let lastRound = Math.max(repeats.min, roundsWithin(plan, known, usualRounds));
  const startSeconds = estimateStart(plan, known);
  const bar = createBar(doneBefore / Math.max(doneBefore + firstExpected.length, 1));
  /** The remaining time. */
  const left = (): { readonly seconds: number; readonly inTrial: number; readonly trials: number } => {
    const remaining = expected.filter(({ repeat }) => repeat <= lastRound);
    const inTrial = remaining.length > 0 && trialStartedAt !== null ? (performance.now() - trialStartedAt) / 1_000 : 0;
    const starting = trialStartedAt === null ? Math.max(0, startSeconds - (performance.now() - createdAt) / 1_000) : 0;
    const all = secondsLeft(plan, remaining, finished, known) - inTrial;
    const others = inTrial > 0 ? secondsLeft(plan, remaining.slice(1), finished, known) : 0;
    return { seconds: starting + Math.max(all, others), inTrial, trials: remaining.length };
  };
  let state = stateAtStart(runId, doneBefore, doneBefore + firstExpected.length, left().seconds);
  const change = (more: Partial<RunProgress>) => {
    state = { ...state, ...more };
    onChange(state);
  };
  /** The remaining time, and the share that the progress bar shows. */
  const estimate = (): Pick<RunProgress, 'fraction' | 'secondsLeft'> => {
    const { seconds, inTrial, trials } = left();
    // A trial that takes longer than expected still leaves a part of the bar.
    const rest = Math.max(seconds, inTrial / 20);
    const grows = trials > 0 && !state.paused;
    return { fraction: bar.grow(grows ? rest : null), secondsLeft: seconds };
  };
  return {
    get state() {
      return state;
    },
    activity: (activity) => change({ activity, ...estimate() }),
    began(trial, variant) {
      trialStartedAt ??= performance.now();
      change({
        trial: trial.number,
        activity: `${variant.label} on ${trial.target}, repeat ${trial.repeat}`,
        ...estimate(),
      });
    },
    finished(trial, result, following) {
      const now = performance.now();
      finished.push(finishedTrial(trial, result, (now - (trialStartedAt ?? now)) / 1_000));
      trialStartedAt = now;
      expected = following;
      const trialsDone = doneBefore + finished.length;
      change({ trial: null, trialsDone, trialsPlanned: trialsDone + following.length, ...estimate() });
    },
    precision(precision) {
      const round = expectedLastRound(precision, plan.measure);
      if (round !== null) lastRound = Math.max(precision.round, roundsWithin(plan, known, round));
      change({ precision: { ...precision, cells: precision.cells.slice(0, 1) }, ...estimate() });
    },
    enough(round) {
      lastRound = round;
      const trialsPlanned = plan.trials.filter(({ repeat }) => repeat <= round).length;
      // A round that was not completed has some more trials.
      change({ trialsPlanned: Math.max(trialsPlanned, state.trialsDone), ...estimate() });
    },
    pause(paused) {
      change({ ...estimate(), paused });
      if (!paused) wakeUp?.();
    },
    async whilePaused(signal) {
      const [from, pausedBeforeMs] = [performance.now(), pausedMs];
      while (state.paused && !signal.aborted) {
        change({ activity: 'Paused' });
        const woken = Promise.withResolvers<void>();
        wakeUp = woken.resolve;
        using _ = addAbortListener(signal, () => woken.resolve());
        await woken.promise;
        const now = performance.now();
        pausedMs = pausedBeforeMs + now - from;
        if (trialStartedAt !== null) trialStartedAt = now;
      }
    },
    times: () => ({
      finished,
      startSeconds:
        (performance.now() - createdAt - pausedMs) / 1_000 - finished.reduce((sum, { seconds }) => sum + seconds, 0),
    }),
    ended: (activity) =>
      change({
        activity,
        trial: null,
        live: false,
        secondsLeft: 0,
        fraction: state.trialsDone < state.trialsPlanned ? bar.shown() : 1,
      }),
  };
}

const stateAtStart = (runId: string, trialsDone: number, trialsPlanned: number, secondsLeft: number): RunProgress => ({
  runId,
  activity: 'Starting',
  trial: null,
  trialsDone,
  trialsPlanned,
  fraction: null,
  secondsLeft,
  paused: false,
  live: true,
  precision: null,
});

/**
 * The part of a run that its progress bar shows. Elapsed time takes its share of the rest of the bar, so a new estimate
 * changes the bar's speed and never moves it back.
 */
function createBar(first: number) {
  let shown = first;
  let shownAt = performance.now();
  return {
    shown: () => shown,
    /** Adds the time since the last call. `secondsLeft`: the remaining time; null: the bar stands still. */
    grow(secondsLeft: number | null): number {
      const now = performance.now();
      const passed = (now - shownAt) / 1_000;
      shownAt = now;
      if (secondsLeft !== null && passed > 0) shown = 1 - (1 - shown) * (secondsLeft / (secondsLeft + passed));
      return shown;
    },
  };
}
