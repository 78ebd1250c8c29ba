import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fixtureJournal } from '#analysis/run-model/run.fixture.ts';
import { journalVersion } from '#protocol/journal.ts';
import { createWatches, type Watches } from './watches.ts';

let dir: string;
let file: string;
let watches: Watches;
let sent: { readonly records: number; readonly upToDate: boolean; readonly why: string | undefined }[];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'dyno-watches-'));
  file = join(dir, 'run.dyno-run');
  sent = [];
  watches = createWatches((event, payload) => {
    if (event !== 'run:records' || payload === null || !('records' in payload)) return;
    sent.push({
      records: JSON.parse(payload.records).length,
      upToDate: payload.upToDate,
      why: payload.failure?.message,
    });
  });
});
afterEach(() => {
  watches.close();
  rmSync(dir, { recursive: true });
});

const longRun = (lines: number) =>
  [
    JSON.stringify(fixtureJournal().next().value),
    ...Array<string>(lines).fill(`{"record":"resumed","at":"2026-01-01T00:00:00.000Z","pad":"${'x'.repeat(1_000)}"}`),
    '',
  ].join('\n');
const records = () => sent.reduce((sum, part) => sum + part.records, 0);

test('a long journal is sent no faster than the page processes it', async () => {
  writeFileSync(file, longRun(3_000));
  watches.watch('run', file, () => false);
  await expect.poll(() => sent.length).toBe(3);
  // No further part arrives until the page confirms one.
  await new Promise((later) => setTimeout(later, 100));
  expect(sent).toHaveLength(3);
  watches.taken('run');
  await expect.poll(() => sent.length).toBe(4);

  const taking = setInterval(() => watches.taken('run'), 1);
  try {
    await expect.poll(() => sent.at(-1)?.upToDate).toBe(true);
  } finally {
    clearInterval(taking);
  }
  expect(records()).toBe(3_001);
});

test('a watch that ends while the page lags closes the file', async () => {
  writeFileSync(file, longRun(3_000));
  watches.watch('run', file, () => false);
  await expect.poll(() => sent.length).toBe(3);
  watches.unwatch('run');
  watches.watch('run', file, () => false);
  await expect.poll(() => sent.length).toBe(6);
});

test('the page gets the reason why a file cannot be shown', async () => {
  writeFileSync(file, `{"record":"header","version":${journalVersion},"plan":null}\n`);
  watches.watch('run', file, () => false);
  await expect
    .poll(() => sent)
    .toMatchObject([{ records: 0, upToDate: true, why: expect.stringContaining('its first line, cannot be used') }]);
});
