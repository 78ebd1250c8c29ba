import { addAbortListener } from 'node:events';
import { repeatsOf } from '#planning/repeats.ts';
import type { RunProgress } from '#protocol/ipc.ts';
import type { Precision } from '#protocol/journal.ts';
import type { Plan, PlannedTrial, Variant } from '#protocol/plan.ts';
import { type FinishedTrial, secondsLeft } from './time-left.ts';

/** The state of a run: its progress, its current activity, and whether it is paused. */
export interface Progress {
  readonly state: RunProgress;
  activity(text: string): void;
  began(trial: PlannedTrial, variant: Variant): void;
  /** `expected`: the trials that still follow, as far as known. */
  finished(trial: PlannedTrial, expected: readonly PlannedTrial[]): void;
  /** Records that a whole round is done, if the number of repeats may vary. */
  precision(precision: Precision): void;
  /** Records that no trials after this round are needed. */
  enough(round: number): void;
  pause(paused: boolean): void;
  /** Resolves when the run is not paused (any more), or has been cancelled. */
  whilePaused(signal: AbortSignal): Promise<void>;
  ended(activity: string): void;
}

export function createProgress(
  runId: string,
  plan: Plan,
  doneBefore: number,
  firstExpected: readonly PlannedTrial[],
  onChange: (state: RunProgress) => void,
): Progress {
  const finished: FinishedTrial[] = [];
  let trialStartedAt = performance.now();
  let expected = firstExpected;
  let wakeUp: (() => void) | null = null;
  let state = stateAtStart(runId, doneBefore, doneBefore + firstExpected.length);
  const repeats = repeatsOf(plan.measure);
  // Until the first repeats show more, the last possible round counts as the last one, as in the count of trials.
  let lastRound = repeats.max;
  const bar = createBar(doneBefore / Math.max(doneBefore + firstExpected.length, 1));
  const change = (more: Partial<RunProgress>) => {
    state = { ...state, ...more };
    onChange(state);
  };
  /** The remaining time, and the share that the progress bar shows. */
  const estimate = (): Pick<RunProgress, 'fraction' | 'secondsLeft'> => {
    const remaining = expected.filter(({ repeat }) => repeat <= lastRound);
    const inTrial = remaining.length > 0 ? (performance.now() - trialStartedAt) / 1_000 : 0;
    const left = Math.max(
      secondsLeft(plan, remaining, finished) - inTrial,
      secondsLeft(plan, remaining.slice(1), finished),
    );
    // A trial that takes longer than expected still leaves a part of the bar.
    const rest = Math.max(left, inTrial / 20);
    const grows = remaining.length > 0 && !state.paused;
    return { fraction: bar.grow(grows ? rest : null), secondsLeft: left };
  };
  return {
    get state() {
      return state;
    },
    activity: (activity) => change({ activity, ...estimate() }),
    began(trial, variant) {
      trialStartedAt = performance.now();
      change({
        trial: trial.number,
        activity: `${variant.label} on ${trial.target}, repeat ${trial.repeat}`,
        ...estimate(),
      });
    },
    finished(trial, left) {
      finished.push({ ...trial, seconds: (performance.now() - trialStartedAt) / 1_000 });
      expected = left;
      const trialsDone = doneBefore + finished.length;
      change({ trial: null, trialsDone, trialsPlanned: trialsDone + left.length, ...estimate() });
    },
    precision(precision) {
      const expected = precision.round + (precision.roundsMore ?? 1);
      lastRound = Math.min(repeats.max, Math.max(repeats.min, expected));
      change({ precision: { ...precision, cells: precision.cells.slice(0, 1) }, ...estimate() });
    },
    enough(round) {
      lastRound = round;
      change({ trialsPlanned: plan.trials.filter(({ repeat }) => repeat <= round).length, ...estimate() });
    },
    pause(paused) {
      change({ ...estimate(), paused });
      if (!paused) wakeUp?.();
    },
    async whilePaused(signal) {
      while (state.paused && !signal.aborted) {
        change({ activity: 'Paused' });
        const woken = Promise.withResolvers<void>();
        wakeUp = woken.resolve;
        using _ = addAbortListener(signal, () => woken.resolve());
        await woken.promise;
      }
    },
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

const stateAtStart = (runId: string, trialsDone: number, trialsPlanned: number): RunProgress => ({
  runId,
  activity: 'Starting',
  trial: null,
  trialsDone,
  trialsPlanned,
  fraction: null,
  secondsLeft: null,
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
