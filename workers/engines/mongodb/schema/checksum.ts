import { hash } from 'node:crypto';
import { Binary, type ClientSession, type Db, Decimal128, type Document } from 'mongodb';
import type { RangeFilter } from '#engine-api/database.ts';
import type { TableChecksum } from '#model/batch/batch.ts';
import { writeUuidText } from '#model/batch/decode.ts';
import type { ColumnType, TablePlan } from '#model/dataset/dataset.ts';
import { canonicalJson } from '#model/text/json-text.ts';
import { readOptions } from '../options.ts';
import { rangeFilter } from '../statements/statements.ts';
import { fieldNames } from '../values/documents.ts';

/** First 4 bytes of md5, unsigned. */
const md5Prefix = (value: string | Uint8Array): number => hash('md5', value, 'buffer').readUInt32BE(0);

const uuidText = Buffer.alloc(36);
function uuidPrefix(value: Uint8Array): number {
  writeUuidText(value, 0, uuidText, 0);
  return md5Prefix(uuidText);
}

const isHashed = ({ kind }: ColumnType): boolean => kind === 'uuid' || kind === 'text' || kind === 'bytes';

/**
 * The server adds up numbers as Decimal128, which has 34 digits and is exact for any number of rows. It has no md5, so
 * this control process reads texts, uuids and bytes and sums them. The reads go to the primary and see its latest data.
 */
export async function checksum(
  db: Db,
  session: ClientSession,
  table: TablePlan,
  range?: RangeFilter,
): Promise<TableChecksum> {
  const collection = db.collection(table.name, { readPreference: 'primary', readConcern: { level: 'local' } });
  const names = fieldNames(table);
  const options = readOptions(table.options);
  const { timestamps } = options;
  const filter = range ? rangeFilter(table, range.column, options)(range.bounds) : {};
  const [summed] = await collection
    .aggregate([{ $match: filter }, { $group: sums(table, names) }], { session })
    .toArray();
  const hashed = table.columns.flatMap(({ type }, c) =>
    isHashed(type) ? [{ type, name: names[c]!, c, sum: 0n }] : [],
  );
  if (hashed.length > 0) {
    const projection: Document = { _id: 0, ...Object.fromEntries(hashed.map(({ name }) => [name, 1])) };
    const cursor = collection.find(filter, { session, projection, batchSize: 10_000 });
    while (await cursor.hasNext()) {
      const documents = cursor.readBufferedDocuments();
      for (const column of hashed)
        column.sum += BigInt(documents.reduce((sum, one) => sum + prefixOf(one[column.name], column.type), 0));
    }
  }
  return {
    rows: Number(summed?.rows ?? 0),
    columns: table.columns.map(({ type }, c) => {
      const found = hashed.find((one) => one.c === c);
      if (found) return String(found.sum);
      if (type.kind === 'timestamp' && timestamps === 'date') return null;
      return String(whole(summed?.[`c${c}`]));
    }),
  };
}

function sums(table: TablePlan, names: readonly string[]): Document {
  const group: Document = { _id: null, rows: { $sum: 1 } };
  for (const [c, { type }] of table.columns.entries())
    if (!isHashed(type)) group[`c${c}`] = { $sum: scaled(`$${names[c]}`, type) };
  return group;
}

function scaled(field: string, type: ColumnType): Document {
  if (type.kind === 'boolean') return { $cond: [field, 1, 0] };
  const decimal = { $toDecimal: field };
  return type.kind === 'decimal' ? { $multiply: [decimal, Decimal128.fromString(`1E${type.scale}`)] } : decimal;
}

function prefixOf(value: unknown, { kind }: ColumnType): number {
  if (typeof value === 'string') return md5Prefix(value);
  if (value === null || typeof value !== 'object') return 0;
  if (!(value instanceof Binary)) return md5Prefix(canonicalJson(value));
  const bytes = value.buffer.subarray(0, value.position);
  return kind === 'uuid' ? uuidPrefix(bytes) : md5Prefix(bytes);
}

/** A whole number as Decimal128 writes it: "-12", "1.2E+4", "120.000". */
export function whole(value: unknown): bigint {
  const [, sign = '', digits = '0', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:E([+-]?\d+))?$/.exec(String(value ?? 0)) ?? [];
  const shift = Number(exponent) - fraction.length;
  const all = BigInt(digits + fraction);
  return (shift >= 0 ? all * 10n ** BigInt(shift) : all / 10n ** BigInt(-shift)) * (sign ? -1n : 1n);
}
