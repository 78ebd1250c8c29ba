import type { Database } from '#engine-api/database.ts';
import { findProgram } from '#managed-servers/install/tools.ts';
import type { Batch } from '#model/batch/batch.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import type { Generator } from '#runner/generator/generator.ts';

/**
 * Path of the first of these programs; null (and a visible word) where none is installed. `source`: what to install.
 */
export function findPeer(names: readonly string[], source: string): string | null {
  const found = findProgram(names);
  if (found === null)
    console.log(`SKIPPED: ${names.join(' or ')} is not installed, so there is nothing to compare with (${source}).`);
  return found;
}

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** All rows, `rowsPerCall` a batch. */
export const batchesOf = (generator: Generator, rows: number, rowsPerCall: number): Batch[] =>
  Array.from({ length: Math.ceil(rows / rowsPerCall) }, (_, i) =>
    generator.fill(i * rowsPerCall, Math.min(rowsPerCall, rows - i * rowsPerCall), null),
  );

/** A way to store all rows; answers in ms. */
export type InsertCase = readonly [name: string, run: () => Promise<number> | number];

interface Comparison {
  readonly database: Database;
  /** Made anew before every run. */
  readonly table: TablePlan;
  readonly rows: number;
  readonly rounds: number;
  /** What the rows and the table are, in words. */
  readonly of: string;
  /** Comes first, and the others are measured by it; null: there is none. */
  readonly peer: InsertCase | null;
  readonly cases: readonly InsertCase[];
}

/** Runs the cases interleaved and prints their medians. The first round checks that all store the same rows. */
export async function compareInserts(comparison: Comparison): Promise<void> {
  const { database, table, rows, rounds, peer } = comparison;
  const cases = peer === null ? comparison.cases : [peer, ...comparison.cases];
  const times = cases.map((): number[] => []);
  const checksums = new Set<string>();
  for (let round = 0; round <= rounds; round++) {
    for (const [index, [, run]] of cases.entries()) {
      await database.prepareSchema(table);
      const ms = await run();
      if (round > 0) times[index]!.push(ms);
      else checksums.add(JSON.stringify(await database.checksum(table)));
    }
  }
  if (checksums.size !== 1) throw new Error(`The cases stored different rows: ${[...checksums].join(' ')}`);
  const { product } = await database.fingerprint();
  console.log(`${product}, ${rows.toLocaleString('en')} rows (${comparison.of}); median of ${rounds}`);
  for (const [index, [name]] of cases.entries()) {
    const ms = median(times[index]!);
    const speed = Math.round((rows / ms) * 1_000).toLocaleString('en');
    const ratio = peer === null ? '' : `  ${(median(times[0]!) / ms).toFixed(2)} × ${peer[0]}`;
    console.log(`${name.padEnd(38)} ${speed.padStart(10)} rows/s${ratio}`);
  }
}
