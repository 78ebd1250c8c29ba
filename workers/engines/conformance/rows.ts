import { createHash } from 'node:crypto';
import type { Batch, ColumnVector, TableChecksum } from '#model/batch/batch.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { canonicalJson } from '#model/text/json-text.ts';

/** Rows of every column type for the conformance suite, and their checksum computed the slow and obvious way. */
export interface Row {
  readonly id: number;
  /** The first column that is not the key, which updates change. */
  readonly text: string | null;
  /** 32 hexadecimal digits. */
  readonly uuid: string | null;
  readonly code: string;
  /** The price in thousandths. */
  readonly price: number | null;
  /** The time in µs since 1970. */
  readonly at: number | null;
  readonly flag: boolean | null;
  readonly blob: Uint8Array | null;
  /** Canonical JSON. */
  readonly details: string | null;
}

export const table = (name: string): TablePlan => ({
  name,
  key: 0,
  options: {},
  columns: [
    { name: 'id', type: { kind: 'bigint' }, nullable: false },
    { name: 'text', type: { kind: 'text', maxLength: 40, fixed: false, ascii: false }, nullable: true },
    { name: 'uuid', type: { kind: 'uuid' }, nullable: true },
    { name: 'code', type: { kind: 'text', maxLength: 5, fixed: true, ascii: true }, nullable: false },
    { name: 'price', type: { kind: 'decimal', precision: 15, scale: 3 }, nullable: true },
    { name: 'at', type: { kind: 'timestamp' }, nullable: true },
    { name: 'flag', type: { kind: 'boolean' }, nullable: true },
    { name: 'blob', type: { kind: 'bytes', maxLength: 300, fixed: false }, nullable: true },
    {
      name: 'details',
      type: { kind: 'text', maxLength: 200, fixed: false, ascii: false, document: true },
      nullable: true,
    },
  ],
});

const texts = [
  'plain',
  "O'Neil",
  'grüße',
  '日本語',
  '🐘 elephant',
  'tab\tnew\nline\rback\\slash',
  '"quoted" \\N \\.',
  ' ',
];
/** Documents with spaces, colons and quotes within strings, and numbers that engines write in their own ways. */
const documents = [
  '{}',
  '{"b":1,"a":[],"details":{"tags":["x","y"],"price":12.5}}',
  '{"text":"a: b, c \\"quoted\\" \\\\ end","nothing":null}',
  '{"small":0.0000001,"large":9007199254740991,"minus":-1.25}',
  '{"name":"grüße 日本語 🐘","flags":[true,false,null],"list":[{"n":1},{"n":2}]}',
].map((text) => canonicalJson(JSON.parse(text)));
const prices = [0, 1, -1, 1_205, -99_999, 123_456_789_012_345, -999_999_999_999_999, 10_000_000, 12_340_000];
const times = [0, -1, 1_709_210_096_000_789, 1_600_000_000_000_000, -62_000_000_000_001, 4_102_444_799_999_999];

const md5 = (value: string | Uint8Array) => createHash('md5').update(value).digest();

export function makeRows(first: number, count: number): Row[] {
  return Array.from({ length: count }, (_, i) => {
    const id = first + i;
    // Nulls move over the columns, so that every type has some.
    const isNull = (column: number) => id % 8 === column;
    const noise = md5(`row ${id}`);
    return {
      id: id % 2 === 0 ? id : id + 2 ** 45,
      text: isNull(1) ? null : texts[id % texts.length]!,
      uuid: isNull(2) ? null : noise.toString('hex'),
      code: noise
        .toString('base64')
        .replaceAll(/[^a-zA-Z0-9]/g, 'x')
        .slice(0, 5),
      price: isNull(3) ? null : prices[id % prices.length]!,
      at: isNull(4) ? null : times[id % times.length]!,
      flag: isNull(5) ? null : id % 3 === 0,
      blob: isNull(6) ? null : Buffer.concat(Array(id % 19).fill(noise)),
      details: isNull(7) ? null : documents[id % documents.length]!,
    };
  }).sort((a, b) => a.id - b.id);
}

const nullsOf = (values: readonly unknown[]): Uint8Array | null =>
  values.includes(null) ? Uint8Array.from(values, (value) => (value === null ? 1 : 0)) : null;

const numbers = (values: readonly (number | boolean | null)[]): ColumnVector => ({
  kind: 'number',
  values: Float64Array.from(values, (value) => Number(value ?? 77)),
  nulls: nullsOf(values),
});

function fixed(values: readonly (Uint8Array | null)[], width: number): ColumnVector {
  const bytes = Buffer.concat(values.map((value) => value ?? Buffer.alloc(width, 1)));
  return { kind: 'fixed', bytes, offset: 0, stride: width, width, nulls: nullsOf(values) };
}

function variable(values: readonly (Uint8Array | null)[]): ColumnVector {
  const parts = values.map((value) => value ?? Buffer.from('?'));
  const offsets = Uint32Array.of(
    0,
    ...parts.map((_, i) => parts.slice(0, i + 1).reduce((sum, { length }) => sum + length, 0)),
  );
  return { kind: 'variable', bytes: Buffer.concat(parts), offsets, nulls: nullsOf(values) };
}

const ids = (rows: readonly Row[]) => numbers(rows.map(({ id }) => id));
const textsOf = (texts: readonly (string | null)[]) =>
  variable(texts.map((text) => (text === null ? null : Buffer.from(text))));

export const keyBatch = (rows: readonly Row[]): Batch => ({ rows: rows.length, columns: [ids(rows)] });

/** A range over a column of numbers or times, as batches hold them. */
export const rangeBatch = (low: number, high: number): Batch => ({
  rows: 1,
  columns: [numbers([low]), numbers([high])],
});

export const updateBatch = (rows: readonly Row[]): Batch => ({
  rows: rows.length,
  columns: [ids(rows), textsOf(rows.map(({ text }) => text))],
});

export const toBatch = (rows: readonly Row[]): Batch => ({
  rows: rows.length,
  columns: [
    ids(rows),
    textsOf(rows.map(({ text }) => text)),
    fixed(
      rows.map(({ uuid }) => (uuid === null ? null : Buffer.from(uuid, 'hex'))),
      16,
    ),
    fixed(
      rows.map(({ code }) => Buffer.from(code)),
      5,
    ),
    numbers(rows.map(({ price }) => price)),
    numbers(rows.map(({ at }) => at)),
    numbers(rows.map(({ flag }) => flag)),
    variable(rows.map(({ blob }) => blob)),
    textsOf(rows.map(({ details }) => details)),
  ],
});

const sum = (values: readonly (number | bigint | boolean | null)[]): string =>
  String(values.reduce<bigint>((total, value) => total + BigInt(value ?? 0), 0n));
const md5Sum = (values: readonly (string | Uint8Array | null)[]): string =>
  sum(values.map((value) => (value === null ? 0 : md5(value).readUInt32BE(0))));

/** `emptyIsNull`: as the engine's descriptor has it. */
export const expectedChecksum = (rows: readonly Row[], emptyIsNull = false): TableChecksum => ({
  rows: rows.length,
  columns: [
    sum(rows.map(({ id }) => id)),
    md5Sum(rows.map(({ text }) => text)),
    md5Sum(rows.map(({ uuid }) => uuid?.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') ?? null)),
    md5Sum(rows.map(({ code }) => code)),
    sum(rows.map(({ price }) => price)),
    sum(rows.map(({ at }) => at)),
    sum(rows.map(({ flag }) => flag)),
    md5Sum(rows.map(({ blob }) => (emptyIsNull && blob?.length === 0 ? null : blob))),
    md5Sum(rows.map(({ details }) => details)),
  ],
});

/** The batch of a call that reads everything. */
export const noRows: Batch = { rows: 0, columns: [] };
/** The batch of one call of a statement without parameters. */
export const noParameters: Batch = { rows: 1, columns: [] };

export function* batches(rows: readonly Row[], size: number): Generator<Batch> {
  for (let at = 0; at < rows.length; at += size) yield toBatch(rows.slice(at, at + size));
}
