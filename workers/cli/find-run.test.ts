import { statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { fullRun } from '#orchestrator/journal/damaged-run.fixture.ts';
import { ensureHome, type Home, homeOf } from '#platform/paths.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { openRuns, type Runs } from '#workspace/runs/runs.ts';
import { findRun } from './find-run.ts';

const ids = ['20260101-120000-0a1b2c3d', '20260102-120000-0a1b2c3e', '20260103-120000-0a1b2c3f'] as const;
let home: Home;
let runs: Runs;
let experiment: string;

beforeEach(async () => {
  home = homeOf({ DYNO_HOME: temporaryFolder() });
  ensureHome(home);
  for (const id of ids) writeFileSync(join(home.runs, `${id}.dyno-run`), fullRun());
  runs = openRuns(home);
  experiment = (await runs.list())[0]!.name;
});

const found = async (word: string, of: string | null = null) => basename(await findRun(home, word, of), '.dyno-run');

test('a run is found by its id, a part of it, its title, its tag, and its place', async () => {
  await runs.annotate(ids[0], { title: 'before the upgrade', tags: ['v1'], isBaseline: true });
  // An id is meant before a title of the same text.
  await runs.annotate(ids[1], { title: ids[2], tags: ['20260101'] });
  expect(await found(ids[2])).toBe(ids[2]);
  expect(await found('20260102')).toBe(ids[1]);
  expect(await found('0a1b2c3f')).toBe(ids[2]);
  expect(await found('last')).toBe(ids[2]);
  expect(await found('before the upgrade')).toBe(ids[0]);
  expect(await found('v1')).toBe(ids[0]);
  expect(await found('20260101')).toBe(ids[1]);
  for (const word of ['baseline', 'pinned']) expect(await found(word)).toBe(ids[0]);
  await expect(found('nothing')).rejects.toThrow('There is no run “nothing”');
  await expect(found('v1', 'Another experiment')).rejects.toThrow('of the experiment “Another experiment”');
});

test('a folder with the name of a tag hides no run', async () => {
  expect(statSync('docs').isDirectory()).toBe(true);
  await runs.annotate(ids[0], { tags: ['docs'] });
  expect(await found('docs')).toBe(ids[0]);
});

test('a tag of several runs is ambiguous, and names the newest one where the experiment is known', async () => {
  for (const id of ids.slice(0, 2)) await runs.annotate(id, { tags: ['main'] });
  await expect(found('main')).rejects.toThrow(`“main” means 2 runs: ${ids[1]}`);
  expect(await found('main', experiment)).toBe(ids[1]);
  await expect(found('2026', experiment)).rejects.toThrow('“2026” means 3 runs');
});

test('a baseline that is missing or deleted is said', async () => {
  await expect(found('baseline', experiment)).rejects.toThrow(`No run of the experiment “${experiment}” is pinned`);
  await runs.annotate(ids[0], { isBaseline: true });
  const { undo } = runs.delete(ids[0]);
  await expect(found('baseline', experiment)).rejects.toThrow(`the run ${ids[0]}, has been deleted`);
  runs.restore(undo);
  expect(await found('baseline', experiment)).toBe(ids[0]);
});
