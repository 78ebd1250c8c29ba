import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DynoError } from '#model/error.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { whole } from '#platform/whole.fixture.ts';
import { findRavenDb, ravenDbVersion } from '../../install/ravendb-program.ts';
import { findOpenssl } from '../server-certificate.ts';
import { ravendb, startRavenDb } from './ravendb.ts';
import { addUser, createDatabase } from './ravendb-client.fixture.ts';
import { ask } from './ravendb-request.ts';

vi.setConfig({ testTimeout: 180_000 });

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

describe('RavenDB', () => {
  const isMissing = findRavenDb() === null || findOpenssl() === null;
  const onServer = it.skipIf(isMissing);
  const longOnServer = it.skipIf(isMissing || !whole);
  const start = (wishes = {}) => startRavenDb(folder, () => {}, wishes);

  onServer('lets in who has a certificate that it knows, and shows its password to nobody', async () => {
    const pipes = () => readdirSync(tmpdir()).filter((name) => /^clr-debug-pipe|^dotnet-diagnostic/.test(name));
    const before = pipes();
    const { raw, admin, pid, stop, dataFolder } = await start();
    const password = String(raw.certificatePassword);
    const log = join(folder, 'server.log');
    try {
      expect(existsSync(join(folder, 'settings.json'))).toBe(false);
      for (const file of [String(raw.certificate), log]) expect(statSync(file).mode & 0o077).toBe(0);
      await createDatabase(admin, 'mine');
      await createDatabase(admin, 'theirs');
      const { body: known } = await ask(admin, 'GET', '/admin/certificates');
      const clearances = (known!.Results as readonly { SecurityClearance: string }[]).map(
        (one) => one.SecurityClearance,
      );
      expect(clearances, 'the server’s own, and the user’s').toHaveLength(2);
      expect(clearances).toContain('Operator');
      const { certificate: _, certificatePassword: __, ...nobody } = raw;
      expect(await ask(nobody, 'GET', '/databases')).toMatchObject({ status: 403, body: { Type: 'InvalidAuth' } });
      const unknown = await addUser(admin, join(folder, 'unknown'), 'unknown', null);
      expect(await ask(unknown, 'GET', '/databases')).toMatchObject({ status: 403, body: { Type: 'InvalidAuth' } });
      const writer = await addUser(admin, join(folder, 'writer'), 'writer', {
        clearance: 'ValidUser',
        databases: { mine: 'ReadWrite' },
      });
      expect((await ask(writer, 'PUT', '/databases/mine/docs?id=a', { b: 1 })).status).toBe(201);
      expect((await ask(writer, 'PUT', '/databases/theirs/docs?id=a', { b: 1 })).status).toBe(403);
      expect((await ask(writer, 'PUT', '/admin/databases?name=new', { DatabaseName: 'new' })).status).toBe(403);
      const seen = ['cmdline', 'environ'].map((file) => readFileSync(`/proc/${pid}/${file}`, 'utf8'));
      for (const text of [...seen, readFileSync(log, 'utf8')]) expect(text).not.toContain(password);
      expect(pipes().filter((name) => !before.includes(name) && name.includes(`-${pid}-`))).toEqual([]);
    } finally {
      await stop();
    }
    expect(existsSync(join(dataFolder, 'tmp')), 'its folder for temporary files').toBe(false);
    for (const file of readdirSync(dataFolder, { recursive: true, withFileTypes: true }))
      if (file.isFile()) expect(readFileSync(join(file.parentPath, file.name)).includes(password)).toBe(false);
  });

  longOnServer(
    'keeps its data from one start to the next, with a new password and certificate, and tells of damage',
    async () => {
      const first = await start();
      let old: Buffer;
      try {
        expect((await ask(first.raw, 'GET', '/build/version')).body?.FullVersion).toBe(ravenDbVersion);
        await createDatabase(first.raw, 'x');
        expect((await ask(first.raw, 'PUT', '/databases/x/docs?id=y', { z: 1 })).status).toBe(201);
        old = readFileSync(String(first.raw.certificate));
      } finally {
        await first.stop();
      }
      const second = await start();
      try {
        const { body } = await ask(second.raw, 'GET', '/databases/x/docs?id=y');
        expect(body?.Results).toMatchObject([{ z: 1 }]);
        const { certificatePassword } = first.raw;
        expect(second.raw.certificatePassword).not.toBe(certificatePassword);
        const stranger = join(folder, 'old.pfx');
        writeFileSync(stranger, old);
        const answer = await ask({ ...second.raw, certificate: stranger, certificatePassword }, 'GET', '/databases');
        expect(answer).toMatchObject({ status: 403, body: { Type: 'InvalidAuth' } });
      } finally {
        await second.stop();
      }
      const system = join(second.dataFolder, 'data', 'System');
      const journals = readdirSync(join(system, 'Journals')).map((name) => join('Journals', name));
      for (const file of ['Raven.voron', ...journals].map((name) => join(system, name)))
        writeFileSync(file, Buffer.alloc(statSync(file).size, 'x'));
      const error: unknown = await start().then(
        (unexpected) => unexpected.stop(),
        (thrown) => thrown,
      );
      expect((error as DynoError | undefined)?.data.hint).toContain('dyno servers reset');
      expect((error as DynoError).message).not.toMatch(/^ +at /m);
    },
  );

  longOnServer('without security it is open to everybody on this machine, and takes settings', async () => {
    const settings = { 'Indexing.MapBatchSize': '128' };
    const { raw, port, stop } = await start({ secured: false, settings });
    try {
      expect(raw).toEqual({ url: `http://127.0.0.1:${port}` });
      await createDatabase(raw, 'x');
      expect((await ask(raw, 'PUT', '/databases/x/docs?id=y', { z: 1 })).status).toBe(201);
    } finally {
      await stop();
    }
  });

  longOnServer('tells in plain words what the server says of its own failure', async () => {
    const wrong = { settings: { 'Security.Certificate.Path': '/nowhere.pfx' } };
    const error: unknown = await start(wrong).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(DynoError);
    expect((error as DynoError).message).toMatch(/^RavenDB .* could not be started: (?:.|\n)*nowhere\.pfx/);
    expect((error as DynoError).message).not.toMatch(/^ +at /m);
  });
});

it('says what is missing', async () => {
  vi.stubEnv('XDG_CACHE_HOME', folder);
  expect(await ravendb.missing()).toMatchObject({
    fix: expect.stringMatching(/dyno servers install ravendb`|server of your own/),
  });
  vi.unstubAllEnvs();
});
