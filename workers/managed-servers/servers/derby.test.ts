import { existsSync, readdirSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { test as anyTest, beforeEach, expect, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { config } from '#engines/drda/config.ts';
import { engine } from '#engines/drda/engine.ts';
import { DynoError } from '#model/error.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { whole } from '#platform/whole.fixture.ts';
import { startKind } from '../test-kind.fixture.ts';
import { derby, startDerby } from './derby.ts';
import { connectTo, ij } from './ij.fixture.ts';
import { requireKind } from './kinds.ts';

vi.setConfig({ testTimeout: 120_000 });
const test = anyTest.skipIf(isSkipped('local-derby'));
const longTest = anyTest.skipIf(isSkipped('local-derby') || !whole);
let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const start = (wishes?: Parameters<typeof startDerby>[2]) => startDerby(folder, () => {}, wishes);
const filesBelow = (parent: string): readonly string[] =>
  readdirSync(parent, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

test('data stays from one start to the next, the password does not, and stopping leaves nothing to recover', async () => {
  const first = await start();
  await ij(connectTo(first), 'CREATE TABLE kept (x INT);', 'INSERT INTO kept VALUES 41;');
  await first.stop();
  await first.gone;
  expect(existsSync(join(first.dataFolder, 'dyno', 'db.lck')), 'it closed its database').toBe(false);
  expect(readFileSync(join(folder, 'server.log'), 'utf8')).not.toContain('ERROR');

  await using second = await start();
  expect(second.raw.password).not.toBe(first.raw.password);
  const old = connectTo(second, { password: String(first.raw.password) });
  expect(await ij(old, connectTo(second), 'SELECT x + 1 FROM kept;')).toMatch(/ERROR 08004.*42/s);
});

longTest('commits survive a server that is killed', async () => {
  const first = await start();
  await ij(connectTo(first), 'CREATE TABLE kept (x INT);', 'INSERT INTO kept VALUES 41;');
  process.kill(first.pid, 'SIGKILL');
  await first.gone;
  await using second = await start();
  expect(await ij(connectTo(second), 'SELECT x + 1 FROM kept;')).toContain('42');
});

test('the password is in no argument, variable, log or file, and nobody else can read the files', async () => {
  await using server = await start();
  const password = String(server.raw.password);
  if (process.platform === 'linux')
    for (const file of ['cmdline', 'environ'])
      expect(readFileSync(`/proc/${server.pid}/${file}`, 'utf8')).not.toContain(password);
  for (const file of filesBelow(folder)) {
    expect(readFileSync(file, 'latin1'), file).not.toContain(password);
    if (process.platform !== 'win32' && !file.endsWith('README_DO_NOT_TOUCH_FILES.txt'))
      expect(statSync(file).mode & 0o077, file).toBe(0);
  }
  expect(derby.client?.(server.raw, '$SECRET')).toContain('"$SECRET"');
  expect(derby.client?.(server.raw, '$SECRET')).not.toContain(password);
});

longTest('lets in who has a password only, and others do what was granted to them', async () => {
  const password = 'a=b \\ #c';
  await using server = await start({ users: { reader: password } });
  const said = await ij(
    connectTo(server, { user: 'stranger', password: 'x' }),
    connectTo(server),
    ...['CREATE TABLE dyno.seen (x INT);', 'INSERT INTO dyno.seen VALUES 7;', "VALUES 'until then';"],
    connectTo(server, { user: 'reader', password }),
    ...['SELECT x FROM dyno.seen;', 'CREATE TABLE dyno.mine (x INT);'],
    ...['SET CONNECTION connection0;', 'GRANT SELECT ON dyno.seen TO reader;', 'SET CONNECTION connection1;'],
    ...['SELECT x FROM dyno.seen;', 'DELETE FROM dyno.seen;'],
  );
  expect(said).toMatch(/ERROR 08004.*until then.*ERROR 42502.*ERROR 42507.*\n7 .*ERROR 42500/s);
});

longTest('no routine of Java’s own is run, whoever declares it', async () => {
  await using server = await start();
  const head = 'LANGUAGE JAVA PARAMETER STYLE JAVA NO SQL EXTERNAL NAME';
  const said = await ij(
    connectTo(server),
    `CREATE FUNCTION property(name VARCHAR(99)) RETURNS VARCHAR(999) ${head} 'java.lang.System.getProperty';`,
    `CREATE PROCEDURE quit(code INT) ${head} 'java.lang.System.exit';`,
    `CREATE FUNCTION cosine(x DOUBLE) RETURNS DOUBLE ${head} 'java.lang.Math.cos';`,
    ...["VALUES property('user.home');", 'CALL quit(1);', 'VALUES 6 * 7, INT(cosine(0)) + 100;'],
  );
  expect(said.match(/ERROR 42X51: The class 'java\.lang\.System' does not exist or is inaccessible/g)).toHaveLength(2);
  expect(said).toMatch(/42 *\n101 *\n/);
});

longTest('takes TLS only where a test wishes it', async () => {
  await using server = await start({ tls: true });
  expect(readFileSync(server.certificate ?? '', 'utf8')).toContain('BEGIN CERTIFICATE');
  expect(await ij(connectTo(server, { attributes: 'ssl=basic' }), 'VALUES 6 * 7;')).toContain('42');
  expect(await ij(connectTo(server), 'VALUES 6 * 7;')).not.toContain('42');
});

longTest('a damaged database is told with what to do', async () => {
  const server = await start();
  await server.stop();
  const segment = join(server.dataFolder, 'dyno', 'seg0');
  for (const name of readdirSync(segment)) truncateSync(join(segment, name), 100);
  const error: unknown = await start().catch((thrown) => thrown);
  expect(error).toBeInstanceOf(DynoError);
  expect((error as DynoError).message).toMatch(/^Derby could not be started: ERROR /);
  expect((error as DynoError).data.hint).toContain('dyno servers reset');
});

const older = 'derby@10.15';
const both = anyTest.skipIf(isSkipped('local-derby') || isSkipped(older) || !whole);
both(`local-derby and ${older} run side by side, each with its version and its data`, async () => {
  await using usual = await startKind(derby);
  await using other = await startKind(requireKind(older));
  const make = ['CREATE TABLE kept (x INT);', 'INSERT INTO kept VALUES 41;'];
  await Promise.all([ij(connectTo(usual), ...make), ij(connectTo(other), ...make)]);
  const versions = [usual, other].map(async ({ raw }) => {
    await using database = await engine.open(config.parse(raw), 'dyno-test', new AbortController().signal);
    return (await database.fingerprint()).version;
  });
  expect(await Promise.all(versions)).toEqual([expect.stringMatching(/^10\.16\./), expect.stringMatching(/^10\.15\./)]);
});
