import { expect, test } from 'vitest';
import type { ColumnVector } from '#model/batch/batch.ts';
import type { ColumnType } from '#model/dataset/dataset.ts';
import { batchWith, numberColumn, textColumn } from '../../shared/test-table.fixture.ts';
import { binaryArray, copyBinary, copyLayout } from './binary.ts';
import { copyText } from './copy-text.ts';

const uuid: ColumnType = { kind: 'uuid' };
const code: ColumnType = { kind: 'text', maxLength: 5, fixed: true, ascii: true };
const column = (name: string, type: ColumnType, nullable = false) => ({ name, type, nullable });

test('a batch laid out by the template equals the encoded one, byte for byte', () => {
  const layout = copyLayout([column('id', uuid), column('code', code)])!;
  const rows = 3;
  const stride = layout.template.length;
  const body = Buffer.concat(Array(rows).fill(Buffer.from(layout.template)));
  for (let r = 0; r < rows; r++) {
    body.fill(0xa0 + r, r * stride + layout.offsets[0]!, r * stride + layout.offsets[0]! + 16);
    body.write(`code${r}`, r * stride + layout.offsets[1]!, 'latin1');
  }
  const laidOut = Buffer.concat([layout.head, body, layout.tail]);
  const columns = [16, 5].map(
    (width, c): ColumnVector => ({
      kind: 'fixed',
      bytes: laidOut,
      offset: layout.head.length + layout.offsets[c]!,
      stride,
      width,
      nulls: null,
    }),
  );
  expect(copyBinary(batchWith(rows, ...columns), [uuid, code])).toEqual(laidOut);
});

test('there is no layout where a column is nullable, of varying length, or not the same bytes on the wire', () => {
  expect(copyLayout([column('id', uuid, true)])).toBeNull();
  expect(copyLayout([column('t', { ...code, fixed: false })])).toBeNull();
  expect(copyLayout([column('t', { ...code, ascii: false })])).toBeNull();
  expect(copyLayout([column('n', { kind: 'bigint' })])).toBeNull();
});

test.each([
  // The bytes that numeric_send() of PostgreSQL 18 gives: groups, weight, sign, scale, then base-10000 groups.
  [0, 2, '0000 0000 0000 0002'],
  [-1_205, 2, '0002 0000 4000 0002 000c 01f4'],
  [12_345, 0, '0002 0001 0000 0000 0001 0929'],
  [1, 5, '0001 fffe 0000 0005 03e8'],
  [999_999_999_999_999, 4, '0004 0002 0000 0004 03e7 270f 270f 270f'],
])('decimal %d × 10^−%d is a numeric', (unscaled, scale, expected) => {
  const type: ColumnType = { kind: 'decimal', precision: 15, scale };
  const wire = copyBinary(batchWith(1, numberColumn([unscaled])), [type]);
  const numeric = wire.subarray(19 + 2 + 4, -2);
  const value = readNumeric(numeric);
  expect(value).toEqual(readNumeric(Buffer.from(expected.replaceAll(' ', ''), 'hex')));
  expect(value).toEqual({ unscaled: BigInt(unscaled), scale });
});

/** The obvious reading of the format, leading and trailing zero groups or not. */
function readNumeric(bytes: Buffer): { unscaled: bigint; scale: number } {
  const groups = bytes.readInt16BE(0);
  const weight = bytes.readInt16BE(2);
  const scale = bytes.readInt16BE(6);
  expect(bytes.length).toBe(8 + 2 * groups);
  let total = 0n; // × 10^16, enough for the cases here
  for (let g = 0; g < groups; g++) total += BigInt(bytes.readInt16BE(8 + 2 * g)) * 10n ** BigInt(16 + 4 * (weight - g));
  const unscaled = total / 10n ** BigInt(16 - scale);
  return { unscaled: bytes.readUInt16BE(4) === 0x4000 ? -unscaled : unscaled, scale };
}

test('an array of no rows has no dimension', () => {
  expect(binaryArray(numberColumn([]), { kind: 'bigint' }, 0).toString('hex')).toBe('000000000000000000000014');
});

test('COPY text escapes what separates, and tells null from the text \\N', () => {
  const values = ['a\tb', 'back\\slash', 'line\nfeed\r', '\\N', 'gone'];
  const vector = { ...textColumn(...values), nulls: Uint8Array.of(0, 0, 0, 0, 1) };
  const type: ColumnType = { kind: 'text', maxLength: 20, fixed: false, ascii: true };
  expect(copyText(batchWith(5, vector), [type]).toString()).toBe('a\\tb\nback\\\\slash\nline\\nfeed\\r\n\\\\N\n\\N\n');
});
