import type { Statement } from '#drda/index.ts';
import type { Operation } from '#engine-api/operation.ts';
import type { Batch } from '#model/batch/batch.ts';
import type { Encoded, Execute } from './calls.ts';

/**
 * The number of calls in flight. More calls wait for their turn, because each needs a statement prepared at the server.
 */
const mostLanes = 256;

/** A statement, and the end of the last call that used it. */
interface Lane {
  readonly statement: Statement;
  last: Promise<unknown>;
}

interface Call {
  readonly lane: Lane;
  readonly rows: Encoded;
}

/** Sends several queries at a time: a statement has one cursor, so each call in flight has its own statement. */
export async function pipelinedReads(
  prepare: () => Promise<Statement>,
  execute: Execute,
  encode: (statement: Statement, batch: Batch) => Encoded,
  depth: number,
): Promise<Operation<Call>> {
  const statements = await Promise.all(Array.from({ length: Math.min(depth, mostLanes) }, prepare));
  const lanes = statements.map((statement): Lane => ({ statement, last: Promise.resolve() }));
  let next = 0;
  return {
    encode(batch) {
      const lane = lanes[next++ % lanes.length]!;
      return { lane, rows: encode(lane.statement, batch) };
    },
    run({ lane, rows }) {
      const running = lane.last.then(() => execute(lane.statement, rows));
      lane.last = running.catch(() => {});
      return running;
    },
  };
}
