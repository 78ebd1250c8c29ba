import { differencesOf } from '#analysis/gap/differences.ts';
import type { AskedGap } from '#analysis/gap/gap-file.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { findCell } from '#analysis/run-model/select-cells.ts';
import { baselineOf } from '#planning/rates/baseline.ts';
import { isContender } from '#planning/rates/contenders.ts';
import { variantOf } from '#planning/variant-of.ts';
import { attempt, request } from '../../state/bridge.ts';
import { chosenBaselines } from '../../state/chosen-baselines.ts';
import { goTo } from '../../state/navigation.ts';
import { startRun } from '../../state/start-run.ts';
import { createStore } from '../../state/store.ts';

/** The run whose gap the dialog explains; null while it is closed. */
export const gapDialog = createStore<RunModel | null>(null);

/** True if the baseline and the variant furthest from it differ in several parts, and the file does not ask yet. */
export function hasGap(model: RunModel): boolean {
  const { plan, status, yaml } = model;
  if (status === 'running' || yaml === '' || plan.experiment.explain !== undefined) return false;
  const usual = usualGap(model);
  const [from, to] = [variantOf(plan, usual.from), variantOf(plan, usual.to)];
  return from !== undefined && to !== undefined && differencesOf(plan, from, to).length > 1;
}

export const askGap = (model: RunModel): void => gapDialog.set(model);

/** The baseline, and the variant whose throughput on the first target is furthest from it. */
export function usualGap(model: RunModel): AskedGap {
  const { plan } = model;
  const from = chosenBaselines.get()[model.runId]?.variant ?? baselineOf(model, 'levels').variant ?? '';
  const target = plan.targets.find(({ name }) => isContender(model, name))?.name ?? plan.targets[0]?.name ?? '';
  const rateOf = (variant: string) => findCell(model, variant, target)?.rowsPerSecond?.value ?? null;
  const base = rateOf(from);
  const distance = (variant: string) => {
    const own = rateOf(variant);
    return own === null || base === null ? 0 : Math.abs(Math.log(own / base));
  };
  const others = plan.variants.map(({ id }) => id).filter((id) => id !== from);
  const [to = ''] = others.toSorted((a, b) => distance(b) - distance(a));
  return { from, to, target };
}

/** Runs the experiment that explains a gap, and keeps it in the library. */
export async function startGap(text: string): Promise<void> {
  const started = await startRun(text);
  if (!started) return;
  gapDialog.set(null);
  goTo({ page: 'run', runId: started.runId });
  await attempt('Could not keep the experiment', () => request('experiments:save', { id: null, text }));
}
