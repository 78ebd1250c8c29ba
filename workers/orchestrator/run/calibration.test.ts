import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { testHome } from '#integration/home.fixture.ts';
import type { Home } from '#platform/paths.ts';
import type { CalibrationEntry } from '#protocol/measurement.ts';
import type { Control } from '../worker/control.ts';
import { calibrateRoundTrip, openCalibration } from './calibration.ts';
import { storageOf } from './storage/storage-entries.ts';

// Real processes, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000 });

const never = new AbortController().signal;
const cached = (home: Home) =>
  JSON.parse(readFileSync(home.calibration, 'utf8')) as Record<string, readonly CalibrationEntry[]>;

it('a calibration that was cancelled is no ceiling', async () => {
  await using test = testHome();
  const calibration = openCalibration(test.home, { fresh: true });
  // The calibration is cancelled at each stage: while the worker starts, in its warm-up, while it measures.
  for (const afterMs of [50, 300, 500]) {
    const [outcome] = await Promise.allSettled([calibration.noopEngine(AbortSignal.timeout(afterMs))]);
    if (outcome?.status === 'fulfilled') expect(outcome.value[0]?.perSecond).toBeGreaterThan(0);
  }
});

it('what is kept is used again, but never a ceiling of nothing', async () => {
  await using test = testHome();
  rmSync(test.home.calibration, { force: true });
  const first = await openCalibration(test.home).noopEngine(never);
  expect(await openCalibration(test.home).noopEngine(never)).toEqual(first);
  const empty = Object.entries(cached(test.home)).map(([key, some]) => [
    key,
    some.map((one) => ({ ...one, perSecond: 0 })),
  ]);
  writeFileSync(test.home.calibration, JSON.stringify(Object.fromEntries(empty)));
  expect((await openCalibration(test.home).noopEngine(never))[0]?.perSecond).toBeGreaterThan(0);
});

it('the disk is measured once, and is that of targets in its file system', async () => {
  await using test = testHome();
  rmSync(test.home.calibration, { force: true });
  const entries = await openCalibration(test.home).storage(never);
  expect(entries.map(({ storage }) => storage?.measure)).toContain('overwriteSync');
  expect(await openCalibration(test.home).storage(never)).toEqual(entries);
  const target = (name: string, dataFolder: string | null) => ({ record: { name }, dataFolder });
  const elsewhere = [target('far', null), target('gone', join(test.home.root, 'gone'))];
  const [first] = storageOf(entries, test.home, [target('near', test.home.embedded), ...elsewhere]);
  expect(first?.storage?.targets).toEqual(['near']);
  expect(storageOf(entries, test.home, elsewhere)).toEqual([]);
});

it.each([
  [true, 'Cheapest statement of x, in process'],
  [false, 'Round trip to x'],
])('only what is not in the process has a round trip: %s', async (inProcess, label) => {
  const control = {
    planned: { name: 'x' },
    descriptor: { inProcess },
    ask: async () => ({ perSecond: 1, p50Us: 1, p99Us: 1 }),
  } as unknown as Control; // The round trip needs only this part.
  expect((await calibrateRoundTrip(control, never)).label).toBe(label);
});
