import type oracledb from 'oracledb';
import { createLosses } from '../../shared/first-loss.ts';
import { toError } from '../errors.ts';
import type { Dialect } from './dialect.ts';

/** The state that the operations of one session share. */
export interface SessionState {
  readonly connection: oracledb.Connection;
  readonly dialect: Dialect;
  readonly thin: boolean;
  /** True between begin() and the end of the transaction: calls then do not commit by themselves. */
  inTransaction: boolean;
  /** The number of calls at the server; a break is sent only if there is one. */
  running: number;
}

const losses = createLosses<oracledb.Connection>(toError);

/** Counts a call while it runs. Its error names the reason of a lost connection. */
export async function counted<T>(state: SessionState, call: () => Promise<T>): Promise<T> {
  state.running++;
  try {
    return await call();
  } catch (error) {
    throw losses.first(state.connection, error);
  } finally {
    state.running--;
  }
}
