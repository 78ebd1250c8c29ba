import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testHome } from '#integration/home.fixture.ts';
import { openLibrary } from '#workspace/library/library.ts';
import { openRuns } from '#workspace/runs/runs.ts';

it.skipIf(process.platform === 'win32')('pipes, devices and links to nothing keep nobody waiting', async () => {
  await using test = testHome();
  const { home } = test;
  for (const [folder, ending] of [
    [home.experiments, '.dyno.yaml'],
    [home.runs, '.dyno-run'],
  ] as const) {
    execFileSync('mkfifo', [join(folder, `pipe${ending}`)]);
    symlinkSync('/dev/zero', join(folder, `zero${ending}`));
    symlinkSync('/nowhere', join(folder, `nothing${ending}`));
  }
  const mine = openLibrary(home)
    .list()
    .filter(({ origin }) => origin === 'mine');
  expect(mine.map(({ name, problem }) => [name, problem])).toEqual([
    ['pipe', 'pipe.dyno.yaml is a pipe, not a file.'],
    ['zero', 'zero.dyno.yaml is a device, not a file.'],
  ]);
  expect(() => openLibrary(home).import('/dev/zero')).toThrow(/zero is a device, not a file/);
  const runs = openRuns(home);
  expect((await runs.list()).map(({ name, status }) => [name, status])).toEqual([
    ['zero', 'unreadable'],
    ['pipe', 'unreadable'],
  ]);
  await expect(runs.import(join(home.runs, 'pipe.dyno-run'))).rejects.toThrow(/is a pipe, not a file/);
});
