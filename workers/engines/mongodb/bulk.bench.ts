import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BSON } from 'mongodb';
import { mongodb } from '#managed-servers/servers/mongodb.ts';
import { givenOrTestServer } from '#managed-servers/test-server.fixture.ts';
import type { Options } from '#model/settings/options.ts';
import type { MethodName } from '#model/settings/vocabulary.ts';
import {
  batchesOf,
  compareInserts,
  findPeer,
  type InsertCase,
  openBench,
  timeInserts,
} from '../shared/peer-comparison.fixture.ts';
import { config, type MongoConfig } from './config.ts';
import { connect, uriOf } from './connection/connect.ts';
import { engine } from './engine.ts';
import { readOptions } from './options.ts';
import { documentMaker } from './values/documents.ts';

/**
 * (uuid as _id, 20 characters): our insertMany and bulk operations against `mongoimport` of the same documents with one
 * insertion worker, and against a loop of the bare driver; same server, same write concern, 1,000 documents a command,
 * interleaved. DYNO_TEST_MONGODB names a server; mongoimport is looked for on the PATH.
 */
const rows = Number(process.env.DYNO_BENCH_ROWS ?? 100_000);
const rounds = 3;
const rowsPerCall = 1_000;

const server = await givenOrTestServer(mongodb);
const target = config.parse(server.raw) as MongoConfig;
const columns = { id: { type: 'uuid4' }, name: { type: 'text', length: 20 } };
await using bench = await openBench(engine, target, { rows, key: 'id', columns }, server);
const { database, table, generator, folder } = bench;
const bare = await connect(target, { tag: 'dyno-bench', connections: 1, options: readOptions({}) });

const batches = batchesOf(generator, rows, rowsPerCall);
const documents = documentMaker(table, 'int64');

async function ours(method: MethodName, options: Options): Promise<number> {
  await using session = await database.openSession(options);
  return await timeInserts(session, { ...table, options }, method, batches, false);
}

/** The code that an application would have. */
async function plain(): Promise<number> {
  const collection = bare.client.db(target.database).collection(table.name);
  const parts = batches.map((batch) => documents(batch));
  const begin = performance.now();
  for (const part of parts) await collection.insertMany(part);
  return performance.now() - begin;
}

/**
 * ms of a whole run of mongoimport, less the ms of a run that only connects. Only this user can read the password's
 * file.
 */
function peer(program: string): number {
  const { user, password, authSource } = target;
  const secret = join(folder, 'config.yaml');
  writeFileSync(secret, `password: ${JSON.stringify(password ?? '')}\n`, { mode: 0o600 });
  const login = user === null ? [] : ['--username', user, '--authenticationDatabase', authSource ?? 'admin'];
  const into = ['--uri', uriOf(target), '--db', target.database, '--collection', table.name];
  const time = (file: string): number => {
    const args = ['--quiet', '--config', secret, ...into, ...login, '--type', 'json', '--numInsertionWorkers', '1'];
    const begin = performance.now();
    execFileSync(program, [...args, '--file', join(folder, file)]);
    return performance.now() - begin;
  };
  return time('all.json') - time('none.json');
}

const mongoimport = findPeer(['mongoimport'], 'MongoDB Database Tools');
const bareDriver: InsertCase = ['bare driver: insertMany in a loop', plain];
try {
  const lines = batches.flatMap((batch) => documents(batch).map((one) => `${BSON.EJSON.stringify(one)}\n`));
  writeFileSync(join(folder, 'all.json'), lines.join(''));
  writeFileSync(join(folder, 'none.json'), '');
  const { durability } = await database.fingerprint();
  await compareInserts({
    database,
    table,
    rows,
    rounds,
    of: `uuid as _id, 20 characters; write concern ${durability.writeConcern}`,
    peer: mongoimport ? ['mongoimport, one worker', () => peer(mongoimport)] : bareDriver,
    cases: [
      ...(mongoimport ? [bareDriver] : []),
      ['multiRow (insertMany)', () => ours('multiRow', {})],
      ['bulk', () => ours('bulk', {})],
      ['bulk, unordered', () => ours('bulk', { ordered: false })],
      ['bulk, bulkWrite of the client', () => ours('bulk', { bulkApi: 'client' })],
    ],
  });
} finally {
  await bare.client.close();
}
