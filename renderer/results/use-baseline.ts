import type { RunModel } from '#analysis/run-model/run-model.ts';
import { type Baseline, baselineOf } from '#planning/rates/baseline.ts';
import { createStore, useStore } from '../state/store.ts';

/** The baseline chosen for each run. It is kept until the window closes, and all views of a run share it. */
const chosen = createStore<Readonly<Record<string, Baseline>>>({});

export function useBaseline(model: RunModel): readonly [Baseline, (baseline: Baseline) => void] {
  const baseline = useStore(chosen)[model.runId] ?? baselineOf(model);
  return [baseline, (next) => chosen.update((all) => ({ ...all, [model.runId]: next }))];
}
