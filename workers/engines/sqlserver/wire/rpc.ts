import type { Connection } from 'tedious';
import type { ColumnVector } from '#model/batch/batch.ts';
import type { ParameterType } from '#model/dataset/dataset.ts';
import { writeBytes } from '../../shared/wire-bytes.ts';
import { maxWideCharacters } from '../values/values.ts';
import { rpcRequest, send } from './request.ts';
import {
  type Collation,
  integer32,
  roomFor,
  shortName,
  valueWriter,
  type WireType,
  wideText,
  wideTextValue,
} from './tds.ts';

/** Special stored procedures by number ([MS-TDS] 2.2.6.6). */
const procedures = { executeSql: 10, prepare: 11, execute: 12, unprepare: 15 } as const;

/** A ProcID in place of a name, and no options. */
function call(procedure: keyof typeof procedures): Buffer {
  const buffer = Buffer.alloc(6);
  buffer.writeUInt16LE(0xffff);
  buffer.writeUInt16LE(procedures[procedure], 2);
  return buffer;
}

/** A parameter by position has no name and no flags. */
const positional = Buffer.from([0, 0]);
const byReference = Buffer.from([0, 1]);

const integerParameter = (value: number | null, flags = positional): Buffer => {
  if (value === null) return Buffer.concat([flags, integer32.info, integer32.nullValue]);
  const buffer = Buffer.alloc(5, 4);
  buffer.writeInt32LE(value, 1);
  return Buffer.concat([flags, integer32.info, buffer]);
};

const textParameter = (value: string, collation: Collation): Buffer =>
  Buffer.concat([positional, wideTextValue(value, collation)]);

const noDeclarations = (collation: Collation): Buffer => {
  const { info, nullValue } = wideText(maxWideCharacters, collation);
  return Buffer.concat([positional, info, nullValue]);
};

/** The beginning of a body of sp_executesql; parameters follow. `declarations`: "@P0 bigint, @P1 varchar(20)". */
export const executeSqlHead = (sql: string, declarations: string, collation: Collation): Buffer =>
  declarations === ''
    ? Buffer.concat([call('executeSql'), textParameter(sql, collation)])
    : Buffer.concat([call('executeSql'), textParameter(sql, collation), textParameter(declarations, collation)]);

/** The beginning of a body of sp_execute; parameters follow. */
export const executeHead = (handle: number): Buffer => Buffer.concat([call('execute'), integerParameter(handle)]);

/** Stands between two calls of one message (BatchFlag, 2.2.6.6). */
const nextCall = Buffer.from([0xff]);

/** The bodies of calls as one body, behind `head`. The server makes the calls in their order. */
export const severalCalls = (head: Buffer, bodies: readonly Buffer[]): Buffer =>
  Buffer.concat([head, ...bodies.flatMap((body, i) => (i === 0 ? [body] : [nextCall, body]))]);

/** Parses a statement; the answer is its handle, which the session keeps until {@link unprepare}. */
export async function prepare(
  connection: Connection,
  sql: string,
  declarations: string,
  collation: Collation,
): Promise<number> {
  let handle: unknown;
  const body = Buffer.concat([
    call('prepare'),
    integerParameter(null, byReference),
    declarations === '' ? noDeclarations(collation) : textParameter(declarations, collation),
    textParameter(sql, collation),
  ]);
  await send(connection, rpcRequest, body, (request) => {
    request.on('returnValue', (_name, value) => {
      handle = value;
    });
  });
  if (typeof handle !== 'number') throw new Error('sp_prepare answered no handle.');
  return handle;
}

export const unprepare = (connection: Connection, handle: number): Promise<number> =>
  send(connection, rpcRequest, Buffer.concat([call('unprepare'), integerParameter(handle)]));

/** A column of a batch whose values become parameters. */
export interface ParameterColumn {
  readonly column: ColumnVector;
  readonly type: ParameterType;
  readonly wire: WireType;
  /** The declared type of a null, if it is another type. Null itself: the null is no parameter. */
  readonly nullWire: WireType | null;
}

/** All values of a batch as parameters, row after row, behind `head`. */
export function parameters(head: Buffer, columns: readonly ParameterColumn[], rows: number): Buffer {
  let room = head.length;
  for (const { column, type, wire, nullWire } of columns)
    room += roomFor(column, type, rows) + rows * (2 + Math.max(wire.info.length, nullWire?.info.length ?? 0));
  const to = Buffer.allocUnsafe(room);
  let at = writeBytes(to, 0, head);
  const writers = columns.map(({ column, type, wire }) => valueWriter(column, type, wire));
  for (let row = 0; row < rows; row++) {
    for (let c = 0; c < columns.length; c++) {
      const { column, wire, nullWire } = columns[c]!;
      const isNull = column.nulls !== null && column.nulls[row] === 1;
      if (isNull && nullWire === null) continue;
      at = writeBytes(to, at, positional);
      if (isNull && nullWire !== null && nullWire !== wire) {
        at = writeBytes(to, at, nullWire.info);
        at = writeBytes(to, at, nullWire.nullValue);
        continue;
      }
      at = writeBytes(to, at, wire.info);
      at = writers[c]!(to, at, row);
    }
  }
  return to.subarray(0, at);
}

const rowToken = 0x01;
const end = Buffer.from([0]);

/** One table-valued parameter (2.2.5.5.5) of this type in Dyno's schema, behind `head`. */
export function tableParameter(
  head: Buffer,
  schema: string,
  typeName: string,
  columns: readonly Omit<ParameterColumn, 'nullWire'>[],
  rows: number,
): Buffer {
  const count = Buffer.alloc(2);
  count.writeUInt16LE(columns.length);
  const metadata = [
    head,
    positional,
    Buffer.from([0xf3]),
    shortName(''),
    shortName(schema),
    shortName(typeName),
    count,
    // Each column has: user type, flags, TYPE_INFO, no name.
    ...columns.flatMap(({ wire }) => [Buffer.alloc(6), wire.info, end]),
    end,
  ];
  const room = columns.reduce((sum, { column, type }) => sum + roomFor(column, type, rows), 1 + rows);
  return Buffer.concat([...metadata, rowsOf(columns, rows, rowToken, room, end)]);
}

/** Rows with their token before each, then `tail`. `room`: the most bytes that they take. */
export function rowsOf(
  columns: readonly Omit<ParameterColumn, 'nullWire'>[],
  rows: number,
  token: number,
  room: number,
  tail: Buffer,
): Buffer {
  const writers = columns.map(({ column, type, wire }) => valueWriter(column, type, wire));
  const to = Buffer.allocUnsafe(room);
  let at = 0;
  for (let row = 0; row < rows; row++) {
    to[at++] = token;
    for (const write of writers) at = write(to, at, row);
  }
  at += tail.copy(to, at);
  return to.subarray(0, at);
}
