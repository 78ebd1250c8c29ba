import { isUtf8 } from 'node:buffer';
import { fromEbcdic } from '../bytes/ebcdic.ts';
import { codePoints } from '../ddm/code-points.ts';
import { readObjects } from '../ddm/read-objects.ts';
import { replyError, saysNo } from '../ddm/reply-messages.ts';
import { DrdaError } from '../errors.ts';
import { type Mechanism, mechanismCodes, securityError } from '../security/mechanisms.ts';
import { readSqlcard, sqlError } from '../sql/sqlcard.ts';
import { utf8Ccsid } from './login-requests.ts';
import { incomplete } from './replies.ts';
import { type Encode, ebcdic, utf8 } from './requests.ts';

/** A copy of one object of a reply. */
export interface ReplyObject {
  readonly codePoint: number;
  readonly value: Buffer;
}

/** The reply to EXCSAT. */
interface Attributes {
  readonly className: string;
  readonly release: string;
  readonly name: string;
  readonly encode: Encode;
}

/** The mechanisms that a server offers in place of the proposed one. */
export class OtherMechanisms {
  readonly codes: readonly number[];

  constructor(codes: readonly number[]) {
    this.codes = codes;
  }
}

export function readAttributes(objects: readonly ReplyObject[]): Attributes {
  const found = { className: '', release: '', name: '', encode: ebcdic };
  const reply = objects.find(({ codePoint }) => codePoint === codePoints.EXCSATRD);
  if (reply === undefined) throw refusal(objects) ?? incomplete('EXCSATRD', codePoints.EXCSATRD);
  readObjects(reply.value, 0, reply.value.length, (codePoint, buffer, start, end) => {
    const value = buffer.subarray(start, end);
    if (codePoint === codePoints.SRVCLSNM) found.className = fromEbcdic(value);
    else if (codePoint === codePoints.SRVRLSLV) found.release = fromEbcdic(value);
    else if (codePoint === codePoints.SRVNAM) found.name = fromEbcdic(value);
    else if (codePoint === codePoints.MGRLVLLS) found.encode = agreedEncoding(value);
  });
  return found;
}

/** MGRLVLLS of the answer: SQLAM has to be 7, and UNICODEMGR decides the encoding of character data from here on. */
function agreedEncoding(levels: Buffer): Encode {
  let encode = ebcdic;
  for (let at = 0; at + 4 <= levels.length; at += 4) {
    const manager = levels.readUInt16BE(at);
    const level = levels.readUInt16BE(at + 2);
    if (manager === codePoints.UNICODEMGR && level === utf8Ccsid) encode = utf8;
    if (manager === codePoints.SQLAM && level < 7)
      throw new DrdaError('protocol', `The server’s SQLAM is of level ${level}; this client needs 7.`, {
        codePoint: codePoints.SQLAM,
      });
  }
  return encode;
}

/** ACCSECRD has the proposed mechanism and the server's token, or the mechanisms that the server has instead. */
export function readAccessSecurity(objects: readonly ReplyObject[], mechanism: Mechanism): Buffer | OtherMechanisms {
  const reply = objects.find(({ codePoint }) => codePoint === codePoints.ACCSECRD);
  if (reply === undefined) throw refusal(objects) ?? incomplete('ACCSECRD', codePoints.ACCSECRD);
  const codes: number[] = [];
  let token = Buffer.alloc(0);
  let checkCode = 0;
  readObjects(reply.value, 0, reply.value.length, (codePoint, buffer, start, end) => {
    if (codePoint === codePoints.SECMEC)
      for (let at = start; at + 2 <= end; at += 2) codes.push(buffer.readUInt16BE(at));
    else if (codePoint === codePoints.SECTKN) token = Buffer.from(buffer.subarray(start, end));
    else if (codePoint === codePoints.SECCHKCD && end > start) checkCode = buffer[start]!;
  });
  const isTaken = codes.length === 1 && codes[0] === mechanismCodes[mechanism];
  if (checkCode === notSupported || (checkCode === 0 && !isTaken)) return new OtherMechanisms(codes);
  if (checkCode !== 0) throw securityError(checkCode, codePoints.ACCSECRD);
  return token;
}

const notSupported = 1;

/** Reads SECCHKRM and ACCRDBRM; returns PRDID. */
export function readAccess(objects: readonly ReplyObject[], encode: Encode): string {
  let productId: string | null = null;
  let refused: DrdaError | null = null;
  for (const { codePoint, value } of objects) {
    if (codePoint === codePoints.SECCHKRM)
      readObjects(value, 0, value.length, (inner, buffer, start) => {
        if (inner === codePoints.SECCHKCD && buffer[start] !== 0) refused ??= securityError(buffer[start]!, codePoint);
      });
    if (codePoint === codePoints.ACCRDBRM) {
      productId = '';
      readObjects(value, 0, value.length, (inner, buffer, start, end) => {
        if (inner === codePoints.PRDID) productId = decode(buffer.subarray(start, end), encode);
      });
    }
  }
  if (refused !== null) throw refused;
  const error = refusal(objects);
  if (error !== null) throw error;
  if (productId === null) throw incomplete('ACCRDBRM', codePoints.ACCRDBRM);
  return productId;
}

/** Derby's forks answer in either encoding. Only in ASCII are all letters of a product's name below 0x80. */
function decode(bytes: Buffer, encode: Encode): string {
  return encode === utf8 && isUtf8(bytes) ? bytes.toString('utf8') : fromEbcdic(bytes);
}

/**
 * The error of the reply: the SQL error of its SQLCARD, with the code point of the reply message; or the reply message
 * alone.
 */
function refusal(objects: readonly ReplyObject[]): DrdaError | null {
  const message = objects.find(({ codePoint }) => saysNo(codePoint));
  for (const { codePoint, value } of objects) {
    if (codePoint !== codePoints.SQLCARD) continue;
    const card = readSqlcard(value, 0, value.length, messageCharacters);
    if (card === null || card.sqlCode >= 0) continue;
    const { sqlState, sqlCode, tokens, message: words } = sqlError(card);
    const kind = saysNobody(sqlState) || message?.codePoint === codePoints.RDBATHRM ? 'security' : 'sql';
    return new DrdaError(kind, words, { sqlState, sqlCode, tokens, codePoint: message?.codePoint ?? null });
  }
  return message === undefined ? null : replyError(message.codePoint, message.value, 0, message.value.length);
}

/** 08004 means that the server rejected the connection; 28… means that the user is not valid. */
const saysNobody = (sqlState: string | null): boolean => sqlState === '08004' || (sqlState?.startsWith('28') ?? false);

const messageCharacters = 4_000;
