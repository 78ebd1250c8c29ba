import { test as anyTest, expect } from 'vitest';
import { ravendb, startRavenDb } from '#managed-servers/servers/ravendb/ravendb.ts';
import { startInFolder } from '#managed-servers/test-kind.fixture.ts';
import { batchOf } from '#model/batch/encode.ts';
import { readsOnly } from '#model/statements/reads-only.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { whole } from '#platform/whole.fixture.ts';
import { isSkipped } from '../conformance/skipped.ts';
import { prepareOwn } from '../shared/test-table.fixture.ts';
import { config, type RavenConfig } from './config.ts';
import { connect } from './connection/connect.ts';
import type { Link } from './connection/link.ts';
import { statementLanguage } from './descriptor.ts';
import { engine } from './engine.ts';
import { readOptions } from './options.ts';

/** Judges texts as Dyno does, and sends them to a real server by the way that experiments have. */
const test = anyTest.skipIf(!whole || isSkipped('ravendb') || (await ravendb.missing()) !== null);
const signal = new AbortController().signal;

let raw: Record<string, unknown>;
let admin: Link;
beforeTests(async (opened) => {
  const server = opened.use(await startInFolder((inside) => startRavenDb(inside, () => {})));
  raw = server.raw;
  const parsed = config.parse(server.admin) as RavenConfig;
  admin = (await connect(parsed, { tag: 'test-admin', options: readOptions({}) })).link;
  opened.defer(() => admin.close());
});

const put = (id: string, fields: object) => ({
  ...{ Type: 'PUT', Id: id, ChangeVector: null },
  Document: { ...fields, '@metadata': { '@collection': id.split('/')[0] } },
});

async function fill(): Promise<void> {
  const found = (await admin.ask({ path: '/docs?pageSize=1000' })) as {
    readonly Results: readonly { readonly '@metadata': { readonly '@id': string } }[];
  };
  const gone = found.Results.map((one) => ({ Type: 'DELETE', Id: one['@metadata']['@id'], ChangeVector: null }));
  const made = [1, 2, 3].map((n) => put(`orders/${n}`, { total: n * 10, note: `n'${n}`, customer: 'orders/1' }));
  await admin.ask({ method: 'POST', path: '/bulk_docs', body: JSON.stringify({ Commands: [...gone, ...made] }) });
  const { Indexes: indexes } = (await admin.ask({ path: '/stats' })) as Stats;
  for (const { Name } of indexes)
    await admin.ask({ method: 'DELETE', path: `/indexes?name=${encodeURIComponent(Name)}` });
}

interface Stats {
  readonly Indexes: readonly { readonly Name: string }[];
  readonly DatabaseChangeVector: string;
}

/**
 * The database's state as text: all documents with their change vectors, all indexes but those that the server makes by
 * itself, and all compare-exchange values.
 */
async function stateOf(): Promise<string> {
  const { Results: documents } = (await admin.ask({ path: '/docs?pageSize=1000' })) as { readonly Results: unknown };
  const { Indexes: indexes } = (await admin.ask({ path: '/stats' })) as Stats;
  const defined = indexes.map(({ Name }) => Name).filter((name) => !name.startsWith('Auto/'));
  const { Results: compared } = (await admin.ask({ path: '/cmpxchg?pageSize=100' })) as { readonly Results: unknown };
  return JSON.stringify([documents, defined, compared]);
}

/** Sends a text, as a measured call and as `dyno try` do; resolves with the error of the server, or null. */
async function send(text: string, parameters: Readonly<Record<string, string>> = {}): Promise<string | null> {
  await using database = await engine.open(config.parse(raw), 'dyno-test', signal);
  await using session = await database.openSession({});
  const type = { kind: 'text', maxLength: 400, fixed: false, ascii: false, document: true } as const;
  const names = Object.keys(parameters);
  try {
    const own = await prepareOwn(session, text, 'bind', {
      parameters: names.map((name) => ({ name, type, nullable: false })),
    });
    const batch = batchOf(
      [Object.values(parameters)],
      names.map(() => type),
    );
    await own.run(own.encode(batch));
    await own.show(own.encode(batch), 10);
    await own.explain(own.encode(batch)).catch(() => {});
    await own.queryPlan?.(own.encode(batch)).catch(() => {});
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const reads = (text: string): boolean => readsOnly(text, statementLanguage);
const query = (rql: string, more: object = {}): string => JSON.stringify({ Query: rql, ...more });
const inSelect = (code: string): string =>
  `declare function f(o) { ${code}; return { x: 1 } } from orders as o select f(o)`;

const hostile: readonly string[] = [
  'from orders update { this.total = 0 }',
  'from orders UPDATE{this.total=0}',
  'from orders\nupdate\n{ this.total = 0 }',
  'from orders /* read */ update /* only */ { this.total = 0 }',
  'from orders // \n update { this.total = 0 }',
  "from orders where note = 'it''s' update { this.total = 0 }",
  "from orders where note = 'a\\\\' update { this.total = 0 } //'",
  'from orders where note = "a\\\\" update { this.total = 0 } //"',
  "from orders where note = 'open update { this.total = 0 }",
  'from orders where note = "open update { this.total = 0 }',
  'from orders /* open update { this.total = 0 }',
  'from orders where total > 1update { this.total = 0 }',
  'from orders where total=1 update{put("x/1",{})}',
  'from orders as o update { del(id(o)) }',
  'from index "Auto/orders" update { this.total = 0 }',
  'declare function f(o) { return o } from orders as o update { this.total = f(o) }',
  'from orders // a\rupdate { this.total = 0 }',
  'from orders as o select { x: 1 /*/ } update { this.total = 0 } /* */ }',
  'update { this.total = 0 } from orders',
  'delete from orders',
  'patch from orders',
  'insert into orders',
  '',
  '// from orders',
  inSelect("put('stolen/1', { x: 1 })"),
  inSelect("del('orders/1')"),
  inSelect("incrementCounter(o, 'likes', 1)"),
  inSelect("deleteCounter(o, 'likes')"),
  inSelect("timeseries(o, 'heart').append(new Date(), [1])"),
  inSelect("timeseries(o, 'heart').increment(new Date(), [1])"),
  inSelect("archived.archiveAt(o, '2020-01-01')"),
  '{"Type":"DELETE","Id":"orders/1"}',
  '{"Type":"PUT","Id":"stolen/1","Document":{"x":1}}',
  '{"Type":"PATCH","Id":"orders/1","Patch":{"Script":"this.total = 0"}}',
  '{"Commands":[{"Type":"DELETE","Id":"orders/2"}]}',
  '{"Commands":[]}',
  '{"\\u0054ype":"DELETE","Id":"orders/1"}',
  query('from orders update { this.total = 0 }'),
  '{"Query":"from orders \\u0075pdate { this.total = 0 }"}',
  query('from orders', { Indexes: [{ Name: 'stolen', Maps: ['from o in docs.orders select new { o.total }'] }] }),
  query('from orders', { Indexes: [{ Name: '{orders}/x', Maps: ['from o in docs.orders select new { o.total }'] }] }),
  query('from orders', { Commands: [{ Type: 'DELETE', Id: 'orders/1' }] }),
  query('from orders', { Type: 'DELETE', Id: 'orders/1' }),
  query('from orders', { query: 'from orders update { this.total = 0 }' }),
  query('from orders', { Unknown: true }),
  '{"Query":["from orders"]}',
  '{"Query":{"from":"orders"}}',
  '{"Query":"from orders","Query":"from orders update { this.total = 0 }"}',
  '{"Ids":["orders/1"],"Commands":[{"Type":"DELETE","Id":"orders/1"}]}',
  '{"Ids":["orders/1"],"Query":"from orders"}',
  '{"Path":"/admin/databases","Method":"DELETE"}',
  '{"Query":"{\\"Commands\\":[]}"}',
  '[{"Ids":["orders/1"]}]',
  '{"Query":"from orders"',
];

const ordinary: readonly string[] = [
  'from orders',
  'from orders where total > 5 order by total as long desc limit 2',
  'from orders where note = \'update it\' or note = "update { }" // update { }',
  'from orders /* update { } */ where total > 5',
  'from orders as o where o.lastUpdate = null select { total: o.total, twice: o.total * 2 }',
  "from orders where note = 'n''1'",
  "from 'orders' where startsWith(id(), 'orders/') select total",
  'from orders as o load o.customer as c select { a: o.total, b: c.total }',
  'declare function f(o) { var c = load(o.customer); return { a: o.total, b: c ? c.total : \'it is "open"\' } } from orders as o select f(o)',
  'from orders group by customer where count() > 0 select customer, count(), sum(total)',
  'from orders include customer',
  "from orders where note = 'a\\' update { this.total = 0 } '",
  'from orders where total > 5 include timings()',
  "from orders as o select counter(o, 'likes')",
  'from @all_docs limit 3',
  query('from orders where total >= $least', {
    ...{ QueryParameters: { least: 10 }, PageSize: 2, Start: 0, WaitForNonStaleResults: true },
    ...{ SkipDuplicateChecking: true, ProjectionBehavior: 'Default' },
  }),
  '{"Ids":["orders/1","orders/2"]}',
  '{"Ids":["orders/1"],"Includes":["customer"]}',
];

test('no text that writes passes as one that reads; the way of experiments has some of them change the server', async () => {
  expect(hostile.filter(reads)).toEqual([]);
  const changing: string[] = [];
  let before = '';
  for (const text of hostile) {
    if (before === '') {
      await fill();
      before = await stateOf();
    }
    await send(text);
    if ((await stateOf()) === before) continue;
    changing.push(text);
    before = '';
  }
  expect(changing.length).toBeGreaterThanOrEqual(4);
}, 240_000);

test('ordinary texts that read are taken for what they are, and change nothing', async () => {
  expect(ordinary.filter((text) => !reads(text))).toEqual([]);
  await fill();
  const before = await stateOf();
  for (const text of ordinary) expect(await send(text), text).toBeNull();
  expect(await stateOf()).toBe(before);
}, 240_000);

test('a document that is bound is data wherever a text that reads has a parameter', async () => {
  await fill();
  const before = await stateOf();
  const texts = [
    'from orders where note = $p',
    'from orders where note in ($p)',
    query('from orders where note = $p', { QueryParameters: { p: '$p' } }),
    query('from orders', { QueryParameters: '$p' }),
    query('from orders', { PageSize: '$p' }),
    '{"Ids":["$p"]}',
    '{"Ids":"$p"}',
    '{"Ids":["orders/$p"]}',
  ];
  expect(texts.filter((text) => !reads(text))).toEqual([]);
  const documents = [
    '{"Type":"DELETE","Id":"orders/1"}',
    '{"Query":"from orders update { this.total = 0 }"}',
    '["orders/1"]',
    '"1&metadataOnly=true"',
  ];
  for (const text of texts) for (const document of documents) await send(text, { p: document });
  expect(await stateOf()).toBe(before);
}, 240_000);
