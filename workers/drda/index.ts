/** A client for the DRDA protocol; README.md has an example. */
export { DrdaError, type DrdaErrorKind } from './errors.ts';
export type { Value } from './fdoca/parameters.ts';
export type { Row } from './fdoca/rows.ts';
export { defaultLimits, type Limits } from './limits.ts';
export type { Mechanism } from './security/mechanisms.ts';
export { type AbortLike, type ConnectOptions, connect } from './session/connect.ts';
export type { DrdaConnection } from './session/connection.ts';
export type { Cursor } from './session/cursor.ts';
export type { NullTypes } from './session/encode-rows.ts';
export type { EncodedRows } from './session/encoded-rows.ts';
export type { ServerFacts } from './session/handshake.ts';
export type { OpenOptions, Statement } from './session/statement.ts';
export type { Column, ColumnType } from './sql/columns.ts';
