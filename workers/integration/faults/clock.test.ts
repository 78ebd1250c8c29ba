import { afterEach, expect, test, vi } from 'vitest';
import { newRun } from '#orchestrator/run/run.fixture.ts';
import { renderText } from '#presentation/terminal/run-text.ts';
import { loadRun } from '#workspace/runs/load-run.ts';
import { testHome } from '../home.fixture.ts';

// Real processes, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000 });
afterEach(() => void vi.useRealTimers());

const dayMs = 86_400_000;

test('a clock that jumps a day ahead and two days back changes no duration, rate or order', async () => {
  await using home = testHome();
  const { run, records, results } = await newRun(home, {
    workload: '{ operation: readByKey }',
    targets: '[sqlite]',
    measure: '{ until: { seconds: 0.5 }, repeats: 3, warmupSeconds: 0, order: declared }',
  });
  vi.useFakeTimers({ toFake: ['Date'] });
  const jump = (ms: number) => vi.setSystemTime(performance.timeOrigin + performance.now() + ms);
  jump(0);
  run.on('record', () => {
    const done = results().length;
    // This clock stands still between two records, which is also a fault.
    jump(done === 0 ? 0 : done === 1 ? dayMs : -2 * dayMs);
  });
  const outcome = await run.start();
  vi.useRealTimers();
  expect(outcome).toMatchObject({ status: 'complete', failedTrials: 0 });
  const times = records.flatMap((one) => ('at' in one ? [Date.parse(one.at)] : []));
  expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(2 * dayMs);
  for (const { elapsedMs, phaseMs } of results()) {
    expect(elapsedMs).toBeGreaterThan(0);
    for (const ms of [elapsedMs, ...Object.values(phaseMs)]) expect(ms).toBeLessThan(60_000);
  }
  const model = await loadRun(home.home, run.file);
  expect(model.damage).toEqual({ lines: 0, messages: [], unknown: 0 });
  expect(model.trials.map(({ trial }) => trial.number)).toEqual([1, 2, 3]);
  expect(renderText(model)).not.toMatch(/NaN|undefined|-\d+ s\b/);
});
