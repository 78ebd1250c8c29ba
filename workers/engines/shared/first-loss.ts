import type { ErrorData } from '#model/error.ts';

/**
 * The reasons why connections were lost. Drivers say with each further call only that the connection is gone; the
 * reason that the server or the network gave comes once, and often between calls, where it is no call's error.
 */
interface Losses<Connection extends object> {
  note(connection: Connection, error: unknown): void;
  /** The first thing that was heard of a connection's loss, where the error says that it is lost; else the error. */
  first(connection: Connection, error: unknown): unknown;
}

/** `toError`: the engine's. */
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
