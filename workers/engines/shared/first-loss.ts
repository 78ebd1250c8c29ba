import type { ErrorData } from '#model/error.ts';

/**
 * The reasons why connections were lost. For later calls drivers only report that the connection is gone. The reason
 * that the server or the network gave comes once, and often between calls, where it is no call's error.
 */
interface Losses<Connection extends object> {
  note(connection: Connection, error: unknown): void;
  /** The first reason that was noted, if the error says that the connection is lost; else the error itself. */
  first(connection: Connection, error: unknown): unknown;
}

/** `toError` belongs to the engine. */
export function createLosses<Connection extends object>(toError: (thrown: unknown) => ErrorData): Losses<Connection> {
  const noted = new WeakMap<Connection, unknown>();
  const note = (connection: Connection, error: unknown): void => {
    if (!noted.has(connection)) noted.set(connection, error);
  };
  return {
    note,
    first(connection, error) {
      if (toError(error).kind !== 'serverGone') return error;
      note(connection, error);
      return noted.get(connection);
    },
  };
}
