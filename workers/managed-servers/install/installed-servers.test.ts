import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { installedServers, newestOf } from './installed-servers.ts';

const onUnix = it.skipIf(process.platform === 'win32');
let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  vi.stubEnv('PATH', join(folder, 'path'));
  vi.stubEnv('XDG_CACHE_HOME', join(folder, 'cache'));
  return () => vi.unstubAllEnvs();
});

/** A program that prints a text, and its libraries' folder. */
function program(path: string, says: string): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\necho "${says} $LD_LIBRARY_PATH"\n`);
  chmodSync(file, 0o755);
  return file;
}

const found = () => installedServers({ names: ['thingd', 'oldthingd'], folders: [], versionArgs: ['--version'] });

onUnix(
  'finds the PATH’s program, those of DYNO_SERVERS and those that Dyno has fetched, each with its version',
  async () => {
    const onPath = program('path/thingd', 'thingd  Ver 10.11.19-Thing for linux');
    symlinkSync(onPath, join(folder, 'path', 'oldthingd'));
    const one = program('one/bin/thingd', 'db version v7.0.14');
    const several = program('several/thing-8.4/sbin/thingd', 'Ver 8.4.3');
    const fetched = program('cache/dyno/managed-servers/thing-8.0/bin/thingd', 'Ver 8.0.2');
    program('several/broken/thingd', 'no number');
    vi.stubEnv('DYNO_SERVERS', [join(folder, 'one'), join(folder, 'several'), join(folder, 'gone')].join(delimiter));
    const all = await found();
    expect(all.map(({ program: path, version }) => [path, version])).toEqual([
      [onPath, '10.11.19'],
      [one, '7.0.14'],
      [several, '8.4.3'],
      [fetched, '8.0.2'],
    ]);
    const own = join(folder, 'cache/dyno/managed-servers/thing-8.0');
    expect(all.map((one) => one.fetched)).toEqual([null, null, null, own]);
    expect(all.at(-1)?.said).toContain(join(own, 'lib'));
  },
);

it('takes the newest release of a series, and no other series that begins with the same digits', () => {
  const all = ['10.1.3', '10.11.9', '10.11.19', '11.4.5'].map((version) => ({ version }));
  expect(newestOf(all, '10.11')?.version).toBe('10.11.19');
  expect(newestOf(all, '10.1')?.version).toBe('10.1.3');
  expect(newestOf(all, '11')?.version).toBe('11.4.5');
  expect(newestOf(all, '1')).toBeNull();
});
