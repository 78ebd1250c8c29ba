import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'valibot';
import { tableColumns } from '#model/dataset/columns.ts';
import { type Dataset, datasetSchema, type TablePlan } from '#model/dataset/dataset.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import type { MethodName } from '#model/settings/vocabulary.ts';
import { createGenerator } from '#runner/generator/generator.ts';
import { batchesOf, compareInserts, findPeer } from '../shared/peer-comparison.fixture.ts';
import { config, type MysqlConfig } from './config.ts';
import { engine } from './engine.ts';
import { loadSql } from './statements/bulk.ts';
import { givenOrTestServer } from './test-server.fixture.ts';
import { loadText } from './values/load-text.ts';
import { storedTypes } from './values/values.ts';

/**
 * LOAD DATA LOCAL of (uuid, 20 characters) into a table without a key: our bulk operation over both drivers against the
 * server's own client (`mariadb --local-infile`) with the same statement and the same rows on the same server,
 * interleaved; beside it the methods that send many rows. DYNO_TEST_MYSQL names a server; without it a local one is
 * started.
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
const client = findPeer(['mariadb', 'mysql'], 'Debian: mariadb-client');
// In a folder of its own: the client reads the file by its path.
const folder = mkdtempSync(join(tmpdir(), 'dyno-bench-'));
const file = join(folder, 'rows');

/** ms for all rows in one transaction, sent by calls of so many rows, made and encoded before the clock. */
async function ours(driver: string, method: MethodName, rowsPerCall: number): Promise<number> {
  await using session = await database.openSession({ driver });
  const settings = { ...defaultSettings, method, rowsPerCall };
  const operation = await session.prepare({ table, operation: 'insert', method, settings });
  const calls = batchesOf(generator, rows, rowsPerCall).map((batch) => operation.encode(batch));
  const begin = performance.now();
  await session.begin();
  for (const call of calls) await operation.run(call);
  await session.commit();
  return performance.now() - begin;
}

/** ms as the client says it, so that starting it does not count. */
async function peer(program: string): Promise<number> {
  const { host, port, user, password } = target;
  const child = spawn(
    program,
    ['--no-defaults', '--local-infile=1', '-vvv', '-h', host, '-P', String(port), '-u', user],
    { env: { ...process.env, MYSQL_PWD: password ?? '' }, stdio: ['pipe', 'pipe', 'inherit'] },
  );
  child.stdin.end(`${loadSql(target.database, table).replace("'dyno'", `'${file}'`)};\n`);
  let output = '';
  for await (const chunk of child.stdout) output += String(chunk);
  const seconds = Number(/rows affected.*\(([\d.]+) sec\)/.exec(output)?.[1]);
  if (!(seconds > 0)) throw new Error(`${program} said: ${output}`);
  return seconds * 1_000;
}

try {
  writeFileSync(file, loadText(generator.fill(0, rows, null), storedTypes(table, table.columns)));
  await compareInserts({
    database,
    table,
    rows,
    rounds,
    of: 'uuid, 20 characters, no key',
    peer: client ? ['mariadb --local-infile', () => peer(client)] : null,
    cases: [
      ['bulk, mysql2, 25,000 a call', () => ours('mysql2', 'bulk', 25_000)],
      ['bulk, mariadb connector, 25,000', () => ours('mariadb', 'bulk', 25_000)],
      ['bulk, mysql2, all in one call', () => ours('mysql2', 'bulk', rows)],
      ['multiRow, mysql2, 1,000', () => ours('mysql2', 'multiRow', 1_000)],
      ['multiRow, mariadb connector, 1,000', () => ours('mariadb', 'multiRow', 1_000)],
      ['arrayBind, mariadb connector, 5,000', () => ours('mariadb', 'arrayBind', 5_000)],
    ],
  });
} finally {
  await database.drop(table);
  await database[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
