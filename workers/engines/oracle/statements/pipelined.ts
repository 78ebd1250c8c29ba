import oracledb from 'oracledb';
import type { Operation, OperationPlan } from '#engine-api/operation.ts';
import { DynoError } from '#model/error.ts';
import { isSince23 } from '../connection/dialect.ts';
import { counted, type SessionState } from '../connection/session-state.ts';
import { createBinder } from '../values/values.ts';
import { executeOptions } from './fetching.ts';
import { positional, type Statements } from './statements.ts';

interface Waiting {
  readonly binds: oracledb.BindParameter[];
  resolve(rows: number): void;
  reject(error: unknown): void;
}

/**
 * The driver sends a pipeline as a whole and then reads all its answers. So calls wait while a pipeline is in flight,
 * and go out together with the next one. The first pipeline has the calls of one turn of the event loop.
 */
export function preparePipelined(
  state: SessionState,
  plan: OperationPlan,
  statements: Statements,
): Operation<oracledb.BindParameter[]> {
  const { connection, dialect } = state;
  if (!state.thin || !isSince23(dialect))
    throw new DynoError(
      'unsupported',
      state.thin
        ? `Version ${dialect.version} has no pipelines; 23ai has. The driver would send one call after the other.`
        : 'The driver has no pipelines in Thick mode; it would send one call after the other.',
    );
  const text = statements.one(positional());
  const { operation, settings } = plan;
  const read = operation === 'readByKey' || operation === 'readRange';
  const binder = createBinder(statements.types, dialect, settings.nullBinding);
  const { fetchArraySize = 1, prefetchRows = 2 } = executeOptions(plan);
  const fetch = { outFormat: oracledb.OUT_FORMAT_ARRAY, fetchArraySize, prefetchRows };
  let waiting: Waiting[] = [];
  let sending = false;

  async function send(): Promise<void> {
    while (waiting.length > 0) {
      const calls = waiting;
      waiting = [];
      const pipeline = new oracledb.Pipeline();
      const options = { autoCommit: !state.inTransaction };
      for (const { binds } of calls)
        if (read) pipeline.addFetchAll(text, binds, { ...fetch }, fetchArraySize, false);
        else pipeline.addExecute(text, binds, options);
      try {
        const results = await counted(state, () => connection.runPipeline(pipeline, true));
        for (const [i, call] of calls.entries()) settle(call, results[i]);
      } catch (error) {
        for (const call of calls) call.reject(error);
      }
    }
    sending = false;
  }

  return {
    encode: (batch) => binder.flat(batch, statements.order),
    run: (binds) =>
      new Promise<number>((resolve, reject) => {
        waiting.push({ binds, resolve, reject });
        if (sending) return;
        sending = true;
        setImmediate(send);
      }),
  };
}

function settle({ resolve, reject }: Waiting, result: oracledb.PipelineOperationResult | undefined): void {
  if (!result) reject(new DynoError('internal', 'The driver lost an answer of a pipeline.'));
  else if (result.error) reject(result.error);
  else resolve(result.rows?.length ?? result.rowsAffected ?? 0);
}
