import { type DrdaConnection, DrdaError } from '#drda/index.ts';
import { wordsOfState } from '../error-codes.ts';
import { type SessionState, takeBack } from './session-state.ts';

/**
 * The server's sentences by the number of the message, with {0}, {1}… in the places of its tokens; null: the server has
 * none.
 */
const sentences = new WeakMap<DrdaConnection, Map<string, string | null>>();

/**
 * Puts the server's own sentence in place of the number and tokens of an error. The server is asked once on a
 * connection for each number, outside of transactions and in a unit of work of its own. Errors that have a sentence
 * here stay as they are.
 */
export async function inServerWords(state: SessionState, thrown: unknown): Promise<unknown> {
  const { connection } = state;
  if (!(thrown instanceof DrdaError) || thrown.kind !== 'sql' || !connection.isAlive) return thrown;
  const { sqlState, sqlCode, tokens, row } = thrown;
  const number = tokens.at(-1);
  if (sqlState === null || !number?.startsWith(sqlState) || wordsOfState[sqlState]) return thrown;
  const known = sentences.get(connection) ?? new Map<string, string | null>();
  sentences.set(connection, known);
  if (!known.has(number)) {
    const places = tokens.slice(0, -1).map((_, i) => `{${i}}`);
    const asked = new DrdaError('sql', '', { sqlState, sqlCode, tokens: [...places, number] });
    known.set(number, await connection.explain(asked).catch(() => null));
    if (!state.inTransaction) await takeBack(state);
  }
  const sentence = known.get(number) ?? null;
  if (sentence === null) return thrown;
  const text = sentence.replaceAll(/\{(\d)\}/g, (place, index: string) => tokens[Number(index)] ?? place);
  return new DrdaError('sql', text, { sqlState, sqlCode, tokens: [text], row, cause: thrown });
}

/** Does the work; its error has the server's sentence. */
export async function withServerWords<T>(state: SessionState, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw await inServerWords(state, thrown);
  }
}
