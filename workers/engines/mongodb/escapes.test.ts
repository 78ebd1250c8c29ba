import { test as anyTest, expect } from 'vitest';
import { mongodb } from '#managed-servers/servers/mongodb.ts';
import { startTestServer, type TestServer } from '#managed-servers/test-server.fixture.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { whole } from '#platform/whole.fixture.ts';
import { type Escapist, escapist } from '../conformance/escapes.fixture.ts';
import { isSkipped } from '../conformance/skipped.ts';
import { config, type MongoConfig } from './config.ts';
import { connect } from './connection/connect.ts';
import { engine } from './engine.ts';
import { readOptions } from './options.ts';

/** The tests of the engine on its server (integration/on-servers) have a smoke test of these. */
const test = anyTest.skipIf(isSkipped('mongodb') || !whole);
let server: TestServer;
let trial: Escapist;

beforeTests(async (opened) => {
  server = opened.use(await startTestServer(mongodb));
  const { client } = await connect(config.parse(server.admin) as MongoConfig, {
    ...{ tag: 'test-admin', connections: 1, options: readOptions({}) },
  });
  for (const name of ['dyno', 'others']) await client.db(name).collection('mine').insertOne({ x: 1 });
  await client.close();
  trial = opened.use(await escapist(engine, config, server.raw));
});

const pipeline = (...stages: readonly object[]) => ({ aggregate: 'mine', cursor: {}, pipeline: stages });
const script = { args: [], body: 'function() { return 1; }', lang: 'js' };
const escapes: readonly (readonly [what: string, command: object])[] = [
  ['writes into another database', pipeline({ $out: { db: 'others', coll: 'mine' } })],
  ['merges into another database', pipeline({ $merge: { into: { db: 'others', coll: 'mine' } } })],
  ['renames into another database', { renameCollection: 'dyno.mine', to: 'others.yours' }],
  ['makes a user', { createUser: 'other', pwd: 'other', roles: [] }],
  ['gives itself rights', { grantRolesToUser: 'dyno', roles: [{ role: 'root', db: 'admin' }] }],
  ['makes a role', { createRole: 'other', privileges: [], roles: [] }],
  ['stops the server', { shutdown: 1, force: true }],
  ['changes the server', { setParameter: 1, logLevel: 1 }],
  ['rotates the log', { logRotate: 1 }],
  ['changes the replica set', { replSetStepDown: 1 }],
  ['counts everybody’s commands', { profile: 2, slowms: 0 }],
];
const scripts: readonly (readonly [what: string, command: object])[] = [
  ['$where', { find: 'mine', filter: { $where: 'sleep(1) || true' } }],
  ['$function', pipeline({ $project: { y: { $function: script } } })],
  [
    '$accumulator',
    pipeline({
      $group: {
        _id: null,
        y: {
          $accumulator: {
            ...{ init: 'function() { return 0; }', accumulate: 'function(s) { return s; }', accumulateArgs: [] },
            ...{ merge: 'function(a, b) { return a; }', lang: 'js' },
          },
        },
      },
    }),
  ],
  [
    'mapReduce',
    { mapReduce: 'mine', map: 'function() { emit(1, 1); }', reduce: 'function() { return 1; }', out: { inline: 1 } },
  ],
];

test.each(escapes)('a command that %s is refused', async (_, command) => {
  expect(await trial.attempt(JSON.stringify(command), 'bind')).toMatchObject({ kind: 'permission' });
});

test.each(scripts)('no JavaScript runs on the server: %s', async (_, command) => {
  const error = await trial.attempt(JSON.stringify(command), 'bind');
  expect(error?.message).toMatch(/scripting|JavaScript|globalScriptEngine/i);
});

test.each(['others', 'admin'])('nothing of the database %s is read', async (db) => {
  const lookup = pipeline({ $lookup: { from: { db, coll: 'system.users' }, pipeline: [], as: 'found' } });
  expect(await trial.attempt(JSON.stringify(lookup), 'bind')).not.toBeNull();
});

test('commands of Dyno’s own database go on to work', async () => {
  expect(await trial.attempt(JSON.stringify(pipeline({ $match: { x: 1 } })), 'bind')).toBeNull();
  expect(await trial.attempt('{ "insert": "mine", "documents": [{ "x": 2 }] }', 'bind')).toBeNull();
});
