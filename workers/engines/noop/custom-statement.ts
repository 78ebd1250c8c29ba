import type { CustomStatement } from '#engine-api/statement.ts';
import { DynoError } from '#model/error.ts';
import type { ShownRows } from '#model/statements/statements.ts';
import { answering, type Waiting } from './operations.ts';

const nothing: ShownRows = { columns: [], rows: [], count: 0 };

/** A statement of the user's own: nothing is parsed, nothing is returned. */
export const prepareCustomStatement = (delayMs: number, workUs: number, waiting: Waiting): CustomStatement<null> => ({
  encode: () => null,
  run: answering(() => 0, delayMs, workUs, waiting),
  answer: async () => ({ count: 0, read: () => nothing }),
  show: async () => nothing,
  async explain() {
    throw new DynoError('unsupported', 'The no-op engine does nothing, and so has no plan.');
  },
});
