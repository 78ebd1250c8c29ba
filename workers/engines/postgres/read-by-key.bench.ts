import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Operation } from '#engine-api/operation.ts';
import type { Session } from '#engine-api/session.ts';
import { givenOrTestServer } from '#managed-servers/test-server.fixture.ts';
import type { Batch } from '#model/batch/batch.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import { findPeer, median, openBench } from '../shared/peer-comparison.fixture.ts';
import { config, type PostgresConfig } from './config.ts';
import { engine } from './engine.ts';
import { peerEnvironment } from './peers.ts';

/**
 * Reads by key over eight connections: our prepared operation in one process against `pgbench -M prepared` with one
 * thread, and against a bare loop over the driver, which is what there is to reach in this runtime; on the same table
 * and server, interleaved. All choose uniformly among the same keys. DYNO_TEST_POSTGRES names a server.
 */
const rows = 100_000;
const connections = 8;
const seconds = 3;
const rounds = 3;

const server = await givenOrTestServer();
const target = config.parse(server.raw) as PostgresConfig;
const columns = { id: { type: 'sequence' }, payload: { type: 'text', length: 20 } };
await using bench = await openBench(engine, target, { rows, key: 'id', columns }, server);
const { database, table, generator, folder } = bench;
const pgbench = findPeer(['pgbench'], 'Debian: postgresql-client');

const generated = generator.fill(0, rows, null);
const ids = generated.columns[0]!;
if (ids.kind !== 'number') throw new Error(`The keys are ${ids.kind}, not numbers.`);
const randomKey = (): Batch => {
  const key = ids.values[Math.floor(Math.random() * rows)]!;
  return { rows: 1, columns: [{ kind: 'number', values: Float64Array.of(key), nulls: null }], laidOut: null };
};

/** Reads a second over all connections. */
async function ours(operations: readonly Operation[]): Promise<number> {
  const begin = performance.now();
  const end = begin + seconds * 1_000;
  let reads = 0;
  await Promise.all(
    operations.map(async (operation) => {
      while (performance.now() < end) {
        const found = await operation.run(operation.encode(randomKey()));
        if (found !== 1) throw new Error(`A key found ${found} rows.`);
        reads++;
      }
    }),
  );
  return reads / ((performance.now() - begin) / 1_000);
}

/** The driver by itself, with nothing of ours around it. */
async function bare(clients: readonly pg.Client[]): Promise<number> {
  const begin = performance.now();
  const end = begin + seconds * 1_000;
  const text = `SELECT id, payload FROM dyno."${table.name}" WHERE id = $1`;
  let reads = 0;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < end) {
        const values = [ids.kind === 'number' ? ids.values[Math.floor(Math.random() * rows)] : null];
        await client.query({ name: 'bare', text, values, rowMode: 'array' });
        reads++;
      }
    }),
  );
  return reads / ((performance.now() - begin) / 1_000);
}

/** As pgbench says it, without the time to connect. */
function peer(program: string): number {
  const first = ids.kind === 'number' ? ids.values[0]! : 0;
  writeFileSync(
    join(folder, 'read.sql'),
    `\\set id random(${first}, ${first + rows - 1})\nSELECT id, payload FROM dyno."${table.name}" WHERE id = :id;\n`,
  );
  const args = ['-n', '-M', 'prepared', '-c', String(connections), '-j', '1', '-T', String(seconds)];
  const output = execFileSync(program, [...args, '-f', join(folder, 'read.sql')], {
    env: peerEnvironment(target),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const perSecond = Number(/^tps = ([\d.]+)/m.exec(output)?.[1]);
  if (!(perSecond > 0)) throw new Error(`pgbench said: ${output}`);
  return perSecond;
}

const sessions: Session[] = [];
const clients: pg.Client[] = [];
try {
  await database.prepareSchema(table);
  await database.load(table, [generated], () => {}, new AbortController().signal);
  await database.settle(table);
  const operations: Operation[] = [];
  for (let i = 0; i < connections; i++) {
    const session = await database.openSession({});
    sessions.push(session);
    const { host, port, user, password, database: name } = target;
    const client = new pg.Client({ host, port, user, database: name, password: password ?? undefined });
    await client.connect();
    clients.push(client);
    const plan = { table, operation: 'readByKey', method: 'prepared', settings: defaultSettings } as const;
    operations.push(await session.prepare(plan));
  }
  const [mine, driver, theirs]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round <= rounds; round++) {
    const own = await ours(operations);
    const alone = await bare(clients);
    const other = pgbench ? peer(pgbench) : null;
    if (round === 0) continue; // warm-up of both
    mine.push(own);
    driver.push(alone);
    if (other !== null) theirs.push(other);
  }
  console.log(
    `${(await database.fingerprint()).product}, ${connections} connections, ${rows.toLocaleString('en')} rows; median of ${rounds}`,
  );
  const line = (name: string, perSecond: number, note = '') =>
    console.log(`${name.padEnd(30)} ${(perSecond / 1_000).toFixed(1).padStart(7)} k reads/s${note}`);
  const ratio = (perSecond: number) => (pgbench ? `  ${(perSecond / median(theirs)).toFixed(2)} × pgbench` : '');
  if (pgbench) line('pgbench -M prepared', median(theirs), '  1.00 × pgbench');
  line('bare loop over pg', median(driver), ratio(median(driver)));
  line(
    'readByKey prepared',
    median(mine),
    `${ratio(median(mine))}  ${(median(mine) / median(driver)).toFixed(2)} × the bare driver`,
  );
} finally {
  for (const client of clients) await client.end();
  for (const session of sessions) await session[Symbol.asyncDispose]();
}
