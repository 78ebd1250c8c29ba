import fc from 'fast-check';
import type { ColumnVector } from '#model/batch/batch.ts';
import type { ParameterType } from '#model/dataset/dataset.ts';
import { numberColumn, textColumn } from './test-table.fixture.ts';

/** A type of parameters, and columns with all the kinds of values that batches have of it. */
interface ParameterCase {
  readonly type: ParameterType;
  readonly column: (rows: number) => fc.Arbitrary<ColumnVector>;
}

const rowsOf = <T>(value: fc.Arbitrary<T>, rows: number) => fc.array(value, { minLength: rows, maxLength: rows });
const someNulls = (rows: number) =>
  fc.option(rowsOf(fc.constantFrom(0, 0, 1), rows).map((nulls) => Uint8Array.from(nulls)));
const withNulls = (column: fc.Arbitrary<ColumnVector>, rows: number) =>
  fc.tuple(column, someNulls(rows)).map(([made, nulls]) => ({ ...made, nulls }));
const numbers = (type: ParameterType, value: fc.Arbitrary<number>): ParameterCase => ({
  type,
  column: (rows) => withNulls(rowsOf(value, rows).map(numberColumn), rows),
});
const texts = (type: ParameterType, value: fc.Arbitrary<string>): ParameterCase => ({
  type,
  column: (rows) =>
    withNulls(
      rowsOf(value, rows).map((some) => textColumn(...some)),
      rows,
    ),
});
/** Values of so many bytes each, in a layout that has others beside them. */
const fixed = (type: ParameterType, width: number, byte: fc.Arbitrary<number>): ParameterCase => ({
  type,
  column: (rows) =>
    withNulls(
      rowsOf(byte, rows * (width + 3) + 2).map(
        (bytes): ColumnVector => ({
          kind: 'fixed',
          bytes: Uint8Array.from(bytes),
          offset: 2,
          stride: width + 3,
          width,
          nulls: null,
        }),
      ),
      rows,
    ),
});
const bytesOf = (type: ParameterType): ParameterCase => ({
  type,
  column: (rows) =>
    withNulls(
      rowsOf(fc.uint8Array({ maxLength: 300 }), rows).map((values): ColumnVector => {
        const offsets = Uint32Array.from({ length: rows + 1 }, (_, r) =>
          values.slice(0, r).reduce((sum, { length }) => sum + length, 0),
        );
        return { kind: 'variable', bytes: Buffer.concat(values), offsets, nulls: null };
      }),
      rows,
    ),
});

const edges = [0, -0, 1, -1, 127, 128, -128, -129, 255, 256, 32_767, 32_768, -32_768, 65_535, 65_536];
const wideEdges = [2 ** 31 - 1, 2 ** 31, -(2 ** 31), -(2 ** 31) - 1, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1, 1 - 2 ** 53];
const integer = fc.oneof(fc.constantFrom(...edges, ...wideEdges), fc.maxSafeInteger());
const int64 = fc.oneof(fc.constantFrom(0n, -1n, 2n ** 63n - 1n, -(2n ** 63n)), fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n));
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.constantFrom('', 'x'.repeat(48), 'x'.repeat(49), 'x'.repeat(250), 'x'.repeat(251), 'ü'.repeat(40_000), '\uFEFFa'),
);
/** Texts of any characters. */
export const anyText: ParameterType = { kind: 'text', maxLength: 80, fixed: false, ascii: false };
const code: ParameterType = { kind: 'text', maxLength: 5, fixed: true, ascii: true };
const bytes: ParameterType = { kind: 'bytes', maxLength: 300, fixed: false };
const decimal = (precision: number, scale: number): ParameterType => ({ kind: 'decimal', precision, scale });
const time: ParameterType = { kind: 'timestamp' };
/** Cases of all types of parameters. */
export const parameterCases: readonly ParameterCase[] = [
  numbers({ kind: 'bigint' }, integer),
  texts({ kind: 'bigint' }, int64.map(String)),
  numbers({ kind: 'float' }, fc.oneof(fc.double(), integer)),
  numbers({ kind: 'boolean' }, fc.constantFrom(0, 1)),
  texts(anyText, text),
  fixed(code, 5, fc.integer({ min: 32, max: 126 })),
  bytesOf(bytes),
  fixed({ kind: 'bytes', maxLength: 9, fixed: true }, 9, fc.nat(255)),
  fixed({ kind: 'uuid' }, 16, fc.nat(255)),
  texts({ kind: 'uuid' }, fc.uuid()),
  numbers(decimal(15, 4), integer),
  numbers(decimal(9, 0), integer),
  texts(decimal(38, 19), fc.constantFrom('-12.3400', '0', '99999999999999999999.9999999999999999999')),
  numbers(time, fc.integer({ min: -2_208_988_800_000_000, max: 4_102_444_800_000_000 })),
  texts({ ...time, nanoseconds: true }, fc.constantFrom('2024-02-29T12:34:56.1234567Z', '1970-01-01T00:00:00.000000Z')),
];
