import { hash } from 'node:crypto';
import type { RangeFilter } from '#engine-api/database.ts';
import type { TableChecksum } from '#model/batch/batch.ts';
import type { ColumnType, TablePlan } from '#model/dataset/dataset.ts';
import { parseDecimal, rescaled } from '#model/text/exact-decimal.ts';
import { digitsOf } from '#model/text/exact-json.ts';
import { canonicalJson } from '#model/text/json-text.ts';
import type { Link } from '../connection/link.ts';
import { pages } from '../connection/pages.ts';
import { readOptions } from '../options.ts';
import { betweenQuery } from '../queries.ts';
import { readDate } from '../values/dates.ts';
import { idPrefix, rangeFields } from '../values/documents.ts';

/** First 4 bytes of md5, unsigned. */
const md5Prefix = (value: string | Uint8Array): bigint => BigInt(hash('md5', value, 'buffer').readUInt32BE(0));

/** The server adds up nothing without an index for it, so this control process reads the documents and sums them. */
export async function checksum(link: Link, table: TablePlan, range?: RangeFilter): Promise<TableChecksum> {
  const columns = table.columns.map(({ name, type }) => ({ name, of: termOf(type), sum: 0n }));
  let rows = 0;
  const found = range ? inRange(link, table, range) : pages<StoredFields>(link, idPrefix(table));
  for await (const page of found) {
    rows += page.length;
    for (const document of page)
      for (const column of columns) {
        const value = document[column.name];
        if (value !== null && value !== undefined) column.sum += column.of(value);
      }
  }
  return { rows, columns: columns.map(({ sum }) => String(sum)) };
}

type StoredFields = Readonly<Record<string, unknown>>;

/** The documents of a range, as a query finds them. */
async function* inRange(
  link: Link,
  table: TablePlan,
  { column, bounds }: RangeFilter,
): AsyncGenerator<readonly StoredFields[]> {
  const [low, high] = rangeFields(table, column, readOptions(table.options).dates)(bounds);
  const asked = { Query: betweenQuery(table, column), QueryParameters: { low, high }, WaitForNonStaleResults: true };
  const answer = (await link.ask({ method: 'POST', path: '/queries', body: JSON.stringify(asked) })) as {
    readonly Results: readonly StoredFields[];
  };
  yield answer.Results;
}

/** The exact summand of a stored value: doubles of at most 15 digits are the number that their decimals show. */
function termOf(type: ColumnType): (value: unknown) => bigint {
  switch (type.kind) {
    case 'decimal': {
      const unit = 10 ** type.scale;
      return (value) => exactOf(value, type.scale) ?? BigInt(Math.round(Number(value) * unit));
    }
    case 'timestamp':
      return (value) => BigInt(readDate(value));
    case 'bytes':
      return (value) => md5Prefix(Buffer.from(String(value), 'base64'));
    case 'text':
      return type.document ? (value) => md5Prefix(canonicalJson(value)) : (value) => md5Prefix(String(value));
    case 'uuid':
      return (value) => md5Prefix(String(value));
    default:
      return (value) => exactOf(value, 0) ?? BigInt(Number(value));
  }
}

/** A number that comes with its digits (a double would print it differently), × 10^scale; null: it is a double. */
function exactOf(value: unknown, scale: number): bigint | null {
  const digits = digitsOf(value);
  const decimal = digits === null ? null : parseDecimal(digits);
  return decimal && (rescaled(decimal, scale)?.unscaled ?? null);
}
