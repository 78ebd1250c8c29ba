import { DocumentStore, type IMetadataDictionary } from 'ravendb';
import { parse } from 'valibot';
import { ravendb } from '#managed-servers/servers/ravendb/ravendb.ts';
import { givenOrTestServer } from '#managed-servers/test-server.fixture.ts';
import { tableColumns } from '#model/dataset/columns.ts';
import { type Dataset, datasetSchema, type TablePlan } from '#model/dataset/dataset.ts';
import type { Options } from '#model/settings/options.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import type { MethodName } from '#model/settings/vocabulary.ts';
import { createGenerator } from '#runner/generator/generator.ts';
import { batchesOf, compareInserts } from '../shared/peer-comparison.fixture.ts';
import { config, type RavenConfig } from './config.ts';
import { tlsOptions } from './connection/tls.ts';
import { engine } from './engine.ts';
import { rowMaker } from './values/documents.ts';

/**
 * (uuid in the id, 20 characters): our ways of storing documents against loops of the bare driver; same server, 1,000
 * documents a call and one, interleaved. There is no loader of RavenDB's own that reads rows. DYNO_TEST_RAVENDB names a
 * server that is not secured.
 */
const rows = Number(process.env.DYNO_BENCH_ROWS ?? 20_000);
const rounds = 3;
const rowsPerCall = 1_000;

const dataset: Dataset = parse(datasetSchema, {
  rows,
  key: 'id',
  columns: { id: { type: 'uuid4' }, name: { type: 'text', length: 20 } },
});
const table: TablePlan = { name: `dyno_bench_${process.pid}`, columns: tableColumns(dataset), key: 0, options: {} };

const server = await givenOrTestServer(ravendb);
const target = config.parse(server.raw) as RavenConfig;
const database = await engine.open(target, 'dyno-bench', new AbortController().signal);
const tls = tlsOptions(target);
const bare = tls
  ? new DocumentStore(target.url, target.database, {
      type: 'pfx',
      certificate: tls.pfx as Buffer,
      password: target.certificatePassword ?? '',
      ca: String(tls.ca),
    })
  : new DocumentStore(target.url, target.database);
bare.conventions.identityProperty = '@id';
bare.conventions.findCollectionNameForObjectLiteral = () => table.name;
bare.initialize();

const batches = batchesOf(createGenerator(dataset), rows, rowsPerCall);
/** Fewer documents, because each call waits for a write of the journal. */
const singles = batchesOf(createGenerator(dataset), Math.ceil(rows / 20), 1);
const make = rowMaker(table, 'date');

/** ms for all rows; they are made and encoded before the clock. */
async function ours(method: MethodName, options: Options, perCall = batches): Promise<number> {
  await using session = await database.openSession(options);
  const plan = { ...table, options };
  const settings = { ...defaultSettings, method, rowsPerCall };
  const insert = await session.prepare({ table: plan, operation: 'insert', method, settings });
  const calls = perCall.map((batch) => insert.encode(batch));
  const begin = performance.now();
  for (const call of calls) await insert.run(call);
  return performance.now() - begin;
}

/** The code that an application would have. */
async function plainOnes(): Promise<number> {
  const parts = singles.flatMap((batch) => make(batch));
  const begin = performance.now();
  for (const { id, entity } of parts) {
    const session = bare.openSession();
    await session.store(entity, id);
    await session.saveChanges();
  }
  return performance.now() - begin;
}

async function plain(): Promise<number> {
  const parts = batches.map((batch) => make(batch));
  const begin = performance.now();
  for (const part of parts) {
    const bulk = bare.bulkInsert();
    for (const { id, entity } of part)
      await bulk.store(entity, id, { '@collection': table.name } as unknown as IMetadataDictionary);
    await bulk.finish();
  }
  return performance.now() - begin;
}

try {
  const common = { database, table, rounds };
  const of = `uuid in the id, 20 characters; ${target.url.split(':')[0]}`;
  await compareInserts({
    ...common,
    rows,
    of: `${of}; ${rowsPerCall.toLocaleString('en')} a call`,
    peer: ['bare driver: bulkInsert', plain],
    cases: [
      ['bulk', () => ours('bulk', {})],
      ['bulk, api: command', () => ours('bulk', { api: 'command' })],
      ['multiRow', () => ours('multiRow', {})],
      ['multiRow, api: command', () => ours('multiRow', { api: 'command' })],
    ],
  });
  await compareInserts({
    ...common,
    rows: singles.length,
    of: `${of}; one by one`,
    peer: ['bare driver: store, saveChanges', plainOnes],
    cases: [
      ['bind', () => ours('bind', {}, singles)],
      ['bind, api: command', () => ours('bind', { api: 'command' }, singles)],
    ],
  });
} finally {
  await database.drop(table);
  bare.dispose();
  await database[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
}
