import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, type TestContext, vi } from 'vitest';
import { exitCodes } from '#platform/exit-codes.ts';
import { type Home, homeOf } from '#platform/paths.ts';
import { canMount, smallDisk } from '#platform/small-disk.fixture.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { dyno } from './cli.fixture.ts';
import { experimentYaml } from './home.fixture.ts';

// Real processes, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000 });

let folder: string;
let disk: Disposable | null = null;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  disk?.[Symbol.dispose]();
  disk = null;
});

/** A small file system for this test only. */
function mountDisk(context: TestContext, size: string): string {
  if (!canMount) return context.skip('needs root and mount for a small tmpfs');
  const made = join(folder, 'disk');
  disk = smallDisk(made, size);
  return made;
}

const at = (root: string): Home => homeOf({ DYNO_HOME: root });

function experiment(): string {
  const file = join(folder, 'x.dyno.yaml');
  writeFileSync(file, experimentYaml({ measure: '{ repeats: 1 }' }));
  return file;
}

const readingCommands = [['list'], ['list', '--runs'], ['servers', 'status', 'embedded-postgres'], ['targets']];

/** Every writing command reports the same problem of this home, including `others`. */
async function refuses(root: string, why: RegExp, others: readonly string[][] = []): Promise<void> {
  for (const args of [['run', experiment(), '--trust'], ['test', 'sqlite'], ...others]) {
    const { code, err } = await dyno(at(root), ...args);
    expect(err, args[0]).toMatch(why);
    expect(err, args[0]).toContain('DYNO_HOME');
    expect(code, args[0]).toBe(exitCodes.runStopped);
  }
}

describe('a home that cannot be used ends a command with a remedy', () => {
  it.skipIf(process.platform !== 'linux')('where the system makes no folders', () =>
    refuses('/proc/dyno', /\/proc\/dyno cannot be used: ENOENT/, readingCommands),
  );

  it('where it is a file, or a file is in its path', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    await refuses(file, /cannot be used: it is a file/, readingCommands);
    await refuses(join(file, 'below'), /cannot be used: it is a file/);
  });

  it('where nothing can be written', async (context) => {
    const root = mountDisk(context, '1m');
    execFileSync('mount', ['-o', 'remount,ro', root]);
    await refuses(root, /cannot be used: EROFS/);
    await refuses(join(root, 'below'), /cannot be used: EROFS/);
    // Existing files can still be read.
    expect((await dyno(at(root), 'list', '--runs')).code).toBe(exitCodes.ok);
  });
});

it('a home is made, with the folders above it; a relative one is below the current folder', async () => {
  const root = join(folder, 'a/b/c');
  const ended = await dyno(at(root), 'run', experiment(), '--trust', '--quiet');
  expect(ended.code).toBe(exitCodes.ok);
  expect(readdirSync(join(root, 'runs'))).toHaveLength(1);
  expect(homeOf({ DYNO_HOME: 'here' }).root).toBe(join(process.cwd(), 'here'));
});

it('an empty DYNO_HOME is none', () => {
  expect(homeOf({ DYNO_HOME: '' })).toEqual(homeOf({}));
});

describe('a full disk', () => {
  it('from the first record on leaves no run', async (context) => {
    const root = mountDisk(context, '200k');
    mkdirSync(join(root, 'runs'));
    fill(root);
    const { code, err } = await dyno(at(root), 'run', experiment(), '--trust');
    expect(err).toMatch(/ENOSPC|cannot be used|cannot be written/);
    expect(err).toContain('Free some space');
    expect(code).toBe(exitCodes.runStopped);
    expect(readdirSync(join(root, 'runs'))).toEqual([]);
  });

  it('in the middle keeps the trials that are done', async (context) => {
    const root = mountDisk(context, '600k');
    const file = join(folder, 'x.dyno.yaml');
    const measure = '{ repeats: 2, order: declared, leastFreeMib: 0 }';
    writeFileSync(file, experimentYaml({ rows: '20000', targets: '[noop, sqlite]', measure }));
    const { code, err } = await dyno(at(root), 'run', file, '--trust');
    expect(err).toMatch(/Free some space/);
    expect(code).toBe(exitCodes.runStopped);
    const [run] = JSON.parse((await dyno(at(root), 'list', '--runs', '--json')).out) as { trialsDone: number }[];
    expect(run?.trialsDone).toBeGreaterThan(0);
  });
});

function fill(root: string): void {
  for (let bytes = 65_536; bytes >= 1; bytes = Math.floor(bytes / 2))
    try {
      for (let n = 0; ; n++) writeFileSync(join(root, `filler-${bytes}-${n}`), Buffer.alloc(bytes));
    } catch {
      // Full, for this size.
    }
}
