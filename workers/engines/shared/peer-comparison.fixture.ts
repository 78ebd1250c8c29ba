import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'valibot';
import type { EngineConfig } from '#engine-api/config.ts';
import type { Database } from '#engine-api/database.ts';
import type { Engine } from '#engine-api/engine.ts';
import type { Session } from '#engine-api/session.ts';
import { findProgram } from '#managed-servers/install/tools.ts';
import type { Batch } from '#model/batch/batch.ts';
import { tableColumns } from '#model/dataset/columns.ts';
import { datasetSchema, type TablePlan } from '#model/dataset/dataset.ts';
import type { Options } from '#model/settings/options.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import type { MethodName } from '#model/settings/vocabulary.ts';
import { createGenerator, type Generator } from '#runner/generator/generator.ts';
import { report } from './bench-report.fixture.ts';

/**
 * Path of the first of these programs; null (and a visible word) where none is installed. `source`: what to install.
 */
export function findPeer(names: readonly string[], source: string): string | null {
  const found = findProgram(names);
  const row = names.join(' or ');
  if (found === null) console.log(`SKIPPED: ${row} is not installed, so there is nothing to compare with (${source}).`);
  report({ table: 'peers', row, source, isHere: found !== null });
  return found;
}

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** A benchmark's table, with its database connection and a folder, which are removed with the table. */
interface Bench extends AsyncDisposable {
  readonly database: Database;
  readonly table: TablePlan;
  readonly generator: Generator;
  readonly folder: string;
}

/** Opens a benchmark's table; where `given` has a `key`, it is the first column. `server`: closed with the rest. */
export async function openBench(
  engine: Engine,
  target: EngineConfig,
  given: { readonly rows: number; readonly key?: string; readonly columns: object; readonly options?: Options },
  server?: AsyncDisposable,
): Promise<Bench> {
  const { options = {}, ...described } = given;
  const dataset = parse(datasetSchema, described);
  const key = described.key === undefined ? null : 0;
  const table = { name: `dyno_bench_${process.pid}`, columns: tableColumns(dataset), key, options };
  const folder = mkdtempSync(join(tmpdir(), 'dyno-bench-'));
  const database = await engine.open(target, 'dyno-bench', new AbortController().signal);
  return {
    ...{ database, table, folder },
    generator: createGenerator(dataset),
    async [Symbol.asyncDispose]() {
      await database.drop(table);
      await database[Symbol.asyncDispose]();
      await server?.[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** ms for all rows, which are encoded before the clock. `inTransaction`: one for all calls. */
export async function timeInserts(
  session: Session,
  table: TablePlan,
  method: MethodName,
  batches: readonly Batch[],
  inTransaction: boolean,
): Promise<number> {
  const settings = { ...defaultSettings, method, rowsPerCall: batches[0]!.rows };
  const insert = await session.prepare({ table, operation: 'insert', method, settings });
  const calls = batches.map((batch) => insert.encode(batch));
  const begin = performance.now();
  if (inTransaction) await session.begin();
  for (const call of calls) await insert.run(call);
  if (inTransaction) await session.commit();
  return performance.now() - begin;
}

/** All rows, in batches of `rowsPerCall`. */
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
  /** The name of the rows and the table, in words. */
  readonly of: string;
  /** The first case, with which the other cases are compared; null: there is none. */
  readonly peer: InsertCase | null;
  readonly cases: readonly InsertCase[];
}

/** Runs the cases interleaved and prints their medians. The first round checks that all store the same rows. */
export async function compareInserts(comparison: Comparison): Promise<void> {
  const { database, table, rows, rounds, peer, of } = comparison;
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
  console.log(`${product}, ${rows.toLocaleString('en')} rows (${of}); median of ${rounds}`);
  for (const [index, [name]] of cases.entries()) {
    const ms = median(times[index]!);
    const perSecond = (rows / ms) * 1_000;
    const speed = Math.round(perSecond).toLocaleString('en');
    const ratio = peer === null ? null : median(times[0]!) / ms;
    console.log(
      `${name.padEnd(38)} ${speed.padStart(10)} rows/s${ratio === null ? '' : `  ${ratio.toFixed(2)} × ${peer![0]}`}`,
    );
    report({
      table: 'inserts',
      of: `${product}, ${rows.toLocaleString('en')} rows (${of})`,
      row: name,
      perSecond,
      ratio,
    });
  }
}
