import type { Batch, ColumnVector, RowLayout } from '#model/batch/batch.ts';
import type { ColumnType } from '#model/dataset/dataset.ts';

/**
 * PostgreSQL's binary formats of values, of COPY (manual, COPY → Binary Format) and of one-dimensional arrays
 * (array_recv). A field is its length as int32 and its bytes; −1 is null; everything is big-endian.
 */
interface FieldWriter {
  /** The upper bound of the bytes of `rows` fields, lengths included. */
  bound(rows: number): number;
  /** Writes the field of row r, length first; returns the position behind it. */
  write(to: DataView, position: number, r: number): number;
}

// µs from 1970-01-01 to 2000-01-01, where PostgreSQL's timestamps start.
const epochUs = 946_684_800_000_000;

function fieldWriter(column: ColumnVector, type: ColumnType): FieldWriter {
  const { nulls } = column;
  const writer = valueWriter(column, type);
  if (!nulls) return writer;
  return {
    bound: writer.bound,
    write(to, position, r) {
      if (nulls[r] !== 1) return writer.write(to, position, r);
      to.setInt32(position, -1);
      return position + 4;
    },
  };
}

function valueWriter(column: ColumnVector, type: ColumnType): FieldWriter {
  switch (column.kind) {
    case 'fixed': {
      const { offset, stride, width } = column;
      const from = viewOf(column.bytes);
      return {
        bound: (rows) => rows * (4 + width),
        write(to, position, r) {
          to.setInt32(position, width);
          return copyBytes(from, offset + r * stride, to, position + 4, width);
        },
      };
    }
    case 'variable': {
      if (type.kind === 'bigint' || type.kind === 'decimal') return exactWriter(column, type);
      const { bytes, offsets } = column;
      const from = viewOf(bytes);
      const head = isJsonb(type) ? 1 : 0;
      return {
        bound: (rows) => rows * (4 + head) + (offsets[rows] ?? 0) - (offsets[0] ?? 0),
        write(to, position, r) {
          const start = offsets[r]!;
          const length = offsets[r + 1]! - start;
          to.setInt32(position, head + length);
          if (head > 0) to.setUint8(position + 4, jsonbVersion);
          return copyBytes(from, start, to, position + 4 + head, length);
        },
      };
    }
    case 'number':
      return numberWriter(column.values, type);
  }
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Copies bytes; returns the position behind them. A loop is faster than TypedArray.set for a typical value. */
function copyBytes(from: DataView, start: number, to: DataView, at: number, length: number): number {
  if (length > 256) {
    new Uint8Array(to.buffer, to.byteOffset + at).set(new Uint8Array(from.buffer, from.byteOffset + start, length));
    return at + length;
  }
  const whole = length & ~3;
  for (let i = 0; i < whole; i += 4) to.setUint32(at + i, from.getUint32(start + i));
  for (let i = whole; i < length; i++) to.setUint8(at + i, from.getUint8(start + i));
  return at + length;
}

const isJsonb = (type: ColumnType): boolean => type.kind === 'text' && type.document === true;

/** jsonb_send writes this byte, and then the text. */
const jsonbVersion = 1;

function numberWriter(values: Float64Array, type: ColumnType): FieldWriter {
  switch (type.kind) {
    case 'boolean':
      return {
        bound: (rows) => rows * 5,
        write(to, position, r) {
          to.setInt32(position, 1);
          to.setUint8(position + 4, values[r]!);
          return position + 5;
        },
      };
    case 'decimal':
      return {
        bound: (rows) => rows * (4 + maxNumericBytes),
        write(to, position, r) {
          const end = writeNumeric(values[r]!, type.scale, to, position + 4);
          to.setInt32(position, end - position - 4);
          return end;
        },
      };
    default: {
      const shift = type.kind === 'timestamp' ? epochUs : 0;
      return {
        bound: (rows) => rows * 12,
        write(to, position, r) {
          const value = values[r]! - shift;
          const upper = Math.floor(value / 2 ** 32);
          to.setInt32(position, 8);
          to.setInt32(position + 4, upper);
          to.setUint32(position + 8, value - upper * 2 ** 32);
          return position + 12;
        },
      };
    }
  }
}

// 15 digits touch at most 5 groups of four, plus one that padding opens on either side.
const mostGroups = 6;
const maxNumericBytes = 8 + 2 * mostGroups;
/** The groups of the value that is being written, lowest first. */
const groups = new Int16Array(mostGroups);

/**
 * numeric_send's format: group count, weight, sign, display scale, then base-10000 groups. Exact for |unscaled| < 2^53.
 */
function writeNumeric(unscaled: number, scale: number, to: DataView, position: number): number {
  let count = 0;
  let rest = Math.abs(unscaled);
  let fractionGroups = 0;
  let fractionDigits = scale;
  while (fractionDigits > 0) {
    // The lowest group is filled with zeros to four digits; the others are whole.
    const digits = fractionDigits % 4 === 0 ? 4 : fractionDigits % 4;
    const unit = 10 ** digits;
    const upper = Math.floor(rest / unit);
    groups[count++] = (rest - upper * unit) * 10 ** (4 - digits);
    rest = upper;
    fractionDigits -= digits;
    fractionGroups++;
  }
  while (rest > 0) {
    const upper = Math.floor(rest / 10_000);
    groups[count++] = rest - upper * 10_000;
    rest = upper;
  }
  to.setInt16(position, count);
  to.setInt16(position + 2, count - fractionGroups - 1);
  to.setUint16(position + 4, unscaled < 0 ? 0x4000 : 0);
  to.setInt16(position + 6, scale);
  let at = position + 8;
  for (let g = count - 1; g >= 0; g--, at += 2) to.setInt16(at, groups[g]!);
  return at;
}

/** Numbers that come as texts, because no double holds them. A decimal has its column's scale. */
function exactWriter(
  { bytes, offsets }: ColumnVector & { readonly kind: 'variable' },
  type: ColumnType & { readonly kind: 'bigint' | 'decimal' },
): FieldWriter {
  const textOf = (r: number) =>
    Buffer.from(bytes.buffer, bytes.byteOffset + offsets[r]!, offsets[r + 1]! - offsets[r]!).toString('latin1');
  if (type.kind === 'bigint')
    return {
      bound: (rows) => rows * 12,
      write(to, position, r) {
        to.setInt32(position, 8);
        to.setBigInt64(position + 4, BigInt(textOf(r)));
        return position + 12;
      },
    };
  return {
    // A digit never takes more than two bytes, and padding opens a group on either side of the point.
    bound: (rows) => rows * (4 + 8 + 4) + 2 * ((offsets[rows] ?? 0) - (offsets[0] ?? 0)),
    write(to, position, r) {
      const end = writeNumericText(textOf(r), type.scale, to, position + 4);
      to.setInt32(position, end - position - 4);
      return end;
    },
  };
}

/** The form of {@link writeNumeric} for a decimal of any length, such as "-12345678901234567890.12". */
function writeNumericText(text: string, scale: number, to: DataView, position: number): number {
  const isNegative = text.startsWith('-');
  const [whole = '', fraction = ''] = (isNegative ? text.slice(1) : text).split('.');
  const padded = whole.padStart(Math.ceil(whole.length / 4) * 4, '0');
  const all = `${padded}${fraction.padEnd(Math.ceil(fraction.length / 4) * 4, '0')}`;
  const count = all.length / 4;
  to.setInt16(position, count);
  to.setInt16(position + 2, padded.length / 4 - 1);
  to.setUint16(position + 4, isNegative ? 0x4000 : 0);
  to.setInt16(position + 6, scale);
  for (let g = 0; g < count; g++) to.setInt16(position + 8 + 2 * g, Number(all.slice(4 * g, 4 * g + 4)));
  return position + 8 + 2 * count;
}

const copyHead = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
const copyTail = Buffer.from([0xff, 0xff]);

/** A batch as one COPY … (FORMAT binary) stream. */
export function copyBinary(batch: Batch, types: readonly ColumnType[]): Buffer {
  const writers = batch.columns.map((column, c) => fieldWriter(column, types[c]!));
  const bound = writers.reduce((sum, writer) => sum + writer.bound(batch.rows), copyHead.length + 2 + 2 * batch.rows);
  const buffer = Buffer.allocUnsafeSlow(bound);
  const to = viewOf(buffer);
  let at = copyHead.copy(buffer);
  for (let r = 0; r < batch.rows; r++) {
    to.setInt16(at, writers.length);
    at += 2;
    for (const writer of writers) at = writer.write(to, at, r);
  }
  at += copyTail.copy(buffer, at);
  return buffer.subarray(0, at);
}

/** The COPY row of a table whose columns all have the same bytes in a batch and on the wire; otherwise null. */
export function copyLayout(
  columns: readonly { readonly type: ColumnType; readonly nullable: boolean }[],
): RowLayout | null {
  const widths = columns.map(({ type, nullable }) => (nullable ? null : sameBytesWidth(type)));
  if (!widths.every((width) => width !== null)) return null;
  const template = Buffer.alloc(widths.reduce((sum, width) => sum + 4 + width, 2));
  const offsets: number[] = [];
  let at = template.writeInt16BE(columns.length);
  for (const width of widths) {
    at = template.writeInt32BE(width, at);
    offsets.push(at);
    at += width;
  }
  return { template, offsets, head: copyHead, tail: copyTail };
}

function sameBytesWidth(type: ColumnType): number | null {
  if (type.kind === 'uuid') return 16;
  if (type.kind === 'text') return type.fixed && type.ascii ? type.maxLength : null;
  return type.kind === 'bytes' && type.fixed ? type.maxLength : null;
}

const elementOids: Readonly<Record<ColumnType['kind'], number>> = {
  uuid: 2_950,
  bigint: 20,
  text: 25,
  decimal: 1_700,
  timestamp: 1_184,
  boolean: 16,
  bytes: 17,
};
const jsonbOid = 3_802;

/** A column as one binary array parameter. */
export function binaryArray(column: ColumnVector, type: ColumnType, rows: number): Buffer {
  const writer = fieldWriter(column, type);
  const buffer = Buffer.allocUnsafeSlow(20 + writer.bound(rows));
  let at = buffer.writeInt32BE(rows === 0 ? 0 : 1, 0);
  at = buffer.writeInt32BE(column.nulls ? 1 : 0, at);
  at = buffer.writeInt32BE(isJsonb(type) ? jsonbOid : elementOids[type.kind], at);
  if (rows === 0) return buffer.subarray(0, at);
  at = buffer.writeInt32BE(rows, at);
  at = buffer.writeInt32BE(1, at); // lower bound
  const to = viewOf(buffer);
  for (let r = 0; r < rows; r++) at = writer.write(to, at, r);
  return buffer.subarray(0, at);
}
