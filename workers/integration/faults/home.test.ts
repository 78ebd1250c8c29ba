import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { exitCodes } from '#platform/exit-codes.ts';
import { type Home, homeOf } from '#platform/paths.ts';
import { canMount, smallDisk } from '#platform/small-disk.fixture.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import { dyno, start } from '../cli.fixture.ts';
import { experimentYaml, testHome } from '../home.fixture.ts';

vi.setConfig({ testTimeout: 120_000 });

const short = experimentYaml({
  targets: '[sqlite]',
  measure: '{ until: { seconds: 0.2 }, repeats: 1, warmupSeconds: 0 }',
});

/** Kills `dyno report` when it starts to write: there is no partial report, and the run file is unchanged. */
async function reportKilledWhileWritten(home: Home, run: string): Promise<void> {
  const folder = join(home.root, 'written');
  mkdirSync(folder);
  const before = readFileSync(run);
  const { child, ended } = start(home, 'report', run, '-o', join(folder, 'x.html'));
  const watcher = watch(folder, () => child.kill('SIGKILL'));
  const { code } = await ended;
  watcher.close();
  const written = readdirSync(folder).filter((name) => name === 'x.html');
  for (const name of written) expect(readFileSync(join(folder, name), 'utf8')).toMatch(/<\/html>\s*$/);
  expect(code === null || written.length === 1).toBe(true);
  expect(readFileSync(run)).toEqual(before);
}

test('two runs in one home at a time are two whole files, also where a report of one is killed', async () => {
  await using test = testHome();
  const file = join(test.home.root, 'x.dyno.yaml');
  writeFileSync(file, short);
  const both = await Promise.all([dyno(test.home, 'run', file, '-q'), dyno(test.home, 'run', file, '-q')]);
  expect(both.map(({ code }) => code)).toEqual([exitCodes.ok, exitCodes.ok]);
  const files = readdirSync(test.home.runs).filter((name) => name.endsWith('.dyno-run'));
  expect(files).toHaveLength(2);
  await reportKilledWhileWritten(test.home, join(test.home.runs, files[0] ?? ''));
  for (const name of files) {
    const lines = readFileSync(join(test.home.runs, name), 'utf8').split('\n').slice(0, -1);
    const records = lines.map((line) => JSON.parse(line) as JournalRecord);
    expect(records.filter(({ record }) => record === 'result')).toHaveLength(1);
    expect(records.at(-1)).toMatchObject({ record: 'end', status: 'complete' });
  }
});

test.skipIf(!canMount)('a home that cannot be written is named, and the command says what to do', async () => {
  await using test = testHome();
  const disk = join(test.home.root, 'disk');
  using _ = smallDisk(disk, '8m');
  const file = join(test.home.root, 'x.dyno.yaml');
  writeFileSync(file, short);
  mkdirSync(join(disk, 'home'));
  execFileSync('mount', ['-o', 'remount,ro', disk]);
  const { code, err } = await dyno(homeOf({ DYNO_HOME: join(disk, 'home') }), 'run', file, '-q', '--trust');
  expect(err).toContain(join(disk, 'home'));
  expect(err).toMatch(/read-only|EROFS/);
  expect(code).toBe(exitCodes.runStopped);
});
