import { formatPercent } from '#model/format/format.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { RunModel, TrialView } from '../run-model/run-model.ts';
import { type Steadiness, steadinessOf } from '../run-model/steadiness.ts';
import { type Change, changesOf } from './changes.ts';

/** What is known of a single trial from its own seconds. */
export interface TrialDetails {
  readonly view: TrialView;
  readonly steadiness: Steadiness;
  readonly changes: readonly Change[];
}

/** Details of the trials that took long enough to judge, in the order of variant, target and repeat. */
export function trialDetails({
  plan,
  targets,
  trials,
}: Pick<RunModel, 'plan' | 'targets' | 'trials'>): readonly TrialDetails[] {
  const all = trials.flatMap((view) => {
    const steadiness = steadinessOf(view);
    return steadiness === null || steadiness.state === 'tooShort'
      ? []
      : [{ view, steadiness, changes: changesOf(view, infosOf(targets, view)) }];
  });
  const byCell = Map.groupBy(all, ({ view }) => keyOf(view.trial));
  return plan.variants.flatMap(({ id: variant }) =>
    plan.targets.flatMap(({ name: target }) => byCell.get(keyOf({ variant, target })) ?? []),
  );
}

const infosOf = (targets: RunModel['targets'], { trial }: TrialView) =>
  targets.find(({ name }) => name === trial.target)?.probeInfo;

/** "steady after 5 s", "not steady: the end ran at 80 % of the beginning". */
export function describeSteadiness({ state, cutSeconds, drift }: Steadiness): string {
  if (state === 'tooShort' || cutSeconds === null || drift === null) return 'too short to tell';
  const cut = cutSeconds === 0 ? '' : ` after ${wholeSeconds(cutSeconds)}, which belong to the warm-up`;
  if (state === 'steady') return `steady${cut}`;
  return Math.abs(drift - 1) > flat
    ? `not steady: the last third of what follows the first ${wholeSeconds(cutSeconds)} ran at ${formatPercent(drift)} of the first`
    : `not steady: its beginning reached to ${wholeSeconds(cutSeconds)} at least`;
}

const wholeSeconds = (seconds: number): string => `${Math.round(seconds)}\u00a0s`;

/** A change as small as this is no drift: such a trial is unsteady because its warm-up did not end. */
const flat = 0.02;
