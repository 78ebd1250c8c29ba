import type { ByteWriter } from '../bytes/byte-writer.ts';
import { toEbcdic } from '../bytes/ebcdic.ts';
import { codePoints } from '../ddm/code-points.ts';
import { beginObject, endObject, u8Object, u16Object, u32Object } from '../ddm/write-objects.ts';
import { beginFrame, chained, chainedSame, endFrame, objectFrame, requestFrame } from '../dss/write-frames.ts';
import { DrdaError } from '../errors.ts';

/** The commands that this client sends after its login, each a DSS (DRDA Volume 3, the command's chapter). */

const yes = 0xf1;

/**
 * The encoding of character data in DDM objects: EBCDIC at first, UTF-8 when both sides have a UNICODEMGR of CCSID
 * 1208.
 */
export type Encode = (text: string) => Buffer;

export const utf8: Encode = (text) => Buffer.from(text, 'utf8');

export const ebcdic: Encode = (text) => {
  const bytes = toEbcdic(text);
  if (bytes === null)
    throw new DrdaError('value', 'A name holds characters that the server’s code page (EBCDIC, CCSID 500) has not.');
  return bytes;
};

const nameBytes = 18;

/** A name, padded with blanks to the least length of names, 18 bytes. */
export function padded(name: string, encode: Encode): Buffer {
  return encode(name.padEnd(nameBytes, ' '));
}

/**
 * PKGNAMCSN without its section number: the package in which statements are prepared. Its name says that cursors stay
 * open over commits (H); Derby supports this, and its forks ignore it. "SYSLVL01" is the consistency token of those
 * packages, in ASCII on every machine.
 */
export function packageName(database: string, encode: Encode): Buffer {
  const names = [padded(database, encode), padded('NULLID', encode), padded('SYSLH000', encode)];
  const token = Buffer.from('SYSLVL01', 'latin1');
  if (names.every((name) => name.length === nameBytes)) return Buffer.concat([...names, token]);
  const long = names.flatMap((name) => [Buffer.of(name.length >> 8, name.length & 0xff), name]);
  return Buffer.concat([...long, token]);
}

function section(to: ByteWriter, packaged: Uint8Array, number: number): void {
  const start = beginObject(to, codePoints.PKGNAMCSN);
  to.bytes(packaged);
  to.u16(number);
  endObject(to, start);
}

/** SQLSTT: a statement's text as NVCM with a length of four bytes, and its other form, NVCS, null. */
function statementText(to: ByteWriter, sql: string, correlation: number, follows: number): void {
  const frame = beginFrame(to, objectFrame, correlation);
  const object = beginObject(to, codePoints.SQLSTT);
  const text = Buffer.from(sql, 'utf8');
  to.u8(0);
  to.u32(text.length);
  to.bytes(text);
  to.u8(0xff);
  endObject(to, object);
  endFrame(to, frame, follows);
}

/** EXCSQLIMM with its SQLSTT, and RDBCMM where `commit`. */
export function executeImmediate(
  to: ByteWriter,
  packaged: Uint8Array,
  number: number,
  sql: string,
  commit: boolean,
): void {
  const frame = beginFrame(to, requestFrame, 1);
  const object = beginObject(to, codePoints.EXCSQLIMM);
  section(to, packaged, number);
  u8Object(to, codePoints.RDBCMTOK, yes);
  endObject(to, object);
  endFrame(to, frame, chainedSame);
  statementText(to, sql, 1, commit ? chained : 0);
  if (commit) endUnitOfWork(to, codePoints.RDBCMM, 2);
}

/**
 * PRPSQLSTT with its SQLSTT, whose answer describes the result, and DSCSQLSTT, whose answer describes the parameters.
 */
export function prepare(to: ByteWriter, packaged: Uint8Array, number: number, sql: string): void {
  const frame = beginFrame(to, requestFrame, 1);
  const object = beginObject(to, codePoints.PRPSQLSTT);
  section(to, packaged, number);
  u8Object(to, codePoints.RTNSQLDA, yes);
  u8Object(to, codePoints.TYPSQLDA, extendedOutput);
  endObject(to, object);
  endFrame(to, frame, chainedSame);
  statementText(to, sql, 1, chained);

  const second = beginFrame(to, requestFrame, 2);
  const describe = beginObject(to, codePoints.DSCSQLSTT);
  section(to, packaged, number);
  u8Object(to, codePoints.TYPSQLDA, extendedInput);
  endObject(to, describe);
  endFrame(to, second, 0);
}

const extendedOutput = 4;
const extendedInput = 5;

/** EXCSQLSTT. If the statement has parameters, its SQLDTA follows with the same correlation. */
export function executeStatement(
  to: ByteWriter,
  packaged: Uint8Array,
  number: number,
  correlation: number,
  follows: number,
  outputExpected = false,
): void {
  const frame = beginFrame(to, requestFrame, correlation);
  const object = beginObject(to, codePoints.EXCSQLSTT);
  section(to, packaged, number);
  u8Object(to, codePoints.RDBCMTOK, yes);
  if (outputExpected) u8Object(to, codePoints.OUTEXP, yes);
  endObject(to, object);
  endFrame(to, frame, follows);
}

/** The limit of a block of rows in bytes, and in rows if the server supports that limit. */
export interface BlockSize {
  readonly bytes: number;
  readonly rows: number | null;
}

/** OPNQRY. QRYCLSIMP 1: the server closes the query after its last row. */
export function openQuery(
  to: ByteWriter,
  packaged: Uint8Array,
  number: number,
  block: BlockSize,
  follows: number,
): void {
  const frame = beginFrame(to, requestFrame, 1);
  const object = beginObject(to, codePoints.OPNQRY);
  section(to, packaged, number);
  u32Object(to, codePoints.QRYBLKSZ, block.bytes);
  if (block.rows !== null) {
    u16Object(to, codePoints.MAXBLKEXT, 0xffff);
    u32Object(to, codePoints.QRYROWSET, block.rows);
  }
  u8Object(to, codePoints.QRYCLSIMP, 1);
  endObject(to, object);
  endFrame(to, frame, follows);
}

/** CNTQRY: the next block. RTNEXTDTA 2: with all its LOBs. */
export function continueQuery(
  to: ByteWriter,
  packaged: Uint8Array,
  number: number,
  block: BlockSize,
  instance: Uint8Array,
): void {
  const frame = beginFrame(to, requestFrame, 1);
  const object = beginObject(to, codePoints.CNTQRY);
  section(to, packaged, number);
  u32Object(to, codePoints.QRYBLKSZ, block.bytes);
  queryInstance(to, instance);
  u8Object(to, codePoints.RTNEXTDTA, 2);
  if (block.rows !== null) u32Object(to, codePoints.QRYROWSET, block.rows);
  endObject(to, object);
  endFrame(to, frame, 0);
}

export function closeQuery(to: ByteWriter, packaged: Uint8Array, number: number, instance: Uint8Array): void {
  const frame = beginFrame(to, requestFrame, 1);
  const object = beginObject(to, codePoints.CLSQRY);
  section(to, packaged, number);
  queryInstance(to, instance);
  endObject(to, object);
  endFrame(to, frame, 0);
}

function queryInstance(to: ByteWriter, instance: Uint8Array): void {
  const start = beginObject(to, codePoints.QRYINSID);
  to.bytes(instance);
  endObject(to, start);
}

/** RDBCMM or RDBRLLBCK, which ends the unit of work and the chain. */
export function endUnitOfWork(to: ByteWriter, codePoint: number, correlation: number): void {
  const frame = beginFrame(to, requestFrame, correlation);
  endObject(to, beginObject(to, codePoint));
  endFrame(to, frame, 0);
}
