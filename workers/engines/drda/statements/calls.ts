import type { Cursor, EncodedRows, Statement, Value } from '#drda/index.ts';
import { type SessionState, takeBack } from '../connection/session-state.ts';
import type { Blocks } from './blocks.ts';

/** The parameters of an execution. Null: the statement has none. */
export type Encoded = EncodedRows | null;
/** Resolves with the rows touched. */
export type Execute = (statement: Statement, rows: Encoded) => Promise<number>;

/** A commit goes with each call, unless the session does not commit at all. */
const commitsItself = ({ inTransaction, current }: SessionState): boolean => !inTransaction && current !== 'NONE';

export const immediate = (state: SessionState) => (text: string) =>
  orTakeBack(state, state.connection.execute(text, { commit: commitsItself(state) }));

/** A text of its own, prepared for this call alone. */
export const preparedAnew = (state: SessionState, execute: Execute) => async (text: string) => {
  const statement = await orTakeBack(state, state.connection.prepare(text));
  try {
    return await execute(statement, null);
  } finally {
    if (state.connection.isAlive) await statement.close();
  }
};

/** The same text, prepared again for this call. */
export const preparedAgain = (state: SessionState, statement: Statement, execute: Execute) => async (rows: Encoded) => {
  await orTakeBack(state, statement.prepareAgain());
  return execute(statement, rows);
};

/** Runs work that commits by itself if the session commits at all, and that leaves nothing if it fails. */
export async function committed<T>(state: SessionState, work: () => Promise<T>): Promise<T> {
  const result = await orTakeBack(state, work());
  if (commitsItself(state)) await state.connection.commit();
  return result;
}

async function orTakeBack<T>(state: SessionState, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    await takeBack(state);
    throw error;
  }
}

/**
 * The server goes on after a row that it refuses, and would commit the others. So several rows are committed after all
 * have arrived, which takes a round trip.
 */
export function writer(state: SessionState): Execute {
  return async (statement, rows) => {
    const commit = commitsItself(state);
    const isOne = (rows?.rows ?? 1) === 1;
    try {
      const changed = await statement.execute(rows, { commit: commit && isOne });
      if (commit && !isOne) await state.connection.commit();
      return changed;
    } catch (error) {
      await takeBack(state);
      throw error;
    }
  };
}

/**
 * Reads to the end and counts. `whole`: the answer comes with the first reply, so that the commit goes with the query;
 * else the commit follows the last block. `onBlock` takes the rows.
 */
export function reader(state: SessionState, { blockBytes, whole }: Blocks, onBlock?: OnBlock): Execute {
  return async (statement, rows) => {
    const commit = commitsItself(state);
    try {
      const count = await countRows(await statement.open(rows, { blockBytes, commit: commit && whole }), onBlock);
      if (commit && !whole) await state.connection.commit();
      return count;
    } catch (error) {
      await takeBack(state);
      throw error;
    }
  };
}

type OnBlock = (rows: readonly (readonly Value[])[]) => void;

async function countRows(cursor: Cursor, onBlock?: OnBlock): Promise<number> {
  let rows = 0;
  for (let block = await cursor.fetch(); block !== null; block = await cursor.fetch()) {
    onBlock?.(block);
    rows += block.length;
  }
  await cursor.close();
  return rows;
}
