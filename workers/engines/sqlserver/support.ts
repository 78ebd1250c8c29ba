import type { OperationPlan } from '#contract/engine.ts';
import { DynoError } from '#contract/error.ts';
import { descriptor } from './descriptor.ts';

/** Refuses what the descriptor does not have. */
export function checkSupport({ operation, method }: OperationPlan): void {
  if (!descriptor.support[operation]?.[method])
    throw new DynoError('unsupported', `SQL Server cannot do ${operation} by ${method}.`, {
      hint: descriptor.cannot[`${operation}.${method}`] ?? descriptor.cannot[method] ?? null,
    });
}
