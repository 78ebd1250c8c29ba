import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DynoError } from '#model/error.ts';
import { installPython, makeFolder, unpackNpm } from './fetch-package.ts';

let folder: string;
let tarball: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dyno-fetch-'));
  for (const path of ['bin', 'package', 'package/dist']) mkdirSync(join(folder, path));
  writeFileSync(join(folder, 'package/dist/server'), 'a server');
  writeFileSync(join(folder, 'package/dist/other'), 'not asked for');
  tarball = join(folder, 'made.tgz');
  execFileSync('tar', ['-czf', tarball, '-C', folder, 'package']);
  vi.stubEnv('PATH', `${join(folder, 'bin')}${delimiter}${process.env.PATH}`);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** A program of the user's that does this instead; its arguments are in "$@". */
function program(name: string, script: string): string {
  const file = join(folder, 'bin', name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });

  return file;
}

/** npm pack NAME --pack-destination FOLDER …, from a registry that has this file. */
const registry = (file: string) => program('npm', `cp '${file}' "$4/fetched.tgz"`);
const integrity = () => `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
const target = () => join(folder, 'tools', 'server-1');
const fetchInto = (pinned: string) =>
  makeFolder(target(), (work) =>
    unpackNpm({ name: 'server', version: '1.0.0', integrity: pinned }, work, ['package/dist/server'], () => {}),
  );
const errorOf = (attempt: Promise<unknown>): Promise<DynoError> =>
  attempt.then(
    () => expect.unreachable('it did not fail'),
    (thrown) => (thrown instanceof DynoError ? thrown : expect.unreachable(String(thrown))),
  );

describe.skipIf(process.platform === 'win32')('fetching from registries', () => {
  it('unpacks what was asked for of a package with the pinned checksum', async () => {
    registry(tarball);
    await fetchInto(integrity());
    expect(readdirSync(join(target(), 'dist'))).toEqual(['server']);
    expect(readdirSync(join(folder, 'tools'))).toEqual(['server-1']);
  });

  it('uses nothing of a package with another checksum, and leaves nothing behind', async () => {
    registry(tarball);
    const pinned = integrity();
    writeFileSync(join(folder, 'package/dist/server'), 'another server');
    execFileSync('tar', ['-czf', tarball, '-C', folder, 'package']);
    const error = await errorOf(fetchInto(pinned));
    expect(error.message).toContain('is not the package Dyno knows');
    expect(readdirSync(join(folder, 'tools'))).toEqual([]);
  });

  it('keeps what was there when a second attempt fails', async () => {
    registry(tarball);
    await fetchInto(integrity());
    program('npm', 'echo "E404 no such package" >&2; exit 1');
    const error = await errorOf(fetchInto(integrity()));
    expect(error.data).toMatchObject({ kind: 'unreachable' });
    expect(error.message).toContain('E404 no such package');
    expect(existsSync(join(target(), 'dist/server'))).toBe(true);
  });

  it('says so where there is no npm', async () => {
    vi.stubEnv('PATH', join(folder, 'bin'));
    expect((await errorOf(fetchInto(integrity()))).message).toContain('ENOENT');
  });

  it('lets pip install only what has a pinned hash, and says what to install where there is no pip', async () => {
    const python = program('python3', `printf '%s ' "$@" > '${join(folder, 'arguments')}'`);
    await installPython(python, 'requirements.txt', join(folder, 'python'), () => {});
    expect(readFileSync(join(folder, 'arguments'), 'utf8')).toMatch(/--no-deps --require-hashes --only-binary=:all:/);
    program('python3', 'echo "No module named pip" >&2; exit 1');
    const error = await errorOf(installPython(python, 'requirements.txt', join(folder, 'python'), () => {}));
    expect(error.data.hint).toContain('python3-pip');
  });
});
