import { formatPercent } from '#model/format/format.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { Drift } from '#stats/series/drift.ts';
import type { RunModel, TrialView } from '../run-model/run-model.ts';
import { type CellSteadiness, type Steadiness, steadinessOf } from '../run-model/steadiness.ts';
import { type Change, changesOf } from './changes.ts';

/** Details of a single trial, from its own seconds. */
export interface TrialDetails {
  readonly view: TrialView;
  readonly steadiness: Steadiness;
  readonly changes: readonly Change[];
}

/** Details of the trials that are long enough to judge, in the order of variant, target and repeat. */
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
export function steadinessText({ state, cutSeconds, drift }: Steadiness): string {
  if (state === 'tooShort' || cutSeconds === null || drift === null) return 'too short to tell';
  const cut = cutSeconds === 0 ? '' : ` after ${wholeSeconds(cutSeconds)}, which belong to the warm-up`;
  if (state === 'steady') return `steady${cut}`;
  return isFlat(drift)
    ? `not steady: its beginning reached to ${wholeSeconds(cutSeconds)} at least`
    : `not steady: the end ran at ${formatDrift(drift)} of the beginning`;
}

/** "90 % (87 %–93 %)". */
export const formatDrift = ({ ratio, low, high }: Drift): string =>
  `${formatPercent(ratio)} (${formatPercent(low)}–${formatPercent(high)})`;

/** "From the beginning of a trial to its end the rate changed to 90 % (87 %–93 %), over 3 trials." */
export function driftText({ drift, trials, cutSeconds }: CellSteadiness): string {
  const over = trials === 1 ? 'one trial' : `${trials} trials`;
  return isFlat(drift)
    ? `The beginning, which is slower or faster, reached to ${wholeSeconds(cutSeconds)} at least, over ${over}.`
    : `From ${cutSeconds === 0 ? 'the beginning of a trial' : `${wholeSeconds(cutSeconds)} after the beginning of a trial`} to its end the rate changed to ${formatDrift(drift)}, over ${over}.`;
}

const wholeSeconds = (seconds: number): string => `${Math.round(seconds)}\u00a0s`;

/** A trial that is flat after its warm-up is unsteady because the warm-up did not end. */
const isFlat = ({ low, high }: Drift): boolean => low <= 1 && high >= 1;
