import type { RunModel } from '#analysis/run-model/run-model.ts';
import { repeatsOf } from '#planning/repeats.ts';

/** Whether the measurements have still to decide how many repeats the run takes. */
export const repeatsAreOpen = ({ enough, plan }: Pick<RunModel, 'enough' | 'plan'>): boolean =>
  enough === null && repeatsOf(plan.measure).relativeMargin !== null;
