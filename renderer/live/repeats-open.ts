import type { RunModel } from '#analysis/run-model/run-model.ts';
import { repeatsOf } from '#planning/repeats.ts';

/** True if the number of repeats is not determined yet. */
export const repeatsAreOpen = ({ enough, plan }: Pick<RunModel, 'enough' | 'plan'>): boolean =>
  enough === null && repeatsOf(plan.measure).relativeMargin !== null;
