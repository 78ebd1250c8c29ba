import type { RunModel } from '#analysis/run-model/run-model.ts';
import type { Baseline } from '#planning/rates/baseline.ts';
import { variantText } from '#planning/variant-of.ts';

/** The baseline of ratios: "the same variant on PostgreSQL". */
export function baselineText(model: RunModel, { variant, target }: Baseline): string {
  if (variant === undefined) return target === undefined ? 'nothing' : `the same variant on ${target}`;
  return target === undefined
    ? `${variantText(model.plan, variant)} on the same target`
    : `${variantText(model.plan, variant)} on ${target}`;
}
