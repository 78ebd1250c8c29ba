import type { RunProgress } from '#contract/ipc.ts';
import type { TrialResult } from '#contract/measurement.ts';
import type { Plan, PlannedTrial, Variant } from '#contract/plan.ts';
import { type FinishedTrial, secondsLeft } from './time-left.ts';

/** How far a run is, what it does now, and whether it waits. */
export interface Progress {
  readonly state: RunProgress;
  activity(text: string): void;
  began(trial: PlannedTrial, variant: Variant): void;
  finished(trial: PlannedTrial, result: TrialResult): void;
  pause(paused: boolean): void;
  /** Returns when the run is not paused (any more), or has been cancelled. */
  whilePaused(signal: AbortSignal): Promise<void>;
  ended(activity: string): void;
}

export function createProgress(
  runId: string,
  plan: Plan,
  doneBefore: number,
  pending: readonly PlannedTrial[],
  onChange: (state: RunProgress) => void,
): Progress {
  const startedAt = performance.now();
  const finished: FinishedTrial[] = [];
  let trialStartedAt = startedAt;
  let wakeUp: (() => void) | null = null;
  let state: RunProgress = {
    runId,
    activity: 'Starting',
    trial: null,
    trialsDone: doneBefore,
    trialsPlanned: plan.trials.length,
    fraction: null,
    secondsLeft: null,
    paused: false,
    live: true,
  };
  const change = (more: Partial<RunProgress>) => {
    state = { ...state, ...more };
    onChange(state);
  };
  /** Part of all trials' time that is over, counting the time spent in the current one. */
  const estimate = (): Pick<RunProgress, 'fraction' | 'secondsLeft'> => {
    const remaining = pending.slice(finished.length);
    const inTrial = remaining.length > 0 ? (performance.now() - trialStartedAt) / 1_000 : 0;
    const left = Math.max(
      secondsLeft(plan, remaining, finished) - inTrial,
      secondsLeft(plan, remaining.slice(1), finished),
    );
    const spent = finished.reduce((sum, one) => sum + one.seconds, 0) + inTrial;
    const share = spent + left > 0 ? spent / (spent + left) : 1;
    const before = doneBefore / plan.trials.length;
    return { fraction: before + (1 - before) * share, secondsLeft: left };
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
    finished(trial) {
      finished.push({ ...trial, seconds: (performance.now() - trialStartedAt) / 1_000 });
      change({ trial: null, trialsDone: doneBefore + finished.length, ...estimate() });
    },
    pause(paused) {
      change({ paused });
      if (!paused) wakeUp?.();
    },
    async whilePaused(signal) {
      while (state.paused && !signal.aborted) {
        change({ activity: 'Paused' });
        await new Promise<void>((resolve) => {
          wakeUp = resolve;
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
      }
    },
    ended: (activity) =>
      change({ activity, trial: null, live: false, secondsLeft: 0, fraction: state.trialsDone / state.trialsPlanned }),
  };
}
