import type { RunModel } from '#analysis/run-model/run-model.ts';
import { type Baseline, baselineOf } from '#planning/rates/baseline.ts';
import { chosenBaselines } from '../state/chosen-baselines.ts';
import { useStore } from '../state/store.ts';

export function useBaseline(model: RunModel): readonly [Baseline, (baseline: Baseline) => void] {
  const baseline = useStore(chosenBaselines)[model.runId] ?? baselineOf(model);
  return [baseline, (next) => chosenBaselines.update((all) => ({ ...all, [model.runId]: next }))];
}
