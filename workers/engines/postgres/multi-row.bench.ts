import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'valibot';
import { givenOrTestServer } from '#managed-servers/test-server.fixture.ts';
import { decodeColumn } from '#model/batch/decode.ts';
import { tableColumns } from '#model/dataset/columns.ts';
import { datasetSchema, type TablePlan } from '#model/dataset/dataset.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import { createGenerator } from '#runner/generator/generator.ts';
import { batchesOf, compareInserts, findPeer } from '../shared/peer-comparison.fixture.ts';
import { config, type PostgresConfig } from './config.ts';
import { engine } from './engine.ts';
import { peerEnvironment } from './peers.ts';

/**
 * 1,000 rows per INSERT: our multiRow operation (bound, parsed once) against psql with a script of such INSERTs, as
 * pg_dump
 * --rows-per-insert writes them. Same rows, table and server, one transaction each, interleaved. DYNO_TEST_POSTGRES
 * names a server.
 */
const rows = 100_000;
const rowsPerCall = 1_000;
const rounds = 3;

const dataset = parse(datasetSchema, {
  rows,
  columns: { id: { type: 'uuid4' }, name: { type: 'text', length: 20 } },
});
const table: TablePlan = { name: `dyno_bench_${process.pid}`, columns: tableColumns(dataset), key: null, options: {} };

const folder = mkdtempSync(join(tmpdir(), 'dyno-bench-'));
const script = join(folder, 'insert.sql');
const server = await givenOrTestServer();
const target = config.parse(server.raw) as PostgresConfig;
const database = await engine.open(target, 'dyno-bench', new AbortController().signal);
const session = await database.openSession({});
const psql = findPeer(['psql'], 'Debian: postgresql-client');

const batches = batchesOf(createGenerator(dataset), rows, rowsPerCall);
const inserts = batches.map((batch) => {
  const columns = batch.columns.map((column, c) => decodeColumn(column, table.columns[c]!.type, batch.rows));
  const values = Array.from({ length: batch.rows }, (_, row) => `('${columns[0]![row]}','${columns[1]![row]}')`);
  return `INSERT INTO dyno."${table.name}" VALUES ${values.join()};\n`;
});
writeFileSync(script, `\\set ON_ERROR_STOP on\nBEGIN;\n${inserts.join('')}COMMIT;\n`);

/** ms for all rows; rows are made and encoded before the clock. */
async function ours(): Promise<number> {
  const settings = { ...defaultSettings, method: 'multiRow', rowsPerCall } as const;
  const insert = await session.prepare({ table, operation: 'insert', method: 'multiRow', settings });
  const calls = batches.map((batch) => insert.encode(batch));
  const begin = performance.now();
  await session.begin();
  for (const call of calls) await insert.run(call);
  await session.commit();
  return performance.now() - begin;
}

/** ms of a whole psql, less those of one that only connects. */
function peer(program: string): number {
  const time = (args: readonly string[]): number => {
    const begin = performance.now();
    execFileSync(program, ['-X', '-q', ...args], { env: peerEnvironment(target) });
    return performance.now() - begin;
  };
  return time(['-f', script]) - time(['-c', 'SELECT']);
}

try {
  await compareInserts({
    database,
    table,
    rows,
    rounds,
    of: 'uuid, 20 characters, no key',
    peer: psql ? ['psql -f, INSERTs of 1,000 rows', () => peer(psql)] : null,
    cases: [['multiRow, 1,000 rows per call', ours]],
  });
} finally {
  await database.drop(table);
  await session[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
