import { hash } from 'node:crypto';
import type { DrdaConnection, Value } from '#drda/index.ts';
import type { RangeFilter } from '#engine-api/database.ts';
import type { TableChecksum } from '#model/batch/batch.ts';
import { writeUuidText } from '#model/batch/decode.ts';
import type { ColumnType, TablePlan } from '#model/dataset/dataset.ts';
import { rangeSql } from '../../shared/sql/range.ts';
import type { Dialect } from '../dialect.ts';
import { columnListSql, quote, tableSql } from '../names.ts';
import { rowsOf } from '../values/values.ts';

/** Bytes of a block, which keep round trips few and memory small. */
const blockBytes = 256 * 1024;

/** A low value of a column and a high one, as parameters. */
interface RangeValues {
  readonly column: string;
  readonly values: readonly Value[];
}

export function rangeValues({ columns }: TablePlan, { column, bounds }: RangeFilter, dialect: Dialect): RangeValues {
  const { name, type } = columns[column]!;
  return { column: name, values: rowsOf(bounds, [type, type], dialect)[0]! };
}

/**
 * Neither product has a hash in SQL, so all rows are read, block by block, and summed here. @param check is called
 * between blocks; an error that it throws ends the reading
 */
export async function checksum(
  connection: DrdaConnection,
  table: TablePlan,
  check: () => void,
  where: RangeValues | null = null,
): Promise<TableChecksum> {
  const sums = table.columns.map(({ type }) => summer(type));
  const condition = where ? ` WHERE ${rangeSql(quote(where.column), () => '?')}` : '';
  const statement = await connection.prepare(`SELECT ${columnListSql(table)} FROM ${tableSql(table)}${condition}`);
  let rows = 0;
  try {
    const cursor = await statement.open(where && statement.encode([where.values]), { blockBytes });
    try {
      for (let block = await cursor.fetch(); block !== null; block = await cursor.fetch()) {
        check();
        rows += block.length;
        for (const [c, sum] of sums.entries()) for (const row of block) sum.add(row[c]!);
      }
    } finally {
      await cursor.close();
    }
  } finally {
    await statement.close();
    if (connection.isAlive) await connection.commit();
  }
  return { rows, columns: sums.map((sum) => String(sum.total())) };
}

interface Summer {
  add(value: Value): void;
  total(): bigint;
}

/** An exact sum: a double as long as it is exact, then a BigInt. */
function summer(type: ColumnType): Summer {
  const toNumber = numberOf(type);
  let total = 0n;
  let part = 0;
  return {
    add(value) {
      if (value === null) return;
      const number = toNumber(value);
      if (typeof number === 'bigint') {
        total += number;
        return;
      }
      const next = part + number;
      if (Number.isSafeInteger(next)) part = next;
      else {
        total += BigInt(part);
        part = number;
      }
    },
    total: () => total + BigInt(part),
  };
}

/** First 4 bytes of md5, unsigned. */
const md5Prefix = (value: string | Uint8Array): number => hash('md5', value, 'buffer').readUInt32BE(0);

function numberOf(type: ColumnType): (value: Exclude<Value, null>) => number | bigint {
  switch (type.kind) {
    case 'uuid': {
      const text = Buffer.alloc(36);
      return (value) => {
        writeUuidText(value as Uint8Array, 0, text, 0);
        return md5Prefix(text);
      };
    }
    case 'text':
    case 'bytes':
      return (value) => md5Prefix(value as string | Uint8Array);
    case 'decimal':
      return (value) => unscaled(String(value), type.scale);
    case 'timestamp':
      return (value) => microseconds(String(value));
    case 'bigint':
      return (value) => (typeof value === 'bigint' ? value : Number(value));
    case 'boolean':
      return Number;
  }
}

/** Converts "-12.05" with scale 2 to −1205. */
function unscaled(text: string, scale: number): number | bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  const digits = `${whole}${fraction.padEnd(scale, '0')}`;
  return digits.length <= exactDigits ? Number(digits) : BigInt(digits);
}

/** Digits of a number, with its sign, that a double always holds. */
const exactDigits = 15;

/** Converts "2024-02-29-12.34.56.000789", with any separators, to µs since 1970. */
function microseconds(text: string): number {
  const at = (from: number, to: number) => Number(text.slice(from, to));
  const ms = Date.UTC(at(0, 4), at(5, 7) - 1, at(8, 10), at(11, 13), at(14, 16), at(17, 19));
  return ms * 1_000 + Number(text.slice(20, 26).padEnd(6, '0'));
}
