import { afterEach, describe, expect, it, vi } from 'vitest';
import { experimentYaml } from '#integration/home.fixture.ts';
import { sharedHome } from '#integration/shared-home.fixture.ts';
import { newTrustedRun, resumeTrusted } from '#integration/trusted.fixture.ts';
import { variantOf } from '#planning/variant-of.ts';
import { lightTheme } from '#presentation/charts/kit/theme.ts';
import { searchChart } from '#presentation/charts/search-chart.ts';
import { searchTable } from '#presentation/tables/load/search-table.ts';
import { renderText } from '#presentation/terminal/run-text.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import { loadRun } from '#workspace/runs/load-run.ts';
import { openRuns } from '#workspace/runs/runs.ts';
import { runTrial } from '../trial/trial.ts';
import type { TrialContext } from '../trial/trial-context.ts';
import { withMadeTrials } from './made-trials.fixture.ts';
import type { Run } from './run-scheduler.ts';

vi.setConfig({ testTimeout: 60_000 });

vi.mock('../trial/trial.ts', { spy: true });

const test = sharedHome();
afterEach(() => {
  vi.mocked(runTrial).mockReset();
});

/** Throughput rises up to 12 connections (24 on b). */
const rising =
  (failsFrom = Number.POSITIVE_INFINITY) =>
  ({ trial, plan }: TrialContext): number | null => {
    const { connections } = variantOf(plan, trial.variant)!.settings;
    return connections >= failsFrom
      ? null
      : 100 * Math.min(connections, trial.target === 'a' ? 12 : 24) + (trial.number % 3);
  };

const yaml = experimentYaml({
  workload: '{ operation: readByKey }',
  targets: '[{ name: a, engine: noop, delayMs: 5 }, { name: b, engine: noop, delayMs: 10 }]',
  measure:
    '{ until: { seconds: 0.2 }, search: { find: saturation, setting: connections, from: 1, to: 512 }, warmupSeconds: 0 }',
});

const newRun = (text = yaml) => newTrustedRun({ home: test.home, yaml: text });

/** The tried loads in order, such as "a 16". */
function collect(run: Run) {
  const tried: string[] = [];
  run.on('record', (record: JournalRecord) => {
    if (record.record === 'result' && record.result.status !== 'cancelled')
      tried.push(`${record.result.target} ${variantOf(run.plan, record.result.variant)!.settings.connections}`);
  });
  return tried;
}

describe('a run that searches', () => {
  it('chooses its trials as it goes on, in turns with its targets, and shows where it came to and no more', async () => {
    withMadeTrials(rising());
    const run = await newRun();
    const tried = collect(run);
    expect(await run.start()).toMatchObject({ status: 'complete', failedTrials: 0 });
    for (const target of ['a', 'b'])
      expect(tried.filter((one) => one.startsWith(target)).slice(0, 5)).toEqual(
        [1, 2, 4, 8, 16].map((load) => `${target} ${load}`),
      );
    for (let i = 0; i < 20; i += 2) expect(tried[i]!.slice(0, 1)).not.toBe(tried[i + 1]!.slice(0, 1));
    expect(run.progress).toMatchObject({ fraction: 1, trialsDone: tried.length, trialsPlanned: tried.length });

    const model = await loadRun(test.home, run.file);
    expect(model.searches.map(({ target, end }) => [target, end?.reason, end?.answer?.value])).toEqual([
      ['a', 'found', 12],
      ['b', 'found', 23],
    ]);
    expect(model.trials).toHaveLength(tried.length);
    expect(model.trials.every(({ result }) => result?.status === 'ok')).toBe(true);
    const loads = [...new Set(tried.map((one) => Number(one.slice(2))))].toSorted((a, b) => a - b);
    expect(model.plan.variants.map(({ settings }) => settings.connections)).toEqual(loads);
    expect(model.cells.every(({ ok }) => ok > 0)).toBe(true);
    const any = expect.any(String);
    expect(searchTable(model).rows).toMatchObject([
      { cells: ['connections', 'a', '12 (11–12)', expect.stringMatching(/^4\.80k/), '–', any, any] },
      { cells: ['connections', 'b', '23 (22–23)', expect.stringMatching(/^9\.2/), '–', any, any] },
    ]);
    expect(searchTable(model).note).toMatch(/two doublings .* 5 %; at the highest allowed load, one is enough/);
    expect(renderText(model)).toMatch(/connections {2}a +12 \(11–12\)/);
    const { rows } = searchChart(model, lightTheme).data;
    expect(rows.map(([, load, target]) => `${target} ${load}`)).toEqual(tried);
    expect(await openRuns(test.home).list()).toMatchObject([{ status: 'complete', trialsPlanned: tried.length }]);
    await expect(resumeTrusted({ home: test.home, file: run.file })).rejects.toThrow(/nothing to resume/);
  });

  it('goes on after an interruption as if there had been none', async () => {
    withMadeTrials(rising());
    const whole = await newRun();
    const all = collect(whole);
    await whole.start();

    const run = await newRun();
    const first = collect(run);
    run.on('record', ({ record }) => {
      if (record === 'result' && first.length === 11) run.cancel();
    });
    expect(await run.start()).toMatchObject({ status: 'cancelled' });
    const [entry] = await openRuns(test.home).list();
    expect(entry).toMatchObject({ status: 'cancelled', trialsDone: first.length, trialsPlanned: null });
    const open = await loadRun(test.home, run.file);
    expect(open.searches.map(({ end }) => end)).toEqual([null, null]);
    expect(searchTable(open).rows[0]!.cells.at(-1)).toBe('The search was not finished.');

    const again = await resumeTrusted({ home: test.home, file: run.file });
    const second = collect(again);
    expect(await again.start()).toMatchObject({ status: 'complete' });
    expect([...first, ...second]).toEqual(all);
  });

  it('ends the climb of a target whose trials fail, and says why', async () => {
    withMadeTrials(rising(32));
    const run = await newRun();
    const tried = collect(run);
    expect(await run.start()).toMatchObject({ status: 'complete', failedTrials: 2 });
    expect(tried.filter((one) => one === 'b 32')).toHaveLength(1);
    const model = await loadRun(test.home, run.file);
    expect(model.searches.map(({ end }) => end?.reason)).toEqual(['failed', 'failed']);
    expect(searchTable(model).rows[1]).toMatchObject({
      cells: expect.arrayContaining(['16 or more', expect.stringContaining('Too many.')]),
    });
  });
});
