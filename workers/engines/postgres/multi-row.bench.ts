import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { givenOrTestServer } from '#managed-servers/test-server.fixture.ts';
import { decodeColumn } from '#model/batch/decode.ts';
import { batchesOf, compareInserts, findPeer, openBench, timeInserts } from '../shared/peer-comparison.fixture.ts';
import { config, type PostgresConfig } from './config.ts';
import { engine } from './engine.ts';
import { peerEnvironment } from './peers.fixture.ts';

/**
 * 1,000 rows per INSERT: our multiRow operation (bound, parsed once) against psql with a script of such INSERTs, as
 * pg_dump --rows-per-insert writes them. Same rows, table and server, one transaction each, interleaved.
 * DYNO_TEST_POSTGRES names a server.
 */
const rows = 100_000;
const rowsPerCall = 1_000;
const rounds = 3;

const server = await givenOrTestServer();
const target = config.parse(server.raw) as PostgresConfig;
const columns = { id: { type: 'uuid4' }, name: { type: 'text', length: 20 } };
await using bench = await openBench(engine, target, { rows, columns }, server);
const { database, table, generator, folder } = bench;
const script = join(folder, 'insert.sql');
await using session = await database.openSession({});
const psql = findPeer(['psql'], 'Debian: postgresql-client');

const batches = batchesOf(generator, rows, rowsPerCall);
const inserts = batches.map((batch) => {
  const columns = batch.columns.map((column, c) => decodeColumn(column, table.columns[c]!.type, batch.rows));
  const values = Array.from({ length: batch.rows }, (_, row) => `('${columns[0]![row]}','${columns[1]![row]}')`);
  return `INSERT INTO dyno."${table.name}" VALUES ${values.join()};\n`;
});
writeFileSync(script, `\\set ON_ERROR_STOP on\nBEGIN;\n${inserts.join('')}COMMIT;\n`);

/** ms of a whole run of psql, less the ms of a run that only connects. */
function peer(program: string): number {
  const time = (args: readonly string[]): number => {
    const begin = performance.now();
    execFileSync(program, ['-X', '-q', ...args], { env: peerEnvironment(target) });
    return performance.now() - begin;
  };
  return time(['-f', script]) - time(['-c', 'SELECT']);
}

await compareInserts({
  database,
  table,
  rows,
  rounds,
  of: 'uuid, 20 characters, no key',
  peer: psql ? ['psql -f, INSERTs of 1,000 rows', () => peer(psql)] : null,
  cases: [['multiRow, 1,000 rows per call', () => timeInserts(session, table, 'multiRow', batches, true)]],
});
