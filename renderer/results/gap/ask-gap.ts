import type { RunModel } from '#analysis/run-model/run-model.ts';
import { baselineOf } from '#planning/rates/baseline.ts';
import { isContender } from '#planning/rates/contenders.ts';
import { keyOf } from '#protocol/cell-key.ts';
import { attempt, request } from '../../state/bridge.ts';
import { chosenBaselines } from '../../state/chosen-baselines.ts';
import { goTo } from '../../state/navigation.ts';
import { startRun } from '../../state/start-run.ts';
import { createStore } from '../../state/store.ts';

/** The experiment whose gap is explained, and the choices with which the dialog opens. */
interface AskedInWindow {
  readonly text: string;
  readonly from: string;
  readonly to: string;
  readonly target: string;
}

/** The question of the dialog; null while it is closed. */
export const gapDialog = createStore<AskedInWindow | null>(null);

/** True if the run has two variants on one target whose gap can be explained. */
export const hasGap = ({ plan, status, yaml }: RunModel): boolean =>
  plan.variants.length > 1 && status !== 'running' && yaml !== '';

/** Opens the dialog with the baseline, and with the variant that differs most from it on the first target. */
export function askGap(model: RunModel): void {
  const { plan, cells, yaml } = model;
  const from = chosenBaselines.get()[model.runId]?.variant ?? baselineOf(model, 'levels').variant ?? '';
  const target = plan.targets.find(({ name }) => isContender(model, name))?.name ?? plan.targets[0]?.name ?? '';
  const rateOf = (variant: string) =>
    cells.find((cell) => keyOf(cell) === keyOf({ variant, target }))?.rowsPerSecond?.value ?? null;
  const base = rateOf(from);
  const distance = (variant: string) => {
    const own = rateOf(variant);
    return own === null || base === null ? 0 : Math.abs(Math.log(own / base));
  };
  const others = plan.variants.map(({ id }) => id).filter((id) => id !== from);
  const [to = ''] = others.toSorted((a, b) => distance(b) - distance(a));
  gapDialog.set({ text: yaml, from, to, target });
}

/** Runs the experiment that explains a gap, and keeps it in the library. */
export async function startGap(text: string): Promise<void> {
  const started = await startRun(text);
  if (!started) return;
  gapDialog.set(null);
  goTo({ page: 'run', runId: started.runId });
  await attempt('Could not keep the experiment', () => request('experiments:save', { id: null, text }));
}
