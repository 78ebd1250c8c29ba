import type { Session } from '#engine-api/session.ts';
import { supportOf } from '#engine-api/support/support-of.ts';
import { DynoError } from '#model/error.ts';
import { prepareCustomStatement } from './custom-statement.ts';
import { descriptor } from './descriptor.ts';
import { prepareOperation, type Waiting } from './operations.ts';

/**
 * Without a delay all is synchronous; with one, calls wait on a timer and can be cancelled. A call first works for
 * `workUs`.
 */
export function openSession(delayMs: number, workUs: number): Session {
  const waiting: Waiting = new Set();
  return {
    prepare: async (plan) => prepareOperation(plan, delayMs, workUs, waiting),
    async prepareStatement({ method }) {
      supportOf(descriptor, 'statement', method);
      return prepareCustomStatement(delayMs, workUs, waiting);
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
