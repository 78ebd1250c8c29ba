import type { Operation, Session } from '#contract/engine.ts';
import { toErrorData } from '#contract/error.ts';
import { CallFeed } from './feed.ts';
import { Ledger } from './ledger.ts';
import { runPhase } from './loop.ts';
import { numberRange } from './numbering.ts';
import { Phase } from './phase.ts';
import { Steering } from './steering.ts';
import { VirtualUser } from './virtual-user.ts';

/** What the loop itself costs a call, clock and histogram included: an operation that does nothing, one connection. */

const calls = 1_000_000;
const session = {
  begin: () => {},
  commit: () => {},
  rollback: () => {},
  wireBytes: () => null,
} as unknown as Session; // Nothing else of a session is used by a loop.

const cases: readonly (readonly [string, Operation['run']])[] = [
  ['synchronous calls', () => 1],
  ['calls that answer with a promise', async () => 1],
];

for (const [label, run] of cases) {
  const operation: Operation = { layout: null, encode: () => null, run };
  let bestNs = Number.POSITIVE_INFINITY;
  for (let repeat = 0; repeat < 5; repeat++) {
    const ledger = new Ledger(numberRange(0, calls, 1));
    const batch = { rows: 1, columns: [], laidOut: null };
    const feed = new CallFeed({ callsPerBlock: 1, make: () => batch, batchRows: () => 1 }, ledger);
    for (let call = 0; call < calls; call++) ledger.addPrepared(null, 1);
    const user = new VirtualUser(0, session, operation, {
      feed,
      expected: null,
      callsPerCommit: 1,
      depth: 1,
      writes: true,
      turnsInTransactions: true,
      toError: toErrorData,
    });
    const start = performance.now();
    await runPhase([user], new Phase(Number.POSITIVE_INFINITY), new Steering());
    bestNs = Math.min(bestNs, ((performance.now() - start) * 1e6) / calls);
  }
  console.log(`loop: ${label}: ${bestNs.toFixed(0)} ns a call (best of 5)`);
}
