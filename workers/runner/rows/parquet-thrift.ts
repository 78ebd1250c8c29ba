/** The types of Thrift’s compact protocol that Parquet uses. */
const types = {
  true: 1,
  false: 2,
  byte: 3,
  i16: 4,
  i32: 5,
  i64: 6,
  double: 7,
  binary: 8,
  list: 9,
  struct: 12,
} as const;

/** Parquet’s own structures have at most seven levels. */
const mostLevels = 16;
/** The bytes of the longest varints. */
const varintBytes = { i32: 5, i64: 10 } as const;

/** A position in bytes of the compact protocol. */
interface ThriftCursor {
  readonly bytes: Uint8Array;
  offset: number;
  /** The number of values that may still be read. */
  left: number;
}

/**
 * Reads past a structure, and returns its 32-bit integers and its flags (1 or 0) by their path of field numbers, such
 * as “5.1”. A reader that makes objects of a structure takes memory by the lengths of lists that the structure
 * declares; after this check each of their elements is there. Throws an error for damaged bytes and for more values
 * than the cursor allows.
 */
export function readStructure(cursor: ThriftCursor): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  structure(cursor, found, '', 0);
  return found;
}

const damaged = (): Error => new Error('its description of columns or pages is damaged.');

function structure(cursor: ThriftCursor, found: Map<string, number>, path: string, level: number): void {
  if (level > mostLevels) throw damaged();
  let field = 0;
  for (;;) {
    const head = byte(cursor);
    const type = head & 0x0f;
    if (type === 0) return;
    field = head >> 4 === 0 ? zigzag(cursor) : field + (head >> 4);
    value(cursor, type, found, path === '' ? `${field}` : `${path}.${field}`, level);
  }
}

function value(cursor: ThriftCursor, type: number, found: Map<string, number>, path: string, level: number): void {
  if (--cursor.left < 0) throw new Error('its description of columns and pages has too many values.');
  switch (type) {
    case types.true:
    case types.false:
      add(found, path, type === types.true ? 1 : 0);
      return;
    case types.byte:
      skip(cursor, 1);
      return;
    case types.i16:
    case types.i32:
      add(found, path, zigzag(cursor));
      return;
    case types.i64:
      varint(cursor, varintBytes.i64);
      return;
    case types.double:
      skip(cursor, 8);
      return;
    case types.binary:
      skip(cursor, varint(cursor));
      return;
    case types.list: {
      const head = byte(cursor);
      const length = head >> 4 === 15 ? varint(cursor) : head >> 4;
      const of = head & 0x0f;
      const isFlag = of === types.true || of === types.false;
      // Lists can be long, and no limit needs the values in them.
      for (let i = 0; i < length; i++) value(cursor, isFlag ? types.byte : of, new Map(), '', level + 1);
      return;
    }
    case types.struct:
      structure(cursor, found, path, level + 1);
      return;
    default:
      throw damaged();
  }
}

/** The reader of the file would take the last of two values. */
function add(found: Map<string, number>, path: string, value: number): void {
  if (found.has(path)) throw damaged();
  found.set(path, value);
}

function byte(cursor: ThriftCursor): number {
  const read = cursor.bytes[cursor.offset++];
  if (read === undefined) throw damaged();
  return read;
}

function skip(cursor: ThriftCursor, length: number): void {
  if (length < 0 || length > cursor.bytes.length - cursor.offset) throw damaged();
  cursor.offset += length;
}

/** The low 32 bits of a varint. */
function varint(cursor: ThriftCursor, mostBytes: number = varintBytes.i32): number {
  let result = 0;
  for (let i = 0; i < mostBytes; i++) {
    const read = byte(cursor);
    if (i < varintBytes.i32) result |= (read & 0x7f) << (7 * i);
    if (read < 0x80) return result;
  }
  throw damaged();
}

function zigzag(cursor: ThriftCursor): number {
  const read = varint(cursor);
  return (read >>> 1) ^ -(read & 1);
}
