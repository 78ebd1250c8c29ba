import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test as anyTest, beforeEach, expect, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { DynoError } from '#model/error.ts';
import { isAlive } from '#platform/is-alive.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { whole } from '#platform/whole.fixture.ts';
import { connectTo, ij } from './ij.fixture.ts';
import { snappydata, snappydataOfTwo, startRowStore } from './snappydata.ts';

vi.setConfig({ testTimeout: 120_000 });
// ij is Derby's.
const isMissing = isSkipped('local-snappydata') || isSkipped('local-derby');
const test = anyTest.skipIf(isMissing);
const longTest = anyTest.skipIf(isMissing || !whole);
let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

test('serves tables in memory, with SQLFire’s clauses, and is empty after a restart with another password', async () => {
  const first = await snappydata.start(folder, () => {});
  try {
    const said = await ij(
      connectTo(first),
      'CREATE TABLE dyno.kept (x INT PRIMARY KEY) PARTITION BY PRIMARY KEY;',
      'INSERT INTO dyno.kept VALUES 41;',
      'CREATE TABLE dyno.again (x INT PRIMARY KEY) REPLICATE;',
      'INSERT INTO dyno.again SELECT x + 1 FROM dyno.kept;',
      'SELECT x FROM dyno.again;',
    );
    expect(said).toContain('42');
    expect(said).not.toContain('ERROR');
  } finally {
    await first.stop();
    await first.gone;
  }
  await using second = await snappydata.start(folder, () => {});
  expect(second.raw.password).not.toBe(first.raw.password);
  const old = connectTo(second, { password: String(first.raw.password) });
  expect(await ij(old, connectTo(second), 'SELECT x FROM dyno.kept;')).toMatch(/ERROR 08004.*ERROR 42X05/s);
});

longTest('listens on 127.0.0.1 alone, lets in who has a password, and others do what was granted to them', async () => {
  await using server = await startRowStore(folder, () => {}, { users: { reader: 'a=b \\ #c' } });
  const said = await ij(
    connectTo(server),
    ...['CREATE TABLE dyno.seen (x INT PRIMARY KEY);', 'INSERT INTO dyno.seen VALUES 7;', "VALUES 'until then';"],
    connectTo(server, { user: 'reader', password: 'a=b \\ #c' }),
    ...['SELECT x FROM dyno.seen;', 'CREATE TABLE dyno.mine (x INT);'],
    ...['SET CONNECTION connection0;', 'GRANT SELECT ON dyno.seen TO reader;', 'SET CONNECTION connection1;'],
    ...['SELECT x FROM dyno.seen;', 'DELETE FROM dyno.seen;'],
    connectTo(server, { user: 'stranger', password: 'x' }),
  );
  expect(said).toMatch(/until then.*ERROR 42502.*ERROR 42507.*\n7 .*ERROR 42500.*ERROR 08004/s);
  if (process.platform === 'linux') {
    const port = server.port.toString(16).toUpperCase().padStart(4, '0');
    // 127.0.0.1, as an address of version 6
    expect(listening(server.pid)).toEqual([`0000000000000000FFFF00000100007F:${port}`]);
  }
});

longTest('the password is in no argument, variable, log or file', async () => {
  await using server = await snappydata.start(folder, () => {});
  const password = String(server.raw.password);
  await ij(connectTo(server), 'SELECT id FROM sys.members;');
  if (process.platform === 'linux')
    for (const file of ['cmdline', 'environ'])
      expect(readFileSync(`/proc/${server.pid}/${file}`, 'utf8')).not.toContain(password);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile()))
    expect(readFileSync(join(entry.parentPath, entry.name), 'latin1'), entry.name).not.toContain(password);
});

longTest('what the server says of its own failure is told in plain words', async () => {
  const attempt = startRowStore(folder, () => {}, { properties: { nosuch: '1' } });
  const error: unknown = await attempt.then(
    (server) => server.stop(),
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(DynoError);
  expect((error as DynoError).message).toMatch(/^snappydata-store could not be started: ERROR .*nosuch/s);
});

test('two members share the rows of a partitioned table, and stop together', async () => {
  await using server = await snappydataOfTwo.start(folder, () => {});
  const [second = 0] = server.memberPids ?? [];
  const said = await ij(
    connectTo(server),
    'CREATE TABLE dyno.shared (x INT PRIMARY KEY) PARTITION BY PRIMARY KEY BUCKETS 2;',
    'INSERT INTO dyno.shared VALUES 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12;',
    'SELECT COUNT(DISTINCT DSID()) AS members, COUNT(*) AS kept FROM dyno.shared;',
  );
  expect(said).not.toContain('ERROR');
  expect(said).toMatch(/\n2 +\|12 /);
  if (process.platform === 'linux')
    for (const pid of [server.pid, second])
      for (const address of listening(pid)) expect(address).toMatch(/^(?:0{16}FFFF0000)?0100007F:/);
  // The rows that one member keeps alone are gone with it.
  process.kill(second, 'SIGKILL');
  await server.gone;
  await server.stop();
  expect([server.pid, second].filter(isAlive)).toEqual([]);
});

/** The addresses on which a process listens, as Linux lists them: hexadecimal "address:port". */
function listening(pid: number): readonly string[] {
  const inodes = readdirSync(`/proc/${pid}/fd`).map((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`);
    } catch {
      return ''; // closed meanwhile
    }
  });
  return ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode]) => state === '0A' && inodes.includes(`socket:[${inode}]`))
      .map(([, address = '']) => address),
  );
}
