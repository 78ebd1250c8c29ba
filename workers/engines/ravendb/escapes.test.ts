import { join } from 'node:path';
import { test as anyTest, expect, vi } from 'vitest';
import { ravendb } from '#managed-servers/servers/ravendb/ravendb.ts';
import { startTestServer, type TestServer } from '#managed-servers/test-server.fixture.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { whole } from '#platform/whole.fixture.ts';
import { type Escapist, escapist, openFolder } from '../conformance/escapes.fixture.ts';
import { isSkipped } from '../conformance/skipped.ts';
import { config } from './config.ts';
import { engine } from './engine.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });
/** The tests of the engine on its server (integration/on-servers) have a smoke test of these. */
const test = anyTest.skipIf(isSkipped('ravendb') || !whole);
const folder = openFolder();
const written = join(folder.path, 'written');
const table: TablePlan = {
  name: 'dyno_escape',
  key: 0,
  options: {},
  columns: [{ name: 'id', type: { kind: 'bigint' }, nullable: false }],
};
let server: TestServer;
let trial: Escapist;

beforeTests(async (opened) => {
  opened.use(folder);
  server = opened.use(await startTestServer(ravendb));
  await using database = await engine.open(config.parse(server.raw), 'dyno-test', new AbortController().signal);
  await database.prepareSchema(table);
  trial = opened.use(await escapist(engine, config, server.raw, { tables: { table } }));
  expect(
    await trial.attempt(
      '{ "Type": "PUT", "Id": "{table}/1", "Document": { "id": 1, "n": 6, "@metadata": { "@collection": "{table}" } } }',
      'bind',
    ),
  ).toBeNull();
});

const index = (definition: object, name = '{table}/found') =>
  JSON.stringify({ Indexes: [{ Name: name, ...definition }], Query: `from index '${name}'` });
const map = (expression: string) => index({ Maps: [`from row in docs.{table} select new { x = ${expression} }`] });

const code: readonly string[] = [
  `System.IO.File.Exists("/etc/passwd")`,
  `((System.Func<string>)(() => { System.IO.File.WriteAllText("${written}", "x"); return "x"; }))()`,
  `System.Environment.GetEnvironmentVariable("HOME")`,
  `Environment.MachineName`,
  `global::System.Environment.MachineName`,
  `typeof(int).Assembly.Location`,
  `"".GetType().Assembly.Location`,
  `row.GetType()`,
  `Convert.ToString(row.id)`,
  `new System.IO.FileInfo("/etc/passwd").Length`,
  `@System.Environment.MachineName`,
  `\\u0053ystem.Environment.MachineName`,
  `$"{System.Environment.MachineName}"`,
  `this.ToString()`,
  `""" \\""" + System.Environment.MachineName + """ \\"""`,
];

test.each(code)('C# of an index that says %s is refused', async (expression) => {
  expect(await trial.attempt(map(expression), 'bind')).toMatchObject({ kind: 'permission' });
  expect(folder.entries()).toEqual([]);
});

test.each([
  { AdditionalSources: { 'x.cs': 'public static class X {}' } },
  { Configuration: { 'Indexing.TempPath': folder.path } },
])('an index with %j is refused', async (more) => {
  const definition = { Maps: ['from row in docs.{table} select new { row.id }'], ...more };
  expect(await trial.attempt(index(definition), 'bind')).toMatchObject({ kind: 'permission' });
});

test('C# beside JavaScript is looked at, too', async () => {
  const both = {
    Maps: ["map('{table}', r => ({ x: r.id }))", 'from row in docs.{table} select new { x = row.GetType() }'],
  };
  expect(await trial.attempt(index(both), 'bind')).toMatchObject({ kind: 'permission' });
  expect(await trial.attempt(index({ ...both, Maps: both.Maps.slice(0, 1), Type: 'Map' }), 'bind')).not.toBeNull();
});

test.each([
  ['a property', 'row.id'],
  ['a sum of a list', 'row.lines.Sum(x => x.price * x.pieces)'],
  ['a comparison', 'row.id < row.n && row.n > 3 ? "small" : "large"'],
  ['another document', 'LoadDocument("{table}/" + row.id, "{table}").n'],
  ['a number of its own', 'Math.Abs((decimal)row.n) + int.MaxValue'],
])('C# of an index that asks for %s goes on to work', async (what, expression) => {
  const name = `{table}/${what.replaceAll(' ', '-')}`;
  const definition = { Maps: [`from row in docs.{table} where row.id != null select new { x = ${expression} }`] };
  expect(await trial.attempt(index(definition, name), 'bind')).toBeNull();
});

test.each([
  '{ "Method": "GET", "Path": "/admin/certificates" }',
  '{ "Type": "AttachmentPUT", "Id": "a" }',
  '{ "Commands": [{ "Type": "CompareExchangePUT", "Id": "a" }] }',
])('what is no question and no change of documents is no request: %s', async (text) => {
  expect(await trial.attempt(text, 'bind')).toMatchObject({ kind: expect.stringMatching(/^(syntax|badInput)$/) });
});

test.each([
  "System.IO.File.ReadAllText('/etc/passwd')",
  "importNamespace('System.IO')",
  "require('fs')",
  'process.env',
])('the script of a patch has nothing of the server: %s', async (expression) => {
  // RavenDB reads a name that it does not know as null.
  const script = `if (!(${expression})) throw 'nothing';`;
  const patch = { Type: 'PATCH', Id: '{table}/1', Patch: { Script: script } };
  expect(await trial.attempt(JSON.stringify(patch), 'bind')).not.toBeNull();
});
