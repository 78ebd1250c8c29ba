import type { Session } from '#engine-api/session.ts';
import type { ErrorData } from '#model/error.ts';
import type { StatementLanguage } from '#model/statements/statement-text.ts';

/** Begins a transaction, and returns null when it is open, or the reason why there is none. */
export async function beginOr(
  begin: () => Promise<void> | void,
  toError: (thrown: unknown) => ErrorData,
): Promise<string | null> {
  try {
    await begin();
    return null;
  } catch (thrown) {
    const error = toError(thrown);
    if (error.kind === 'unsupported') return error.message;
    throw thrown;
  }
}

/**
 * Does work that only reads in a transaction that may only read, where the engine has it, and that is rolled back: a
 * query of SQL may call a function that changes something.
 */
export async function withoutChanges<T>(
  session: Session,
  language: StatementLanguage | undefined,
  work: () => Promise<T>,
  toError: (thrown: unknown) => ErrorData,
): Promise<T> {
  // Reading texts of document stores call nothing that a transaction would undo.
  if (language?.language !== 'sql') return await work();
  const noRollback = await beginOr(() => (session.beginReading ? session.beginReading() : session.begin()), toError);
  try {
    return await work();
  } finally {
    if (noRollback === null) await (async () => session.rollback())().catch(() => {});
  }
}

/** A parameter's value as text; null is NULL. */
export const valueText = (value: unknown): string | null =>
  value === null ? null : value instanceof Uint8Array ? `0x${Buffer.from(value).toString('hex')}` : String(value);
