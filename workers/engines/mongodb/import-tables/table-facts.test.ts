import { expect, test } from 'vitest';
import { mongodb } from '#managed-servers/servers/mongodb.ts';
import { startTestServer } from '#managed-servers/test-server.fixture.ts';
import { isSkipped } from '../../conformance/skipped.ts';
import { config, type MongoConfig } from '../config.ts';
import { connect } from '../connection/connect.ts';
import { engine } from '../engine.ts';
import { readOptions } from '../options.ts';

test.skipIf(isSkipped('local-mongodb'))('a sample gives fields, indexes and statistics, and no document', async () => {
  await using server = await startTestServer(mongodb);
  await using database = await engine.open(config.parse(server.raw), 'dyno-facts', new AbortController().signal);
  const parsed = config.parse(server.raw) as MongoConfig;
  const { client } = await connect(parsed, { tag: 'dyno-test', connections: 1, options: readOptions({}) });
  const orders = client.db(parsed.database).collection<{ _id: number }>('orders');
  const documents = Array.from({ length: 2_000 }, (_, i) => ({
    _id: i,
    name: `Canary ${i}`,
    kind: i % 4 === 0 ? 'rare' : 'usual',
    ...(i % 2 === 0 && { total: i / 2 }),
  }));
  await orders.insertMany(documents);
  await orders.createIndex({ kind: 1, total: -1 });
  const [facts, ...others] = await database.tableFacts!([{ schema: null, name: 'orders' }]);
  await client.close();
  expect(others).toEqual([]);
  expect(facts).toMatchObject({
    ...{ name: 'orders', rows: 2_000, key: ['_id'] },
    indexes: [{ parts: [{ column: 'kind' }, { column: 'total', desc: true }], unique: false, kind: 'btree' }],
  });
  const statisticsOf = (name: string) => facts!.columns.find((one) => one.name === name)!.statistics!;
  expect(statisticsOf('_id')).toMatchObject({ nullShare: 0, distinct: 2_000, rowOrder: 1 });
  expect(statisticsOf('kind').common.map(({ value }) => value)).toEqual(['usual', 'rare']);
  expect(statisticsOf('total').nullShare).toBeCloseTo(0.5, 1);
});
