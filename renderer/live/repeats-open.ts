import type { RunModel } from '#analysis/run-model/run-model.ts';
import { repeatsOf } from '#planning/repeats.ts';

/** True if the measurements have still to decide the number of repeats. */
export const repeatsAreOpen = ({ enough, plan }: Pick<RunModel, 'enough' | 'plan'>): boolean =>
  enough === null && repeatsOf(plan.measure).relativeMargin !== null;
