import type { CommandStartedEvent, Document } from 'mongodb';
import { test as anyTest, describe, expect } from 'vitest';
import { findMongod } from '#managed-servers/install/tools.ts';
import { mongodb } from '#managed-servers/servers/mongodb.ts';
import type { TestServer as ManagedServer } from '#managed-servers/test-server.fixture.ts';
import { givenOrTestServer, givenUrl } from '#managed-servers/test-server.fixture.ts';
import { defaultSettings, type Settings } from '#model/settings/settings.ts';
import { type MethodName, type TableOperation, tableOperations } from '#model/settings/vocabulary.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { keyBatch, makeRows, table as rowsTable, toBatch, updateBatch } from '../../conformance/rows.ts';
import { isSkipped } from '../../conformance/skipped.ts';
import { config, type MongoConfig } from '../config.ts';
import { type Connected, connect } from '../connection/connect.ts';
import { descriptor } from '../descriptor.ts';
import { toError } from '../errors.ts';
import { type MongoOptions, readOptions } from '../options.ts';
import { createCollection } from '../schema/tables.ts';
import { prepareOperation } from './operations.ts';

/** Commands as they are sent, checked by the server's own parser, which is strict; there is no other. */
const unsupportedReasons = isSkipped('mongodb') || (findMongod() === null && givenUrl('mongodb') === undefined);
const test = anyTest.skipIf(unsupportedReasons);

let server: ManagedServer;
let control: Connected;
beforeTests(async (opened) => {
  server = opened.use(await givenOrTestServer(mongodb));
  control = await open({});
  opened.defer(() => control.client.close());
});

const open = (options: Partial<MongoOptions>) =>
  connect(config.parse({ ...server.raw, uriOptions: { monitorCommands: 'true' } }) as MongoConfig, {
    tag: 'dyno-commands',
    connections: 3,
    options: readOptions(options),
  });

const rows = makeRows(0, 20);

/** The commands of one call, in their order. */
async function sent(
  operation: TableOperation,
  method: MethodName,
  options: Partial<MongoOptions> = {},
  settings: Partial<Settings> = {},
  within: 'alone' | 'transaction' = 'alone',
): Promise<readonly Document[]> {
  const plan = { ...rowsTable(`dyno_commands_${process.pid}`), options };
  const connected = await open(options);
  const db = connected.client.db('dyno');
  const session = connected.client.startSession({ causalConsistency: false });
  try {
    await createCollection(db, session, plan);
    if (operation !== 'insert')
      await prepareOperation(connected, db, session, {
        table: plan,
        operation: 'insert',
        method: 'multiRow',
        settings: defaultSettings,
      }).run(toBatchAsDocuments());
    const prepared = prepareOperation(connected, db, session, {
      table: plan,
      operation,
      method,
      settings: { ...defaultSettings, ...settings },
    });
    const some = rows.slice(0, method === 'bind' ? 1 : 5);
    const batch = operation === 'insert' ? toBatch(some) : operation === 'update' ? updateBatch(some) : keyBatch(some);
    const call = prepared.encode(batch);
    const commands: Document[] = [];
    const note = ({ command }: CommandStartedEvent) => commands.push(command);
    connected.client.on('commandStarted', note);
    if (within === 'transaction') session.startTransaction();
    await prepared.run(call);
    if (within === 'transaction') await session.commitTransaction();
    connected.client.off('commandStarted', note);
    return commands;
  } finally {
    await connected.client.db('dyno').dropCollection(plan.name);
    await session.endSession();
    await connected.client.close();
  }
}

/** The input of insertMany: documents as they are made for it. */
function toBatchAsDocuments(): unknown {
  const { client } = control;
  const session = client.startSession();
  const table = rowsTable('any');
  return prepareOperation(control, client.db('dyno'), session, {
    table,
    operation: 'insert',
    method: 'multiRow',
    settings: defaultSettings,
  }).encode(toBatch(rows));
}

const scratch = `dyno_scratch_${process.pid}`;

/** The same command for another collection, without what the driver adds of its own for sessions and routing. */
function forScratch({ lsid, txnNumber, $clusterTime, $db, $readPreference, ...command }: Document): Document {
  return command.bulkWrite
    ? { ...command, nsInfo: [{ ns: `dyno.${scratch}` }] }
    : { ...command, [nameOf(command)]: scratch };
}

const nameOf = (command: Document): string => Object.keys(command)[0]!;

/**
 * Gives a command to the parser, which refuses what it does not know; apiStrict also refuses what is not of the stable
 * API.
 */
async function parse(command: Document): Promise<'accepted' | string> {
  const db = control.client.db(command.ops ? 'admin' : 'dyno');
  try {
    const { writeErrors, nErrors } = await db.command({ ...command, apiVersion: '1', apiStrict: true });
    return writeErrors || nErrors ? 'refused' : 'accepted';
  } catch (thrown) {
    return toError(thrown).kind;
  }
}

const cells = tableOperations.flatMap((operation) =>
  Object.keys(descriptor.support[operation] ?? {}).map((method) => ({ operation, method: method as MethodName })),
);
const variants: readonly Partial<MongoOptions>[] = [
  {},
  { read: 'aggregate', bulkApi: 'client', ordered: false, collection: 'clustered' },
];
const every = cells.flatMap((cell) => variants.map((options, variant) => ({ ...cell, options, variant })));

describe.each(every)('$operation by $method, variant $variant', ({ operation, method, options }) => {
  test('is one command, which the server’s parser accepts, and refuses with anything wrong in it', async () => {
    const commands = await sent(operation, method, options);
    expect(commands.map(nameOf)).toHaveLength(1);
    const command = forScratch(commands[0]!);
    expect(await parse(command)).toBe('accepted');
    for (const [mistake, wrong] of Object.entries(wrongOnes(command)))
      expect(await parse(wrong), mistake).not.toBe('accepted');
    await control.client.db('dyno').dropCollection(scratch);
  });
});

/** Copies of the command with one mistake each, by the mistake. */
function wrongOnes(command: Document): Record<string, Document> {
  const { filter, pipeline, updates, deletes, documents, ops } = command;
  const { [nameOf(command)]: _, ...nameless } = command;
  const { updates: _u, deletes: _d, documents: _o, ops: _p, cursor: _c, ...bodiless } = command;
  return {
    'a field that nobody knows': { ...command, orderly: true },
    'no name': nameless,
    ...(filter && {
      'an operator that there is not': { ...command, filter: { _id: { $gtee: 1 } } },
      'a number that is none': { ...command, limit: 'ten' },
    }),
    ...(!filter && { 'no body': bodiless }),
    ...(pipeline && { 'a stage that there is not': { ...command, pipeline: [...pipeline, { $mach: {} }] } }),
    ...(updates && {
      'an operator that there is not': { ...command, updates: [{ ...updates[0], u: { $sett: { x: 1 } } }] },
    }),
    ...(deletes && { 'a limit that there is not': { ...command, deletes: [{ ...deletes[0], limit: 7 }] } }),
    ...(documents && { 'no documents': { ...command, documents: 'none' } }),
    ...(ops && { 'a statement of two kinds': { ...command, ops: [{ ...ops[0], insert: 0, update: 0, delete: 0 }] } }),
  };
}

test('options are in the command: write concern, order, retries, read concern', async () => {
  const [journaled] = await sent('insert', 'bind', { writeConcern: 'journaled' });
  expect(journaled).toMatchObject({ writeConcern: { w: 1, j: true } });
  const [majority] = await sent('insert', 'multiRow', { writeConcern: 'majority', ordered: false, retryWrites: 'off' });
  expect(majority).toMatchObject({ writeConcern: { w: 'majority' }, ordered: false });
  expect(majority).not.toHaveProperty('txnNumber');
  const [plain] = await sent('insert', 'bulk');
  expect(plain).not.toHaveProperty('writeConcern');
  expect(plain).toMatchObject({ ordered: true, txnNumber: expect.anything() });
  const [read] = await sent('readByKey', 'bind', { readConcern: 'majority' });
  expect(read).toMatchObject({ readConcern: { level: 'majority' } });
});

test('a range that fits into one fetch is one round trip; one that does not is as many as it takes', async () => {
  const names = async (settings: Partial<Settings>, options: Partial<MongoOptions> = {}) =>
    (await sent('readRange', 'bind', options, settings)).map(nameOf);
  expect(await names({ rangeRows: 10, fetchSize: 1_000 })).toEqual(['find']);
  expect(await names({ rangeRows: 10, fetchSize: 10 })).toEqual(['find']);
  expect(await names({ rangeRows: 10, fetchSize: 10 }, { read: 'aggregate' })).toEqual(['aggregate']);
  expect(await names({ rangeRows: 10, fetchSize: 4 })).toEqual(['find', 'getMore', 'getMore']);
});

test('calls of a transaction are of it, and a commit is one more command', async () => {
  const commands = await sent('insert', 'bulk', {}, {}, 'transaction');
  expect(commands[0]).toMatchObject({ startTransaction: true, autocommit: false });
  expect(commands[1]).toMatchObject({ commitTransaction: 1 });
  expect(commands).toHaveLength(2);
});
