import type { ColumnType } from '../dataset/dataset.ts';
import { parseDecimal, rescaled } from '../text/exact-decimal.ts';
import type { Batch, ColumnVector } from './batch.ts';
import type { Value } from './decode.ts';

// Node and browsers both define this global, and the project includes the types of neither.
declare class TextEncoder {
  encode(text: string): Uint8Array;
}
const utf8 = new TextEncoder();

/** Converts rows of values, as decode.ts returns them, to a batch. */
export const batchOf = (rows: readonly (readonly Value[])[], types: readonly ColumnType[]): Batch => ({
  rows: rows.length,
  columns: types.map((type, c) =>
    encodeColumn(
      rows.map((row) => row[c]!),
      type,
    ),
  ),
});

function encodeColumn(values: readonly Value[], type: ColumnType): ColumnVector {
  const nulls = values.includes(null) ? Uint8Array.from(values, (value) => Number(value === null)) : null;
  switch (type.kind) {
    case 'bigint':
    case 'decimal':
    case 'timestamp':
    case 'boolean':
      return { kind: 'number', values: Float64Array.from(values, (value) => numberOf(value, type)), nulls };
    case 'uuid': {
      const bytes = new Uint8Array(values.length * 16);
      values.forEach((value, row) => {
        if (value !== null) writeUuid(String(value), bytes, row * 16);
      });
      return { kind: 'fixed', bytes, offset: 0, stride: 16, width: 16, nulls };
    }
    case 'text':
    case 'bytes': {
      const parts = values.map((value) =>
        value instanceof Uint8Array ? value : value === null ? new Uint8Array(0) : utf8.encode(String(value)),
      );
      const offsets = new Uint32Array(parts.length + 1);
      for (const [row, part] of parts.entries()) offsets[row + 1] = offsets[row]! + part.length;
      const bytes = new Uint8Array(offsets[parts.length]!);
      for (const [row, part] of parts.entries()) bytes.set(part, offsets[row]);
      return { kind: 'variable', bytes, offsets, nulls };
    }
  }
}

function numberOf(value: Value, type: ColumnType & { readonly kind: 'bigint' | 'decimal' | 'timestamp' | 'boolean' }) {
  if (value === null) return 0;
  switch (type.kind) {
    case 'decimal': {
      const text = String(value);
      const [whole = '', fraction = ''] = text.split('.');
      // Nearly all values are short, and a bigint would take several times as long.
      if (text.length <= 15 && fraction.length <= type.scale && !/e/i.test(text)) {
        const unscaled = Number(whole + fraction.padEnd(type.scale, '0'));
        if (Number.isSafeInteger(unscaled)) return unscaled;
      }
      const decimal = parseDecimal(text);
      const unscaled = decimal && rescaled(decimal, type.scale)?.unscaled;
      if (typeof unscaled !== 'bigint')
        throw new RangeError(`${text} is no decimal with ${type.scale} digits after its point.`);
      return exactNumber(unscaled);
    }
    case 'timestamp': {
      const text = String(value);
      return Date.parse(`${text.slice(0, 23)}Z`) * 1_000 + Number(text.slice(23, 26));
    }
    case 'bigint':
      return typeof value === 'bigint' ? exactNumber(value) : Number(value);
    case 'boolean':
      return Number(value);
  }
}

function exactNumber(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`${value} has more digits than a number holds exactly.`);
  return number;
}

function writeUuid(text: string, to: Uint8Array, at: number): void {
  const digits = text.replaceAll('-', '');
  for (let i = 0; i < 16; i++) to[at + i] = Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16);
}
