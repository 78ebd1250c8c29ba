import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fullRun } from '#orchestrator/journal/damaged-run.fixture.ts';
import { tryLock } from '#platform/file-lock.ts';
import { ensureHome, type Home, homeOf } from '#platform/paths.ts';
import { runLockFile } from './journal-file.ts';
import { openRuns } from './runs.ts';

/** The file of a run whose process has written no end. */
const withoutEnd = (text: string): string => text.replace(/\n\{"record":"end"[^\n]*/, '');

let home: Home;
let file: string;

beforeEach(() => {
  home = homeOf({ DYNO_HOME: mkdtempSync(join(tmpdir(), 'dyno-runs-')) });
  ensureHome(home);
  file = join(home.runs, '20260101-120000-0a1b2c3d.dyno-run');
  writeFileSync(file, fullRun());
});
afterEach(() => rmSync(home.root, { recursive: true }));

test('the next start knows the runs that it has listed, and reads what has changed', async () => {
  const whole = new Date('2026-01-01T12:00:00Z');
  utimesSync(file, whole, whole);
  const first = await openRuns(home).list();
  expect(first).toMatchObject([{ status: 'complete', name: expect.stringMatching(/./), cells: expect.anything() }]);

  // Size and time are the same, so nothing is read, whatever the file contains now.
  writeFileSync(file, 'x'.repeat(statSync(file).size));
  utimesSync(file, whole, whole);
  expect(await openRuns(home).list()).toEqual(first);

  // A longer file counts as changed.
  writeFileSync(file, withoutEnd(fullRun()));
  expect(await openRuns(home).list()).toMatchObject([{ status: 'interrupted' }]);
});

test('this thread is idle while the files are read', async () => {
  const text = fullRun();
  for (let i = 0; i < 60; i++)
    writeFileSync(join(home.runs, `20260102-1200${String(i).padStart(2, '0')}-0a1b2c3d.dyno-run`), text);
  const runs = openRuns(home);
  await runs.import(moved(text)); // starts the thread
  const before = performance.eventLoopUtilization();
  expect(await runs.list()).toHaveLength(62);
  expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5);
});

test('a run that this process is writing is running, and interrupted when it has let go', async () => {
  writeFileSync(file, withoutEnd(fullRun()));
  const lock = tryLock(runLockFile(home, file))!;
  const runs = openRuns(home);
  expect(await runs.list()).toMatchObject([{ status: 'running', grade: null }]);
  lock.release();
  expect(await runs.list()).toMatchObject([{ status: 'interrupted', grade: { level: expect.any(String) } }]);
});

test('what is no run is shown as unreadable, and the others are listed', async () => {
  writeFileSync(join(home.runs, 'b.dyno-run'), '');
  writeFileSync(join(home.runs, 'c.dyno-run'), 'SQLite format 3\0');
  mkdirSync(join(home.runs, 'd.dyno-run'));
  const listed = await openRuns(home).list();
  expect(listed.map(({ id, status }) => [id.slice(0, 4), status])).toEqual([
    ['d', 'unreadable'],
    ['c', 'unreadable'],
    ['b', 'unreadable'],
    ['2026', 'complete'],
  ]);
});

/** The file of a run with an id of its own, outside of the home. */
function moved(text: string): string {
  const own = join(home.root, 'moved.dyno-run');
  writeFileSync(own, text.replace(/"runId":"[^"]*"/, '"runId":"20260103-120000-0a1b2c3d"'));
  return own;
}
