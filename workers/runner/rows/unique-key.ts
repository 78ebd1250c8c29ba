import { createHash } from 'node:crypto';
import type { ColumnVector } from '#model/batch/batch.ts';
import { DynoError } from '#model/error.ts';
import { formatCount } from '#model/format/format.ts';
import { openStoredRows } from './stored-rows.ts';

/** Hashes that are sorted at once: 64 MB. Longer columns are read several times, each time for a part of the hashes. */
const mostHashes = 8_000_000;
const rowsPerRead = 8_192;

/**
 * Throws 'uniqueViolation' with the rows if two stored rows have the same key. Compares hashes of 48 bits, and the
 * values of rows with the same hash. If the collation of a server treats different texts as equal, the server itself
 * reports them.
 */
export function requireUnique(path: string, column: string, rows: number, file: string, signal: AbortSignal): void {
  const stored = openStoredRows(path);
  const passes = Math.ceil(rows / mostHashes);
  for (let pass = 0; pass < passes; pass++) {
    let hashes = new Float64Array(Math.min(rows, mostHashes));
    let count = 0;
    eachKey((hash) => {
      if (passes > 1 && passOf(hash, passes) !== pass) return;
      if (count === hashes.length) hashes = wider(hashes);
      hashes[count++] = hash;
    });
    const sorted = hashes.subarray(0, count).sort();
    const twice = new Set<number>();
    for (let i = 1; i < count; i++) if (sorted[i] === sorted[i - 1]) twice.add(sorted[i]!);
    if (twice.size === 0) continue;
    const seen = new Map<string, number>();
    eachKey((hash, row, text) => {
      if (!twice.has(hash)) return;
      const key = text();
      const first = seen.get(key);
      if (first !== undefined)
        throw new DynoError(
          'uniqueViolation',
          `${file}: the rows ${formatCount(first + 1)} and ${formatCount(row + 1)} have the same key “${key.slice(0, 60)}” (column “${column}”).`,
          { hint: 'Choose another key, or add a column of type sequence as the key.' },
        );
      seen.set(key, row);
    });
  }

  function eachKey(work: (hash: number, row: number, text: () => string) => void): void {
    for (let start = 0; start < rows; start += rowsPerRead) {
      signal.throwIfAborted();
      const count = Math.min(rowsPerRead, rows - start);
      const vector = stored.read(column, start, count);
      for (let r = 0; r < count; r++) {
        const text = () => keyText(vector, r);
        work(vector.kind === 'number' ? Math.abs(vector.values[r]!) : hashOf(text()), start + r, text);
      }
    }
  }
}

/** The pass that compares a hash: its part of the golden ratio spreads numbers with a common divisor, too. */
const passOf = (hash: number, passes: number): number => Math.floor(((hash * 0.618_033_988_749_895) % 1) * passes);

const wider = (hashes: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> => {
  const made = new Float64Array(hashes.length * 2);
  made.set(hashes);
  return made;
};

/** Numbers are their own hashes, even if their block stores them as texts because of a longer number. */
function hashOf(text: string): number {
  const number = Math.abs(Number(text));
  return Number.isSafeInteger(number) && /^-?\d+$/.test(text)
    ? number
    : createHash('md5').update(text).digest().readUIntBE(0, 6);
}

function keyText(vector: ColumnVector, row: number): string {
  switch (vector.kind) {
    case 'number':
      return String(vector.values[row]);
    case 'fixed': {
      const { bytes, offset, stride, width } = vector;
      return Buffer.from(bytes.subarray(offset + row * stride, offset + row * stride + width)).toString('hex');
    }
    case 'variable':
      return Buffer.from(vector.bytes.subarray(vector.offsets[row], vector.offsets[row + 1])).toString('utf8');
  }
}
