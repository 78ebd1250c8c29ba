import type oracledb from 'oracledb';
import type { Dialect } from './dialect.ts';

/** What the operations of one session share. */
export interface SessionState {
  readonly connection: oracledb.Connection;
  readonly dialect: Dialect;
  readonly thin: boolean;
  /** Between begin() and its end: calls then do not commit by themselves. */
  inTransaction: boolean;
  /** Calls at the server; a break is only sent where one is. */
  running: number;
}

/** Counts a call while it runs. */
export async function counted<T>(state: SessionState, call: () => Promise<T>): Promise<T> {
  state.running++;
  try {
    return await call();
  } finally {
    state.running--;
  }
}
