import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Value } from '#model/batch/decode.ts';
import type { Column } from '#model/dataset/dataset.ts';
import type { StartTestServer } from '../test-server.ts';

/** The values of a row, the key first. */
export type Row = readonly Value[];

/** The error of a key that is there already, as the driver throws it. */
export class DuplicateKey extends Error {
  readonly code = 'DUPLICATE_KEY';
}

/**
 * The server of the toy engine and its driver in one: tables in memory, whose first column is the key. It stands for a
 * database and an npm package, which the author of an engine finds ready.
 */
export class ToyServer {
  readonly version = '1.0';
  /** The number of calls since the start. */
  calls = 0;
  readonly #tables = new Map<string, { readonly columns: readonly Column[]; readonly rows: Map<Value, Row> }>();

  /** The names of tables that begin so, sorted. */
  names(prefix: string): string[] {
    return [...this.#tables.keys()].filter((name) => name.startsWith(prefix)).toSorted();
  }

  create(name: string, columns: readonly Column[]): void {
    this.#tables.set(name, { columns, rows: new Map() });
  }

  drop(name: string): boolean {
    return this.#tables.delete(name);
  }

  add(a: number, b: number): number {
    return a + b;
  }

  /** Executes a command; returns the number of rows that it found or changed. */
  execute(command: string, name: string, row: Row): number {
    this.calls++;
    const [key] = row;
    const { rows } = this.#tables.get(name)!;
    if (command === 'readByKey') return Number(rows.has(key!));
    if (command === 'delete') return Number(rows.delete(key!));
    if (rows.has(key!)) throw new DuplicateKey(`The key ${key} is there already.`);
    rows.set(key!, row);
    return 1;
  }

  async insertAll(name: string, rows: readonly Row[]): Promise<number> {
    await setImmediate();
    return rows.reduce((sum, row) => sum + this.execute('insert', name, row), 0);
  }

  bytes(name: string): number {
    return JSON.stringify([...this.#tables.get(name)!.rows.values()]).length;
  }

  /** The number of rows, and for each column the sum that TableChecksum describes. */
  checksum(name: string): { readonly rows: number; readonly columns: readonly string[] } {
    const { columns, rows } = this.#tables.get(name)!;
    const sum = ({ type }: Column, c: number) =>
      [...rows.values()].reduce((total, row) => total + (row[c] === null ? 0n : summand(row[c]!, type)), 0n);
    return { rows: rows.size, columns: columns.map((column, c) => String(sum(column, c))) };
  }
}

function summand(value: NonNullable<Value>, { kind }: Column['type']): bigint {
  if (kind === 'decimal') return BigInt(String(value).replace('.', ''));
  if (kind === 'timestamp') {
    const [seconds, micros] = String(value).slice(0, -1).split('.');
    return BigInt(Date.parse(`${seconds}Z`)) * 1_000n + BigInt(micros!);
  }
  const isHashed = typeof value === 'string' || value instanceof Uint8Array;
  return BigInt(isHashed ? hash('md5', value, 'buffer').readUInt32BE() : value);
}

export const startTestServer: StartTestServer = async () => ({
  raw: {},
  values: [],
  slow: { raw: {}, method: 'prepared', rows: 1 },
  foreign: null,
  [Symbol.asyncDispose]: async () => {},
});
