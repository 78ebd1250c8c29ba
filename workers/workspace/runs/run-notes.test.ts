import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { ensureHome, homeOf } from '#platform/paths.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { openRuns } from './runs.ts';

const id = '20260101-120000-0a1b2c3d';
let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
});

test('a note stands beside its run, is removed when it is empty, and shares the run’s way to the trash and back', async () => {
  const home = homeOf({ DYNO_HOME: folder });
  ensureHome(home);
  cpSync(new URL('./run-notes.test.ts', import.meta.url), join(home.runs, `${id}.dyno-run`));
  const runs = openRuns(home);
  expect((await runs.list()).map(({ note }) => note)).toEqual(['']);
  runs.annotate(id, 'after the index rebuild');
  expect((await runs.list()).map(({ note }) => note)).toEqual(['after the index rebuild']);
  const { undo } = runs.delete(id);
  expect(readdirSync(home.runs)).toEqual([]);
  runs.restore(undo);
  expect((await runs.list()).map(({ note }) => note)).toEqual(['after the index rebuild']);
  runs.annotate(id, ' ');
  expect(readdirSync(home.runs)).toEqual([`${id}.dyno-run`]);
  expect(() => runs.annotate('20260101-120000-ffffffff', 'x')).toThrow('does not exist');
});
