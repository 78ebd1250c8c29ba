import type { Baseline, Compare } from '#planning/rates/baseline.ts';
import { createStore } from './store.ts';

/** The baseline chosen for each run. It is kept until the window closes, and all views of a run share it. */
export const chosenBaselines = createStore<Readonly<Record<string, Baseline>>>({});

/** The comparison chosen for a run. Undefined without a choice, and where a single cell is the baseline. */
export function chosenCompare(runId: string): Compare | undefined {
  const { target, variant } = chosenBaselines.get()[runId] ?? {};
  if ((target === undefined) === (variant === undefined)) return undefined;
  return target === undefined ? 'levels' : 'targets';
}
