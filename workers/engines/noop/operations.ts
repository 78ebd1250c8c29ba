import type { Operation, OperationPlan } from '#engine-api/operation.ts';
import { supportOf } from '#engine-api/support/support-of.ts';
import type { Batch } from '#model/batch/batch.ts';
import type { DynoError } from '#model/error.ts';
import { descriptor } from './descriptor.ts';

export function prepareOperation(
  plan: OperationPlan,
  delayMs: number,
  workUs: number,
  waiting: Waiting,
): Operation<number> {
  const { operation, method, rangeRows } = plan.settings;
  supportOf(descriptor, operation, method);
  const encode = operation === 'readRange' ? (batch: Batch) => batch.rows * rangeRows : (batch: Batch) => batch.rows;
  return { encode, run: answering((rows: number) => rows, delayMs, workUs, waiting) };
}

export type Waiting = Set<(reason: DynoError) => void>;

/** The run() that works, waits for the delay, and returns the rows. */
export function answering<C>(
  rowsOf: (call: C) => number,
  delayMs: number,
  workUs: number,
  waiting: Waiting,
): Operation<C>['run'] {
  if (delayMs === 0 && workUs === 0) return rowsOf;
  const work = () => {
    const until = performance.now() + workUs / 1_000;
    while (performance.now() < until);
  };
  if (delayMs === 0)
    return (call) => {
      work();
      return rowsOf(call);
    };
  return (call) => {
    if (workUs > 0) work();
    return new Promise<number>((resolve, reject) => {
      const cancelled = (reason: DynoError) => {
        clearTimeout(timer);
        waiting.delete(cancelled);
        reject(reason);
      };
      const timer = setTimeout(() => {
        waiting.delete(cancelled);
        resolve(rowsOf(call));
      }, delayMs);
      waiting.add(cancelled);
    });
  };
}
