import { expect, test, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { config } from '#engines/postgres/config.ts';
import { experimentYaml, testHome } from '#integration/home.fixture.ts';
import { newTrustedRun } from '#integration/trusted.fixture.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import { childPids } from '#platform/processes.fixture.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { loadRun } from '#workspace/runs/load-run.ts';
import { emulateNetwork } from './emulated-target.ts';

vi.setConfig({ testTimeout: 240_000 });

test.skipIf(isSkipped('embedded-postgres') || process.platform === 'win32')(
  'a run: the delay is a factor, its network emulators are named when they die, and are gone after their trials',
  async () => {
    await using home = testHome();
    const yaml = experimentYaml({
      rows: '500',
      workload: '{ operation: readByKey, thinkMs: 20 }',
      factors: '{ networkRoundTripMs: [0, 10] }',
      targets: '[embedded-postgres, noop]',
      measure: '{ until: { seconds: 1.5 }, repeats: 2, warmupSeconds: 0.2 }',
    });
    const run = await newTrustedRun({ home: home.home, yaml });
    expect(run.plan.skipped.map(({ target, reason }) => `${target}: ${reason}`)).toEqual([
      'noop: No-op engine works inside the client process: there is no network to delay.',
    ]);
    const records: JournalRecord[] = [];
    let killed = 0;
    run.on('record', (record) => {
      records.push(record);
      const [emulator] = record.record === 'snapshot' && killed === 0 ? childPids('emulator-process.') : [];
      if (emulator === undefined) return;
      killed = emulator;
      process.kill(emulator, 'SIGKILL');
    });
    expect(await run.start()).toMatchObject({ status: 'complete', failedTrials: 1 });
    expect(childPids('emulator-process.')).toEqual([]);

    const results = records.flatMap((one) => (one.record === 'result' ? [one.result] : []));
    const [failed] = results.filter(({ status }) => status === 'failed');
    expect(failed?.error).toMatchObject({
      kind: 'workerGone',
      message: expect.stringContaining(`(process ${killed})`),
    });
    const [delayed, ...others] = results.filter(({ status, network }) => status === 'ok' && network !== undefined);
    expect(others).toEqual([]);
    expect(delayed?.variant).toBe(failed?.variant);
    expect(Histogram.decode(delayed!.totals.service).min / 1e6).toBeGreaterThan(10);
    expect(Histogram.decode(delayed!.network!.added).count).toBeGreaterThanOrEqual(delayed!.totals.calls);

    const { cells } = await loadRun(home.home, run.file);
    expect(cells.map(({ network }) => network?.roundTrips !== undefined)).toEqual(
      cells.map(({ variant }) => variant === delayed?.variant),
    );
  },
);

test('a socket file has no place for a network emulator', async () => {
  const target = config.parse({ host: '/run/postgresql' });
  await expect(emulateNetwork(config, target, { ...defaultSettings, networkRoundTripMs: 1 }, 1)).rejects.toMatchObject({
    data: { kind: 'unsupported', message: expect.stringContaining('/run/postgresql/.s.PGSQL.5432') },
  });
  expect(childPids('emulator-process.')).toEqual([]);
});
