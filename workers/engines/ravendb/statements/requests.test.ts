import fc from 'fast-check';
import type { BeforeRequestEventArgs } from 'ravendb';
import { test as anyTest, describe, expect } from 'vitest';
import type { Database } from '#engine-api/database.ts';
import type { Session } from '#engine-api/session.ts';
import { ravendb } from '#managed-servers/servers/ravendb/ravendb.ts';
import { givenOrTestServer, givenUrl, type TestServer } from '#managed-servers/test-server.fixture.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import { type MethodName, type TableOperation, tableOperations } from '#model/settings/vocabulary.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { hostileText } from '../../conformance/checks/hostile-values.ts';
import { keyBatch, makeRows, table as rowsTable, toBatch, updateBatch } from '../../conformance/rows.ts';
import { isSkipped } from '../../conformance/skipped.ts';
import { config, type RavenConfig } from '../config.ts';
import { connect } from '../connection/connect.ts';
import type { Link } from '../connection/link.ts';
import { descriptor } from '../descriptor.ts';
import { engine } from '../engine.ts';
import { toError } from '../errors.ts';
import { readOptions } from '../options.ts';
import {
  literalPatchScript,
  literalRangeQuery,
  literalValue,
  orderedQuery,
  patchScript,
  rangeQuery,
  staticIndexMap,
} from '../queries.ts';
import { prepareOperation } from './operations.ts';

/** RQL, patches and index maps, checked by the server's own parsers: there are no others. */
const unsupportedReasons =
  isSkipped('ravendb') || ((await ravendb.missing()) !== null && givenUrl('ravendb') === undefined);
const test = anyTest.skipIf(unsupportedReasons);

let server: TestServer;
let database: Database;
let session: Session;
let link: Link;
beforeTests(async (opened) => {
  server = opened.use(await givenOrTestServer(ravendb));
  const parsed = config.parse(server.raw) as RavenConfig;
  database = opened.use(await engine.open(parsed, 'dyno-requests', new AbortController().signal));
  session = opened.use(await database.openSession({}));
  link = (await connect(parsed, { tag: 'dyno-requests', options: readOptions({}) })).link;
  opened.defer(() => link.close());
  await database.prepareSchema(everyKind);
  opened.defer(() => database.drop(everyKind));
});

/** Names that mean something in RQL, in JavaScript and in C#, beside one of each kind. */
const everyKind: TablePlan = {
  name: `dyno_requests_${process.pid}`,
  key: 0,
  options: {},
  columns: [
    { name: 'id', type: { kind: 'bigint' }, nullable: false },
    { name: 'select', type: { kind: 'text', maxLength: 20, fixed: false, ascii: false }, nullable: true },
    { name: 'order', type: { kind: 'timestamp' }, nullable: true },
    { name: 'long', type: { kind: 'decimal', precision: 9, scale: 2 }, nullable: true },
    { name: 'class', type: { kind: 'uuid' }, nullable: true },
    { name: 'where', type: { kind: 'bigint' }, nullable: true },
  ],
};

/** The kind of error; 'accepted' where there is none. */
const outcome = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'accepted',
    (thrown: unknown) => toError(thrown).kind,
  );
const ask = (method: 'POST' | 'PUT' | 'PATCH', path: string, body: object) =>
  outcome(link.ask({ method, path, body: JSON.stringify(body) }));

const query = (text: string, key?: string | number) =>
  ask('POST', '/queries', { Query: text, PageSize: 0, ...(key !== undefined && { QueryParameters: { key } }) });
const keys = everyKind.columns.map(({ name }, key) => ({ name, key }));
const sample = (key: number) =>
  ['bigint', 'decimal'].includes(everyKind.columns[key]!.type.kind) ? 7 : 'say "x" \\ \u2028';

test('hostile texts written into a query find what they find as its parameters', async () => {
  const prefix = `${everyKind.name}/hostile`;
  const texts = hostileText.filter((text) => text !== '');
  const hostile = [
    '\\',
    'a"\\',
    '\\\\',
    '"',
    '""\\"',
    "'\\'",
    'a\nb\t\r',
    ...fc.sample(texts, { numRuns: 40, seed: 1 }),
  ];
  const documents = hostile.map((text, i) => ({
    Type: 'PUT',
    Id: `${prefix}${i}`,
    Document: { select: text, '@metadata': { '@collection': everyKind.name } },
  }));
  await link.ask({ method: 'POST', path: '/bulk_docs', body: JSON.stringify({ Commands: documents }) });
  const found = async (condition: string, value?: string) => {
    const Query = `from '${everyKind.name}' where 'select' = ${condition}`;
    const waits = { WaitForNonStaleResults: true, WaitForNonStaleResultsTimeout: '00:00:15' };
    const body = JSON.stringify({ Query, QueryParameters: { value }, ...waits });
    const { Results: results } = (await link.ask({ method: 'POST', path: '/queries', body })) as {
      readonly Results: readonly { readonly '@metadata': { readonly '@id': string } }[];
    };
    return results.map((one) => one['@metadata']['@id']).sort();
  };
  for (const [i, text] of hostile.entries()) {
    const expected = await found('$value', text);
    expect(expected, JSON.stringify(text)).toContain(`${prefix}${i}`);
    expect(await found(literalValue(text)), JSON.stringify(text)).toEqual(expected);
  }
}, 120_000);

test('of two queries in one text the server takes none', async () => {
  const text = `from '${everyKind.name}'`;
  expect(await query(text)).toBe('accepted');
  for (const second of [`; ${text}`, ` ${text}`, ';']) expect(await query(`${text}${second}`), second).toBe('syntax');
});

describe.each(keys)('a range by $name', ({ key }) => {
  const table = { ...everyKind, key };
  test('is RQL, with the key as a parameter and in the text; with anything wrong in it, it is none', async () => {
    const options = readOptions({});
    const text = rangeQuery(table, options);
    const literal = literalRangeQuery(table, options, sample(key));
    expect(await query(text, sample(key))).toBe('accepted');
    expect(await query(literal)).toBe('accepted');
    for (const [right, wrong] of [
      [' where', ' were'],
      ['>=', '=>'],
      ["' >=", ' >='],
      ['order by', 'ordered by'],
    ] as const) {
      expect(text).toContain(right);
      expect(await query(text.replace(right, wrong), sample(key)), wrong).not.toBe('accepted');
      expect(await query(literal.replace(right, wrong)), wrong).not.toBe('accepted');
    }
  }, 120_000);

  test('and all documents in the order of the column are RQL', async () => {
    const text = orderedQuery(everyKind, key, readOptions({}));
    expect(await query(text)).toBe('accepted');
    for (const wrong of [text.replace('order by', 'ordered by'), text.replace("' order", ' order')])
      expect(await query(wrong), wrong).not.toBe('accepted');
  });

  test('has an index map in C#; with anything wrong in it, it is none', async () => {
    const define = (map: string) =>
      ask('PUT', '/admin/indexes', { Indexes: [{ Name: `dyno/${everyKind.name}`, Maps: [map], Type: 'Map' }] });
    const map = staticIndexMap(table);
    expect(await define(map)).toBe('accepted');
    // Another definition of the same name would be built beside it.
    await link.ask({ method: 'DELETE', path: `/indexes?name=dyno/${everyKind.name}` });
    for (const [right, wrong] of [
      ['new {', 'new ['],
      ['select', 'selects'],
      ['row in', 'in row'],
      ['= row.', '= rows.'],
    ] as const) {
      expect(map).toContain(right);
      expect(await define(map.replace(right, wrong)), wrong).toBe('syntax');
    }
  }, 120_000);
});

test.each(everyKind.columns.slice(1))(
  'a patch of $name is JavaScript; with anything wrong in it, it is none',
  async ({ name }) => {
    const insert = await session.prepare({
      table: rowsTable(everyKind.name),
      operation: 'insert',
      method: 'bulk',
      settings: defaultSettings,
    });
    await insert.run(insert.encode(toBatch(makeRows(2, 1))));
    const patch = (script: string) =>
      ask('PATCH', `/docs?id=${everyKind.name}/2&test=true`, { Patch: { Script: script, Values: { value: 'x' } } });
    const literal = literalPatchScript(name, 'a"b\n\u2028');
    for (const right of [patchScript(name), literal]) {
      expect(await patch(right)).toBe('accepted');
      for (const wrong of [
        right.replace('=', '=='.concat('>')),
        right.replace('this.', 'this. .'),
        right.replace('this', 'those'),
      ])
        expect(await patch(wrong), wrong).toBe('syntax');
    }
  },
);

const cells = tableOperations.flatMap((operation) =>
  Object.keys(descriptor.support[operation] ?? {}).map((method) => ({ operation, method: method as MethodName })),
);

interface Sent {
  readonly method: string;
  readonly path: string;
  /** Parsed; of a bulk insert, which is a stream, nothing. */
  readonly body: unknown;
}

/** The requests of one call; what it has stored is deleted again. */
async function sent(operation: TableOperation, method: MethodName, api: string): Promise<readonly Sent[]> {
  const table = { ...rowsTable(everyKind.name), options: { api } };
  const prepare = (what: TableOperation, how: MethodName) =>
    prepareOperation(link, {
      table,
      operation: what,
      method: how,
      settings: { ...defaultSettings, operation: what, method: how, rangeRows: 3 },
    });
  const prepared = await prepare(operation, method);
  const rows = makeRows(20, method === 'multiRow' || method === 'bulk' ? 3 : 1);
  const batch = operation === 'insert' ? toBatch(rows) : operation === 'update' ? updateBatch(rows) : keyBatch(rows);
  const call = prepared.encode(batch);
  const requests: Sent[] = [];
  const note = ({ request }: BeforeRequestEventArgs) => {
    const { pathname, searchParams } = new URL(request.uri);
    const ids = pathname.endsWith('/docs') ? searchParams.getAll('id').sort().join() : '';
    const body: unknown = typeof request.body === 'string' ? JSON.parse(request.body) : null;
    requests.push({ method: request.method ?? 'GET', path: `${pathname} ${ids}`, body });
  };
  link.executor.on('beforeRequest', note);
  try {
    await prepared.run(call);
  } finally {
    link.executor.off('beforeRequest', note);
  }
  if (operation === 'insert') {
    const remove = await prepare('delete', 'multiRow');
    expect(await remove.run(remove.encode(keyBatch(rows)))).toBe(rows.length);
  }
  return requests;
}

const ofTheDriver = [
  'Raven-Node-Type',
  '@nested-object-types',
  'WaitForNonStaleResults',
  'WaitForNonStaleResultsTimeout',
];

/**
 * The body without the types of JavaScript that the driver adds to documents, and with the limit of a query beside it.
 */
function withoutTypes(body: unknown): unknown {
  if (body === null) return null;
  const parsed = JSON.parse(JSON.stringify(body), (key, value: unknown) =>
    ofTheDriver.includes(key) || value === null ? undefined : value,
  ) as { readonly Query?: string; readonly QueryParameters?: Readonly<Record<string, unknown>> };
  const [limit, most] = / limit \$\w+, \$(\w+)$/.exec(parsed.Query ?? '') ?? [];
  if (limit === undefined || most === undefined) return parsed;
  const { [most]: PageSize, ...QueryParameters } = parsed.QueryParameters ?? {};
  return { ...parsed, Query: parsed.Query?.slice(0, -limit.length), QueryParameters, PageSize };
}

test.each(cells.filter(({ operation }) => operation !== 'scan'))(
  '$operation by $method is the same request by a session and by a command',
  async ({ operation, method }) => {
    const bySession = await sent(operation, method, 'session');
    const byCommand = await sent(operation, method, 'command');
    // A bulk insert asks for the id of its operation first.
    expect(bySession).toHaveLength(method === 'bulk' ? 2 : 1);
    const shape = ({ method: verb, path }: Sent) => `${verb} ${path}`;
    expect(byCommand.map(shape)).toEqual(bySession.map(shape));
    if (method !== 'bulk')
      expect(byCommand.map(({ body }) => withoutTypes(body))).toEqual(bySession.map(({ body }) => withoutTypes(body)));
  },
);
