import type { RunModel } from '#analysis/run-model/run-model.ts';
import { fittingOptions, type PictureOptions } from '#presentation/charts/picture/picture-options.ts';
import { createStore, useStore } from '../../state/store.ts';
import { useBaseline } from '../use-baseline.ts';

/** The options chosen for each run. They are kept until the window closes. */
const chosen = createStore<Readonly<Record<string, Partial<PictureOptions>>>>({});

export function usePictureOptions(
  model: RunModel,
): readonly [PictureOptions, (change: Partial<PictureOptions>) => void] {
  const [baseline] = useBaseline(model);
  const changed = useStore(chosen)[model.runId];
  const change = (next: Partial<PictureOptions>) =>
    chosen.update((all) => ({ ...all, [model.runId]: { ...all[model.runId], ...next } }));
  return [{ ...fittingOptions(model, baseline), ...changed }, change];
}
