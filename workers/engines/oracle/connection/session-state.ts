import type oracledb from 'oracledb';
import { createLosses } from '../../shared/first-loss.ts';
import { toError } from '../errors.ts';
import type { Dialect } from './dialect.ts';

/** The state that the operations of one session share. */
export interface SessionState {
  readonly connection: oracledb.Connection;
  readonly dialect: Dialect;
  readonly thin: boolean;
  /** Between begin() and its end: calls then do not commit by themselves. */
  inTransaction: boolean;
  /** Calls at the server; a break is only sent where one is. */
  running: number;
}

const losses = createLosses<oracledb.Connection>(toError);

/** Counts a call while it runs. Its error says why the connection was lost, where it was lost before. */
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
