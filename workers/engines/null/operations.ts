import type { Batch } from '#contract/batch.ts';
import type { Operation, OperationPlan, Session } from '#contract/engine.ts';
import { DynoError } from '#contract/error.ts';
import { supportOf } from '#contract/support-of.ts';
import { descriptor } from './descriptor.ts';

/** Without a delay everything is synchronous; with one, calls wait on a timer and can be cancelled. */
export function openNullSession(delayMs: number): Session {
  const waiting = new Set<(reason: DynoError) => void>();
  return {
    prepare: async (plan) => prepare(plan, delayMs, waiting),
    begin: () => {},
    commit: () => {},
    rollback: () => {},
    async cancel() {
      for (const reject of waiting) reject(new DynoError('cancelled', 'The call was cancelled.'));
    },
    wireBytes: () => null,
    [Symbol.asyncDispose]: async () => {},
  };
}

function prepare(plan: OperationPlan, delayMs: number, waiting: Set<(reason: DynoError) => void>): Operation {
  const { operation, method, rangeRows } = plan.settings;
  supportOf(descriptor, operation, method);
  const encode = operation === 'readRange' ? (batch: Batch) => batch.rows * rangeRows : (batch: Batch) => batch.rows;
  if (delayMs === 0) return { layout: null, encode, run: (call) => call as number };
  return {
    layout: null,
    encode,
    run: (call) =>
      new Promise<number>((resolve, reject) => {
        const cancelled = (reason: DynoError) => {
          clearTimeout(timer);
          waiting.delete(cancelled);
          reject(reason);
        };
        const timer = setTimeout(() => {
          waiting.delete(cancelled);
          resolve(call as number);
        }, delayMs);
        waiting.add(cancelled);
      }),
  };
}
