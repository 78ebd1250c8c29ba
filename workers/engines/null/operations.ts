import type { Operation, OperationPlan, OwnStatement, Session } from '#engine-api/engine.ts';
import { supportOf } from '#engine-api/support-of.ts';
import type { Batch } from '#model/batch/batch.ts';
import { DynoError } from '#model/error.ts';
import type { ShownRows } from '#model/statements/statements.ts';
import { descriptor } from './descriptor.ts';

/** Without a delay everything is synchronous; with one, calls wait on a timer and can be cancelled. Each first works for `workUs`. */
export function openNullSession(delayMs: number, workUs: number): Session {
  const waiting: Waiting = new Set();
  return {
    prepare: async (plan) => prepare(plan, delayMs, workUs, waiting),
    async prepareStatement({ method }) {
      supportOf(descriptor, 'statement', method);
      return prepareOwn(delayMs, workUs, waiting);
    },
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

function prepare(plan: OperationPlan, delayMs: number, workUs: number, waiting: Waiting): Operation<number> {
  const { operation, method, rangeRows } = plan.settings;
  supportOf(descriptor, operation, method);
  const encode = operation === 'readRange' ? (batch: Batch) => batch.rows * rangeRows : (batch: Batch) => batch.rows;
  return { layout: null, encode, run: answering((rows: number) => rows, delayMs, workUs, waiting) };
}

const nothing: ShownRows = { columns: [], rows: [], count: 0 };

/** A statement of the user's own: nothing is parsed, nothing is returned. */
const prepareOwn = (delayMs: number, workUs: number, waiting: Waiting): OwnStatement<null> => ({
  encode: () => null,
  run: answering(() => 0, delayMs, workUs, waiting),
  first: async () => nothing,
  show: async () => nothing,
  async explain() {
    throw new DynoError('unsupported', 'The null engine does nothing, and so has no plan.');
  },
});

type Waiting = Set<(reason: DynoError) => void>;

/** A run that answers with these rows after the work and the delay. */
function answering<C>(
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
