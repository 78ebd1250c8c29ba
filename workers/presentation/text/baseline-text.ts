import type { RunModel } from '#analysis/run-model/run-model.ts';
import type { Baseline } from '#planning/rates/baseline.ts';
import { variantLabel } from '#planning/variant-of.ts';

/** The baseline that ratios refer to: "the same variant on PostgreSQL". */
export function describeBaseline(model: RunModel, { variant, target }: Baseline): string {
  if (variant === undefined) return target === undefined ? 'nothing' : `the same variant on ${target}`;
  return target === undefined
    ? `${variantLabel(model.plan, variant)} on the same target`
    : `${variantLabel(model.plan, variant)} on ${target}`;
}
