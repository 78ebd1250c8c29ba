import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mariadb } from '#managed-servers/servers/mariadb.ts';
import { givenOrTestServer } from '#managed-servers/test-server.fixture.ts';
import type { MethodName } from '#model/settings/vocabulary.ts';
import { batchesOf, compareInserts, findPeer, openBench, timeInserts } from '../shared/peer-comparison.fixture.ts';
import { config, type MysqlConfig, ownDatabase } from './config.ts';
import { engine } from './engine.ts';
import { loadSql } from './statements/bulk.ts';
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

const server = await givenOrTestServer(mariadb);
const target = config.parse(server.raw) as MysqlConfig;
const columns = { id: { type: 'uuid4' }, name: { type: 'text', length: 20 } };
await using bench = await openBench(engine, target, { rows, columns, options: { uuid: 'binary' } }, server);
const { database, table, generator, folder } = bench;
const client = findPeer(['mariadb', 'mysql'], 'Debian: mariadb-client');
const file = join(folder, 'rows');

/** ms for all rows in one transaction, sent by calls of so many rows. */
async function ours(driver: string, method: MethodName, rowsPerCall: number): Promise<number> {
  await using session = await database.openSession({ driver });
  return await timeInserts(session, table, method, batchesOf(generator, rows, rowsPerCall), true);
}

/** ms as the client says it, so that starting it does not count. */
async function peer(program: string): Promise<number> {
  const { host, port, user, password } = target;
  const child = spawn(
    program,
    ['--no-defaults', '--local-infile=1', '-vvv', '-h', host, '-P', String(port), '-u', user],
    { env: { ...process.env, MYSQL_PWD: password ?? '' }, stdio: ['pipe', 'pipe', 'inherit'] },
  );
  child.stdin.end(`${loadSql(ownDatabase(target), table).replace("'dyno'", `'${file}'`)};\n`);
  let output = '';
  for await (const chunk of child.stdout) output += String(chunk);
  const seconds = Number(/rows affected.*\(([\d.]+) sec\)/.exec(output)?.[1]);
  if (!(seconds > 0)) throw new Error(`${program} said: ${output}`);
  return seconds * 1_000;
}

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
