import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'valibot';
import type { Batch } from '#contract/batch.ts';
import { tableColumns } from '#contract/columns.ts';
import { type Dataset, datasetSchema, type TablePlan } from '#contract/dataset.ts';
import { defaultSettings, type MethodName } from '#contract/settings.ts';
import { findProgram } from '../../host/lab/tools.ts';
import { createGenerator } from '../../runner/generator.ts';
import { loadSql } from './bulk.ts';
import { config, type MysqlConfig } from './config.ts';
import { engine } from './index.ts';
import { loadText } from './load-text.ts';
import { givenOrTestServer } from './test-server.fixture.ts';
import { storedTypes } from './values.ts';

/**
 * LOAD DATA LOCAL of (uuid, 20 characters) into a table without a key: our bulk operation over both drivers against the server's own client
 * (`mariadb --local-infile`) with the same statement and the same rows on the same server, interleaved; beside it the methods that
 * send many rows. DYNO_TEST_MYSQL names a server; without it a local one is started.
 */
const rows = Number(process.env.DYNO_BENCH_ROWS ?? 200_000);
const rounds = 5;

const dataset: Dataset = parse(datasetSchema, {
  rows,
  columns: { id: { type: 'uuid4' }, name: { type: 'text', length: 20 } },
});
const table: TablePlan = {
  name: `dyno_bench_${process.pid}`,
  columns: tableColumns(dataset),
  key: null,
  options: { uuid: 'binary' },
};
const generator = createGenerator(dataset);

const server = await givenOrTestServer();
const target = config.parse(server.raw) as MysqlConfig;
const database = await engine.open(target, 'dyno-bench', new AbortController().signal);
const client = findProgram(['mariadb', 'mysql']);
if (client === null)
  console.log(
    'SKIPPED: neither mariadb nor mysql is installed, so there is nothing to compare with (Debian: mariadb-client).',
  );
// In a folder of its own: the client reads the file by its path.
const folder = mkdtempSync(join(tmpdir(), 'dyno-bench-'));
const file = join(folder, 'rows');

/** ms for all rows in one transaction, sent by calls of so many rows, made and encoded before the clock. */
async function ours(driver: string, method: MethodName, rowsPerCall: number): Promise<number> {
  await using session = await database.openSession({ driver });
  const settings = { ...defaultSettings, method, rowsPerCall };
  const operation = await session.prepare({ table, operation: 'insert', method, settings });
  const calls = Array.from({ length: Math.ceil(rows / rowsPerCall) }, (_, i) => {
    const start = i * rowsPerCall;
    const batch: Batch = generator.fill(start, Math.min(rowsPerCall, rows - start), null);
    return operation.encode(batch);
  });
  const begin = performance.now();
  await session.begin();
  for (const call of calls) await operation.run(call);
  await session.commit();
  return performance.now() - begin;
}

/** ms as the client says it, so that starting it does not count. */
async function peer(): Promise<number> {
  const { host, port, user, password } = target;
  const child = spawn(
    client!,
    ['--no-defaults', '--local-infile=1', '-vvv', '-h', host, '-P', String(port), '-u', user],
    { env: { ...process.env, MYSQL_PWD: password ?? '' }, stdio: ['pipe', 'pipe', 'inherit'] },
  );
  child.stdin.end(`${loadSql(target.database, table).replace("'dyno'", `'${file}'`)};\n`);
  let output = '';
  for await (const chunk of child.stdout) output += String(chunk);
  const seconds = Number(/rows affected.*\(([\d.]+) sec\)/.exec(output)?.[1]);
  if (!(seconds > 0)) throw new Error(`${client} said: ${output}`);
  return seconds * 1_000;
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

const cases: readonly (readonly [string, () => Promise<number>])[] = [
  ...(client ? [['mariadb --local-infile', peer] as const] : []),
  ['bulk, mysql2, 25,000 a call', () => ours('mysql2', 'bulk', 25_000)],
  ['bulk, mariadb connector, 25,000', () => ours('mariadb', 'bulk', 25_000)],
  ['bulk, mysql2, all in one call', () => ours('mysql2', 'bulk', rows)],
  ['multiRow, mysql2, 1,000', () => ours('mysql2', 'multiRow', 1_000)],
  ['multiRow, mariadb connector, 1,000', () => ours('mariadb', 'multiRow', 1_000)],
  ['arrayBind, mariadb connector, 5,000', () => ours('mariadb', 'arrayBind', 5_000)],
];

try {
  writeFileSync(file, loadText(generator.fill(0, rows, null), storedTypes(table, table.columns)));
  const times = new Map<string, number[]>(cases.map(([name]) => [name, []]));
  const checksums = new Set<string>();
  for (let round = 0; round <= rounds; round++) {
    for (const [name, run] of cases) {
      await database.prepareSchema(table);
      const ms = await run();
      if (round > 0) times.get(name)!.push(ms);
      else checksums.add(JSON.stringify(await database.checksum(table)));
    }
  }
  if (checksums.size !== 1) throw new Error(`The cases stored different rows: ${[...checksums].join(' ')}`);
  const reference = client ? median(times.get('mariadb --local-infile')!) : null;
  console.log(
    `${(await database.fingerprint()).product}, ${rows.toLocaleString('en')} rows (uuid, 20 characters), no key; median of ${rounds}`,
  );
  for (const [name, values] of times) {
    const ms = median(values);
    const ratio = reference === null ? '' : `  ${(reference / ms).toFixed(2)} × mariadb --local-infile`;
    console.log(`${name.padEnd(36)} ${(rows / ms / 1_000).toFixed(2).padStart(6)} M rows/s${ratio}`);
  }
} finally {
  await database.drop(table);
  await database[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
