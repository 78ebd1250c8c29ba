import { DynoError } from '#model/error.ts';
import { Scratch } from '../../shared/scratch.ts';
import { writeBytes } from '../../shared/wire-bytes.ts';
import type { ProcedureEnd } from './call-requests.ts';

/** Token types ([MS-TDS] 2.2.7). */
const token = {
  tableNames: 0xa4,
  columnInfo: 0xa5,
  order: 0xa9,
  error: 0xaa,
  info: 0xab,
  returnValue: 0xac,
  columns: 0x81,
  returnStatus: 0x79,
  row: 0xd1,
  rowWithNulls: 0xd2,
  environment: 0xe3,
  sessionState: 0xe4,
  done: 0xfd,
  doneProcedure: 0xfe,
  doneInProcedure: 0xff,
} as const;

/** DONE and its likes: type, status, command, count (2.2.7.6). */
const doneBytes = 13;
const doneError = 0x02;
const doneCount = 0x10;

/** ENVCHANGE of a transaction: its new value is the descriptor of a transaction (2.2.7.9). */
const begunTransaction = 8;
const committedTransaction = 9;

/** How a value of a column says its length. */
const byType = 0;
const inByte = 1;
const inShort = 2;
const inLong = 3;
/** Chunks behind a total (PLP). */
const inChunks = 4;
/** Behind a pointer of the server's and a timestamp (text, ntext, image). */
const behindPointer = 5;

/** The bytes that describe a type behind its number, and the way of its values' length (2.2.5.4). */
interface TypeForm {
  readonly info: number;
  readonly length: number;
  /** The bytes of each value, if the type itself says them. */
  readonly bytes?: number;
}
const fixed = (bytes: number): TypeForm => ({ info: 0, length: byType, bytes });
const inOneByte = (info: number): TypeForm => ({ info, length: inByte });

const forms: ReadonlyMap<number, TypeForm> = new Map([
  [0x1f, fixed(0)],
  [0x30, fixed(1)],
  [0x32, fixed(1)],
  [0x34, fixed(2)],
  [0x38, fixed(4)],
  [0x3a, fixed(4)],
  [0x3b, fixed(4)],
  [0x3c, fixed(8)],
  [0x3d, fixed(8)],
  [0x3e, fixed(8)],
  [0x7a, fixed(4)],
  [0x7f, fixed(8)],
  [0x28, inOneByte(0)],
  [0x24, inOneByte(1)],
  [0x26, inOneByte(1)],
  [0x68, inOneByte(1)],
  [0x6d, inOneByte(1)],
  [0x6e, inOneByte(1)],
  [0x6f, inOneByte(1)],
  [0x29, inOneByte(1)],
  [0x2a, inOneByte(1)],
  [0x2b, inOneByte(1)],
  [0x6a, inOneByte(3)],
  [0x6c, inOneByte(3)],
  [0xa7, { info: 7, length: inShort }],
  [0xaf, { info: 7, length: inShort }],
  [0xe7, { info: 7, length: inShort }],
  [0xef, { info: 7, length: inShort }],
  [0xa5, { info: 2, length: inShort }],
  [0xad, { info: 2, length: inShort }],
  [0x62, { info: 4, length: inLong }],
  [0x23, { info: 9, length: behindPointer }],
  [0x63, { info: 9, length: behindPointer }],
  [0x22, { info: 4, length: behindPointer }],
]);
/** The forms by the number of the type. A length of `unknown`: there is no such type. */
const unknown = 255;
const infoBytes = new Uint8Array(256);
const lengthForms = new Uint8Array(256).fill(unknown);
const valueBytes = new Uint8Array(256);
for (const [type, { info, length, bytes = 0 }] of forms) {
  infoBytes[type] = info;
  lengthForms[type] = length;
  valueBytes[type] = bytes;
}
const xml = 0xf1;
const userDefined = 0xf0;
/** The declared length of the types whose values come in chunks. */
const unlimited = 0xffff;
const isOfMaxType = (type: number): boolean => type === 0xa7 || type === 0xe7 || type === 0xa5;

/** SELECT returns at most so many columns (manual, "Maximum capacity specifications"). */
const mostColumns = 4_096;
/** The limit of the descriptions that are kept for the driver, and of a part that is not complete yet. */
const mostKeptBytes = 4 * 1024 * 1024;

/** The parts of an answer that can follow next. */
const nextToken = 0;
const nextColumn = 1;
const nextValue = 2;
const nextChunk = 3;

/** Positions that a part returns in place of the position behind it. */
const incomplete = -1;
const unusual = -2;

const unreadable = (what: string): DynoError =>
  new DynoError('serverGone', `The server has sent an answer that cannot be read: ${what}.`);

/** The state of transactions that an answer changes; the driver's connection has these members. */
interface Transactions {
  inTransaction: boolean;
  readonly transactionDescriptors: Buffer[];
}

/**
 * Reads the tokens of an answer as they arrive, and counts its rows without making values of them. It keeps the
 * description of the columns, and otherwise no more than a part that is not complete yet.
 */
export class AnswerReader {
  /** The sum of the counts of DONE and DONEINPROC tokens. Null: none of them counted. */
  told: number | null = null;
  /** Rows that have arrived. Null: no result has. */
  returned: number | null = null;
  /** True: reading stops at the next token, and the driver reads the rest. */
  stops = false;
  /** The bytes from which an unusual token was not read. */
  rest: Buffer = Buffer.alloc(0);
  restFrom = 0;
  restTo = 0;

  readonly #transactions: Transactions;
  /** Receives the end of each procedure, and the counts begin anew. Null: the counts are those of the whole answer. */
  #ends: ProcedureEnd[] | null = null;
  #next = nextToken;
  /** Bytes that are skipped before the next part. */
  #skipped = 0;
  /** The beginning of a part that is not complete yet. */
  #begun: Buffer | null = null;
  /** The token with the descriptions of the columns. */
  readonly #described = new Scratch();
  #describedBytes = 0;
  /** The first byte of the description that is not kept yet. */
  #describedFrom = 0;
  #columns = 0;
  #column = 0;
  #lengths = new Uint8Array(64);
  #sizes = new Uint8Array(64);
  /** Bits of the row's nulls. Null: its values themselves tell. */
  #nulls: Uint8Array | null = null;

  constructor(transactions: Transactions) {
    this.#transactions = transactions;
  }

  /** Begins an answer. `ends`: where the ends of its procedures go, if each is told by itself. */
  begin(ends: ProcedureEnd[] | null = null): void {
    this.#ends = ends;
    this.told = null;
    this.returned = null;
    this.stops = false;
    this.#next = nextToken;
    this.#skipped = 0;
    this.#begun = null;
    this.#columns = 0;
    this.#describedBytes = 0;
  }

  /** The next byte begins a token. */
  get isBetweenTokens(): boolean {
    return this.#next === nextToken && this.#skipped === 0 && this.#begun === null;
  }

  /** The description of the columns of the rows that follow, as a token. */
  get columnsToken(): Buffer {
    return this.#described.bytes.subarray(0, this.#describedBytes);
  }

  /**
   * Reads bytes [from, to) of the answer. False: a token begins at `restFrom` of `rest` that the driver has to read.
   * @throws DynoError 'serverGone' if the bytes are no answer.
   */
  read(bytes: Buffer, from: number, to: number): boolean {
    let at = from;
    if (this.#skipped > 0) {
      const skipped = Math.min(this.#skipped, to - at);
      this.#skipped -= skipped;
      at += skipped;
      if (this.#skipped > 0) return true;
      this.#endRow();
    }
    if (this.#begun !== null) {
      bytes = Buffer.concat([this.#begun, bytes.subarray(at, to)]);
      at = 0;
      to = bytes.length;
      this.#begun = null;
    }
    this.#describedFrom = at;
    while (at < to) {
      const behind = this.#part(bytes, at, to);
      if (behind === unusual) {
        this.rest = bytes;
        this.restFrom = at;
        this.restTo = to;
        return false;
      }
      if (behind === incomplete) {
        if (to - at > mostKeptBytes) throw unreadable('a description has no end');
        if (this.#next === nextColumn) this.#keep(bytes, at);
        this.#begun = Buffer.from(bytes.subarray(at, to));
        return true;
      }
      if (behind > to) {
        this.#skipped = behind - to;
        return true;
      }
      at = behind;
      this.#endRow();
    }
    if (this.#next === nextColumn) this.#keep(bytes, to);
    return true;
  }

  /** Reads the part at `at`; returns the position behind it, which may be beyond `to` where bytes are skipped. */
  #part(bytes: Buffer, at: number, to: number): number {
    switch (this.#next) {
      case nextToken:
        return this.stops ? unusual : this.#token(bytes, at, to);
      case nextValue:
        return this.#value(bytes, at, to);
      case nextColumn:
        return this.#describe(bytes, at, to);
      default:
        return this.#chunk(bytes, at, to);
    }
  }

  /** Ends a row whose last bytes have been read; nulls behind them have no bytes. */
  #endRow(): void {
    if (this.#next !== nextValue) return;
    while (this.#column < this.#columns && this.#isEmpty(this.#column)) this.#column++;
    if (this.#column === this.#columns) this.#next = nextToken;
  }

  #isEmpty(column: number): boolean {
    if (this.#nulls !== null && ((this.#nulls[column >> 3]! >> (column & 7)) & 1) === 1) return true;
    return this.#lengths[column] === byType && this.#sizes[column] === 0;
  }

  #token(bytes: Buffer, at: number, to: number): number {
    switch (bytes[at]) {
      case token.row:
        return this.#row(at + 1, null);
      case token.rowWithNulls: {
        const behind = at + 1 + ((this.#columns + 7) >> 3);
        return behind > to ? incomplete : this.#row(behind, Uint8Array.prototype.slice.call(bytes, at + 1, behind));
      }
      case token.done:
      case token.doneInProcedure:
      case token.doneProcedure:
        return at + doneBytes > to ? incomplete : this.#done(bytes, at);
      case token.columns:
        return at + 3 > to ? incomplete : this.#begin(bytes, at);
      case token.returnStatus:
        return at + 5;
      case token.order:
      case token.columnInfo:
      case token.tableNames:
        return at + 3 > to ? incomplete : at + 3 + readShort(bytes, at + 1);
      case token.sessionState:
        return at + 5 > to ? incomplete : at + 5 + bytes.readUInt32LE(at + 1);
      case token.environment:
        return this.#environment(bytes, at, to);
      case token.error:
      case token.info:
      case token.returnValue:
        return unusual;
      default:
        throw unreadable(`a token of type ${bytes[at]}`);
    }
  }

  #done(bytes: Buffer, at: number): number {
    const type = bytes[at];
    const status = bytes[at + 1]!;
    // The driver makes the error, if no ERROR token came before.
    if ((status & doneError) !== 0 && type !== token.doneInProcedure) return unusual;
    if ((status & doneCount) !== 0 && type !== token.doneProcedure)
      this.told = (this.told ?? 0) + bytes.readUInt32LE(at + 5) + 2 ** 32 * bytes.readUInt32LE(at + 9);
    if (type === token.doneProcedure && this.#ends !== null) {
      this.#ends.push({ told: this.told, error: null });
      this.told = null;
    }
    return at + doneBytes;
  }

  /** The beginning and the commit of a transaction; everything else is the driver's. */
  #environment(bytes: Buffer, at: number, to: number): number {
    if (at + 4 > to) return incomplete;
    const type = bytes[at + 3];
    if (type !== begunTransaction && type !== committedTransaction) return unusual;
    const behind = at + 3 + readShort(bytes, at + 1);
    if (behind > to) return incomplete;
    const { transactionDescriptors } = this.#transactions;
    // A session has one transaction, so that a server that begins many fills no memory.
    transactionDescriptors.length = 1;
    if (type === begunTransaction) {
      const end = at + 5 + bytes[at + 4]!;
      if (end > behind) throw unreadable('a transaction without its descriptor');
      transactionDescriptors.push(Buffer.from(bytes.subarray(at + 5, end)));
    }
    this.#transactions.inTransaction = type === begunTransaction;
    return behind;
  }

  #begin(bytes: Buffer, at: number): number {
    this.#columns = readShort(bytes, at + 1);
    if (this.#columns > mostColumns) throw unreadable(`a result of ${this.#columns} columns`);
    if (this.#columns > this.#lengths.length) {
      this.#lengths = new Uint8Array(mostColumns);
      this.#sizes = new Uint8Array(mostColumns);
    }
    this.returned ??= 0;
    this.#column = 0;
    this.#next = this.#columns === 0 ? nextToken : nextColumn;
    this.#describedBytes = 0;
    this.#describedFrom = at;
    return at + 3;
  }

  /** Keeps the description of the columns up to `to`. */
  #keep(bytes: Buffer, to: number): void {
    const from = this.#describedFrom;
    const behind = this.#describedBytes + to - from;
    if (behind > mostKeptBytes) throw unreadable('the descriptions of its columns are too long');
    writeBytes(this.#described.room(behind, this.#describedBytes), this.#describedBytes, bytes, from, to);
    this.#describedBytes = behind;
  }

  /** The description of a column: user type, flags, type, the parts of a table's name, a name (2.2.7.4). */
  #describe(bytes: Buffer, at: number, to: number): number {
    const info = at + 7;
    if (info > to) return incomplete;
    const type = bytes[info - 1]!;
    let length = lengthForms[type]!;
    let p = info + infoBytes[type]!;
    if (length === unknown) {
      if (type !== xml && type !== userDefined) throw unreadable(`a column of type ${type}`);
      p = type === xml ? behindSchema(bytes, info, to) : behindUserType(bytes, info, to);
      length = inChunks;
    }
    if (p === incomplete || p > to) return incomplete;
    if (isOfMaxType(type) && readShort(bytes, info) === unlimited) length = inChunks;
    if (length === behindPointer) p = behindTexts(bytes, p + 1, to, p < to ? bytes[p]! : 0);
    p = p === incomplete ? p : behindName(bytes, p, to);
    if (p === incomplete) return incomplete;
    this.#lengths[this.#column] = length;
    this.#sizes[this.#column] = valueBytes[type]!;
    if (++this.#column === this.#columns) {
      this.#next = nextToken;
      this.#keep(bytes, p);
    }
    return p;
  }

  #row(at: number, nulls: Uint8Array | null): number {
    this.returned = (this.returned ?? 0) + 1;
    this.#nulls = nulls;
    this.#column = 0;
    this.#next = nextValue;
    return at;
  }

  /** The values of a row, up to one that is not complete. */
  #value(bytes: Buffer, from: number, to: number): number {
    const lengths = this.#lengths;
    let at = from;
    let column = this.#column;
    for (; column < this.#columns; column++) {
      if (this.#isEmpty(column)) continue;
      let behind: number;
      switch (lengths[column]) {
        case byType:
          behind = at + this.#sizes[column]!;
          break;
        case inByte:
          behind = at < to ? at + 1 + bytes[at]! : incomplete;
          break;
        case inShort:
          behind = at + 2 > to ? incomplete : behindShort(bytes, at);
          break;
        case inLong:
          behind = at + 4 > to ? incomplete : at + 4 + bytes.readUInt32LE(at);
          break;
        case behindPointer:
          behind = behindLongValue(bytes, at, to);
          break;
        default:
          behind = at + 8 > to ? incomplete : at + 8;
          if (behind === incomplete || isNullTotal(bytes, at)) break;
          this.#column = column;
          this.#next = nextChunk;
          return behind;
      }
      if (behind === incomplete) {
        this.#column = column;
        return at > from ? at : incomplete;
      }
      at = behind;
      if (at > to) {
        column++;
        break;
      }
    }
    this.#column = column;
    return at;
  }

  /** A chunk of a value; the one without bytes is the last. */
  #chunk(bytes: Buffer, at: number, to: number): number {
    if (at + 4 > to) return incomplete;
    const length = bytes.readUInt32LE(at);
    if (length === 0) {
      this.#column++;
      this.#next = nextValue;
    }
    return at + 4 + length;
  }
}

const readShort = (bytes: Buffer, at: number): number => bytes[at]! | (bytes[at + 1]! << 8);

/** A value of a short length, which is 0xFFFF for null. */
function behindShort(bytes: Buffer, at: number): number {
  const length = readShort(bytes, at);
  return at + 2 + (length === 0xffff ? 0 : length);
}

function isNullTotal(bytes: Buffer, at: number): boolean {
  for (let i = 0; i < 8; i++) if (bytes[at + i] !== 0xff) return false;
  return true;
}

/** A value of text, ntext or image: a pointer, which is empty for null, a timestamp, and its length. */
function behindLongValue(bytes: Buffer, at: number, to: number): number {
  if (at >= to) return incomplete;
  const pointer = bytes[at]!;
  if (pointer === 0) return at + 1;
  const length = at + 1 + pointer + 8;
  return length + 4 > to ? incomplete : length + 4 + bytes.readUInt32LE(length);
}

/** B_VARCHAR. */
function behindName(bytes: Buffer, at: number, to: number): number {
  if (at >= to) return incomplete;
  const behind = at + 1 + 2 * bytes[at]!;
  return behind > to ? incomplete : behind;
}

/** So many US_VARCHARs. */
function behindTexts(bytes: Buffer, at: number, to: number, count: number): number {
  let p = at;
  for (let i = 0; i < count; i++) {
    if (p + 2 > to) return incomplete;
    p += 2 + 2 * readShort(bytes, p);
  }
  return p > to ? incomplete : p;
}

function behindNames(bytes: Buffer, at: number, to: number, count: number): number {
  let p = at;
  for (let i = 0; i < count && p !== incomplete; i++) p = behindName(bytes, p, to);
  return p;
}

/** The names of an XML column's schema, if it has one (2.2.5.5.3). */
function behindSchema(bytes: Buffer, at: number, to: number): number {
  if (at >= to) return incomplete;
  if (bytes[at] !== 1) return at + 1;
  const names = behindNames(bytes, at + 1, to, 2);
  return names === incomplete ? incomplete : behindTexts(bytes, names, to, 1);
}

/** The greatest length and the names of a type of the user's (2.2.5.5.2). */
function behindUserType(bytes: Buffer, at: number, to: number): number {
  if (at + 2 > to) return incomplete;
  const names = behindNames(bytes, at + 2, to, 3);
  return names === incomplete ? incomplete : behindTexts(bytes, names, to, 1);
}
