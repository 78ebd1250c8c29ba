import { mkdtempSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fullRun } from '#orchestrator/journal/damaged-run.fixture.ts';
import { ensureHome, type Home, homeOf } from '#platform/paths.ts';
import { openRuns } from './runs.ts';

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
  writeFileSync(file, fullRun().replace(/\n\{"record":"end"[^\n]*\n$/, '\n'));
  expect(await openRuns(home).list()).toMatchObject([{ status: 'interrupted' }]);
});

test('a list that is damaged, or says what no run says, is made again', async () => {
  const first = await openRuns(home).list();
  for (const damage of [
    () => truncateSync(home.runList, 40),
    () => writeFileSync(home.runList, '{"version":"0.1.0","known":{"x":{"id":7}}}'),
  ]) {
    damage();
    expect(await openRuns(home).list()).toEqual(first);
  }
});
