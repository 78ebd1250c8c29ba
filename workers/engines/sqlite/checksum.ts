import { hash } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { RangeFilter } from '#engine-api/database.ts';
import type { TableChecksum } from '#model/batch/batch.ts';
import { shortMd5Prefix, shortMessageBytes } from '#model/batch/short-md5.ts';
import type { ColumnType, TablePlan } from '#model/dataset/dataset.ts';
import { rangeSql } from '../shared/sql/range.ts';
import { quote } from './tables.ts';
import { flatRows, type SqliteValue } from './values.ts';

const uuidDigits = 32;
const dash = '-'.charCodeAt(0);
/** The UTF-8 of a short text; a UTF-16 unit takes 3 bytes at most. */
const utf8 = Buffer.alloc(3 * shortMessageBytes);

/** First 4 bytes of md5, unsigned; SQLite has no md5 of its own. */
function md5Prefix(value: string | Uint8Array): number {
  if (value.length <= shortMessageBytes) {
    const bytes = typeof value === 'string' ? utf8.write(value) : value.length;
    if (bytes <= shortMessageBytes) return shortMd5Prefix(typeof value === 'string' ? utf8 : value, 0, bytes);
  }
  return hash('md5', value, 'buffer').readUInt32BE(0);
}

export function registerChecksumFunctions(database: DatabaseSync): void {
  const options = { deterministic: true, directOnly: true };
  database.function('dyno_md5', options, (value: SQLOutputValue) => {
    return typeof value === 'string' || value instanceof Uint8Array ? md5Prefix(value) : null;
  });
  // node:sqlite makes a string in a fraction of the time of a Uint8Array. A null has no hexadecimal digits.
  const digits = Buffer.alloc(uuidDigits);
  const text = Buffer.alloc(uuidDigits + 4);
  database.function('dyno_uuid_md5', options, (value: SQLOutputValue) => {
    if (typeof value !== 'string' || value === '') return null;
    if (value.length !== uuidDigits) return md5Prefix(value);
    digits.write(value, 'latin1');
    for (let i = 0, at = 0; i < uuidDigits; i++) {
      if (i === 8 || i === 12 || i === 16 || i === 20) text[at++] = dash;
      text[at++] = digits[i]!;
    }
    return md5Prefix(text);
  });
}

// sum() of 64-bit integers fails on overflow, which µs timestamps reach within 6,000 rows. So two sums of 32-bit halves
// are put together as BigInt. x = (x >> 32)·2³² + (x & 2³²−1) also holds for negative x.
const sums = (column: string, type: ColumnType): string => {
  const name = quote(column);
  switch (type.kind) {
    case 'uuid':
      return `0, sum(CAST(dyno_uuid_md5(lower(hex(${name}))) AS INTEGER))`;
    case 'text':
    case 'bytes':
      return `0, sum(CAST(dyno_md5(${name}) AS INTEGER))`;
    default:
      return `sum(${name} >> 32), sum(${name} & 4294967295)`;
  }
};

export function checksum(database: DatabaseSync, table: TablePlan, range?: RangeFilter): TableChecksum {
  const columns = table.columns.map((column) => sums(column.name, column.type)).join(', ');
  const where = range ? ` WHERE ${rangeSql(quote(table.columns[range.column]!.name), () => '?')}` : '';
  const statement = database.prepare(`SELECT count(*), ${columns} FROM ${quote(table.name)}${where}`);
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  const [rows, ...halves] = statement.get(...boundsOf(table, range)) as unknown as readonly (bigint | number | null)[];
  return {
    rows: Number(rows),
    columns: table.columns.map((_, c) => String((BigInt(halves[2 * c] ?? 0) << 32n) + BigInt(halves[2 * c + 1] ?? 0))),
  };
}

function boundsOf({ columns }: TablePlan, range: RangeFilter | undefined): readonly SqliteValue[] {
  if (!range) return [];
  const { type } = columns[range.column]!;
  return flatRows(range.bounds, [type, type]);
}
