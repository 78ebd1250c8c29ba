import { afterEach, describe, expect, it, vi } from 'vitest';
import { runStateText } from '#analysis/text/run-state-text.ts';
import { experimentYaml } from '#integration/home.fixture.ts';
import { sharedHome } from '#integration/shared-home.fixture.ts';
import { newTrustedRun, resumeTrusted } from '#integration/trusted.fixture.ts';
import { whole } from '#platform/whole.fixture.ts';
import { loadRun } from '#workspace/runs/load-run.ts';
import { openRuns } from '#workspace/runs/runs.ts';
import { runTrial } from '../trial/trial.ts';
import type { TrialContext } from '../trial/trial-context.ts';
import { withMadeTrials } from './made-trials.fixture.ts';
import { collect } from './run.fixture.ts';
import type { Run } from './run-scheduler.ts';

// Real processes, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000 });

vi.mock('../trial/trial.ts', { spy: true });

// The tests share a home, because its calibration of this machine takes longer than the runs.
const test = sharedHome();
afterEach(() => {
  vi.mocked(runTrial).mockReset();
});

const steady = ({ trial }: TrialContext): number => (trial.target === 'a' ? 2_000 : 1_000) + 10 * (trial.number % 3);

/** The records that end the repeats of a run, and the repeats of its results. */
function decisions(run: Run) {
  const { records, results } = collect(run);
  return {
    enough: () => records.flatMap((one) => (one.record === 'enough' && 'precision' in one ? [one] : [])),
    repeats: () => results().map(({ repeat }) => repeat),
  };
}

/** A trial of an aborted run has the status of a real one. */
const cancelledIfAborted =
  (trial: typeof runTrial): typeof runTrial =>
  async (context) => {
    const { result, kept } = await trial(context);
    return { result: { ...result, status: context.signal.aborted ? 'cancelled' : result.status }, kept };
  };

const twoTargets = '[{ name: a, engine: noop, delayMs: 5 }, { name: b, engine: noop, delayMs: 10 }]';

const adaptive = (precision: number, measure: string, targets = twoTargets) =>
  `${experimentYaml({ workload: '{ operation: readByKey }', targets, measure: `{ until: { seconds: 0.2, precision: ${precision} }, ${measure}, warmupSeconds: 0 }` })}baseline: { target: a }\n`;

const newRun = (yaml: string) => newTrustedRun({ home: test.home, yaml });

describe('a run that an advice ends', () => {
  const fixed = experimentYaml({
    workload: '{ operation: readByKey }',
    targets: twoTargets,
    measure: '{ until: { seconds: 0.2 }, warmupSeconds: 0, repeats: 4 }',
  });

  it.each([
    // The answer is certain after a whole round; the budget may end within the first round, or within a later one.
    ['answered', 4, 2, 'Complete: the answer is certain'],
    ['timeUsed', 1, 0, 'Complete: 1 of 2 trials, the budget is used'],
    ['timeUsed', 5, 2, 'Complete: the budget is used'],
  ] as const)('is complete, because %s after %i trials, and cannot be resumed', async (reason, trials, round, text) => {
    withMadeTrials(steady);
    const run = await newRun(fixed);
    let done = 0;
    run.on('record', ({ record }) => {
      if (record === 'result' && ++done === trials) run.finish(reason);
    });
    expect(await run.start()).toMatchObject({ status: 'complete', error: null, trialsToResume: 0 });
    expect(run.progress).toMatchObject({ trialsDone: trials, activity: 'Finished' });

    const model = await loadRun(test.home, run.file);
    expect(model).toMatchObject({ status: 'complete', enough: { reason, round }, halted: null });
    expect(model.trials).toHaveLength(Math.max(2, trials));
    const entry = (await openRuns(test.home).list()).find(({ id }) => id === run.id)!;
    expect(runStateText(entry)).toBe(text);
    await expect(resumeTrusted({ home: test.home, file: run.file })).rejects.toThrow(
      `This run ended because ${text.slice(text.lastIndexOf('the '))}: there is nothing to resume.`,
    );
  });

  it('is complete without a reason, because every trial was measured before', async () => {
    withMadeTrials(steady);
    const run = await newRun(fixed);
    let done = 0;
    run.on('record', ({ record }) => {
      if (record === 'result' && ++done === run.plan.trials.length) run.finish('timeUsed');
    });
    expect(await run.start()).toMatchObject({ status: 'complete', error: null });
    expect(await loadRun(test.home, run.file)).toMatchObject({ status: 'complete', enough: null });
  });

  it('leaves out the trial that it stopped', async () => {
    withMadeTrials(steady);
    const run = await newRun(fixed);
    run.on('record', (entry) => {
      if (entry.record === 'trial' && entry.trial.number === 4) run.finish('timeUsed');
    });
    vi.mocked(runTrial).mockImplementation(cancelledIfAborted(vi.mocked(runTrial).getMockImplementation()!));
    expect(await run.start()).toMatchObject({ status: 'complete' });
    const { trials, caveats } = await loadRun(test.home, run.file);
    expect(trials.map(({ result }) => result?.status)).toEqual(['ok', 'ok', 'ok']);
    expect(caveats.map(({ text }) => text)).toContain('Ended after 1 repeat: the budget is used.');
  });

  it('stays cancelled and can be resumed if a user cancels it first', async () => {
    withMadeTrials(steady);
    const run = await newRun(fixed);
    let done = 0;
    run.on('record', ({ record }) => {
      if (record !== 'result' || ++done !== 3) return;
      run.cancel();
      run.finish('timeUsed');
    });
    expect(await run.start()).toMatchObject({ status: 'cancelled' });
    expect(await loadRun(test.home, run.file)).toMatchObject({ status: 'cancelled', enough: null });
    const again = await resumeTrusted({ home: test.home, file: run.file });
    expect(await again.start()).toMatchObject({ status: 'complete' });
  });
});

describe('a run whose repeats may vary', () => {
  it('ends after the round in which every interval is narrow enough, and says so everywhere', async () => {
    withMadeTrials(steady);
    const run = await newRun(adaptive(0.5, 'repeats: { min: 3, max: 40 }'));
    expect(run.plan.trials).toHaveLength(80);
    const { enough, repeats } = decisions(run);
    const told: number[] = [];
    run.on('progress', ({ precision }) => {
      if (precision && precision.round !== told.at(-1)) told.push(precision.round);
    });
    expect(await run.start()).toMatchObject({ status: 'complete', failedTrials: 0 });

    const [end, ...others] = enough();
    expect(others).toEqual([]);
    expect(end).toMatchObject({ reason: 'narrow', precision: { relativeMargin: 0.5, roundsMore: 0 } });
    const { round, cells } = end!.precision;
    expect(round).toBe(3);
    expect(cells).toMatchObject([{ target: 'b', of: 'ratio' }]);
    expect(cells[0]!.halfWidth!).toBeLessThanOrEqual(0.5);
    expect(repeats()).toHaveLength(2 * round);
    expect(Math.max(...repeats())).toBe(round);
    expect(told).toEqual(Array.from({ length: round }, (_, i) => i + 1));
    expect(run.progress).toMatchObject({ fraction: 1, trialsDone: 2 * round, trialsPlanned: 2 * round, live: false });

    const model = await loadRun(test.home, run.file);
    expect(model.enough).toMatchObject({ reason: 'narrow' });
    expect(model.trials).toHaveLength(2 * round);
    const [entry] = await openRuns(test.home).list();
    expect(entry).toMatchObject({ status: 'complete', trialsDone: 2 * round, trialsPlanned: 2 * round });
    await expect(resumeTrusted({ home: test.home, file: run.file })).rejects.toThrow(/enough after \d+ repeats/);
  });

  it('ends where the judge of its rounds says so, in place of its measurement plan, also after a pause', async () => {
    withMadeTrials(steady);
    const asked: number[] = [];
    const judgeRound = async (round: number) => {
      asked.push(round);
      if (round === 1) run.cancel();
      return round === 2 ? ('answered' as const) : null;
    };
    const measure = '{ until: { seconds: 0.2 }, repeats: 50, warmupSeconds: 0 }';
    const yaml = experimentYaml({ workload: '{ operation: readByKey }', targets: twoTargets, measure });
    const run: Run = await newTrustedRun({ home: test.home, yaml, judgeRound });
    expect(await run.start()).toMatchObject({ status: 'cancelled' });
    const resumed = await resumeTrusted({ home: test.home, file: run.file, judgeRound });
    expect(await resumed.start()).toMatchObject({ status: 'complete' });
    expect(asked).toEqual([1, 2]);
    const { enough, trials } = await loadRun(test.home, run.file);
    expect(enough).toMatchObject({ reason: 'answered', round: 2 });
    expect(trials).toHaveLength(4);
  });

  it('begins no round that would pass the budget', async () => {
    withMadeTrials(steady);
    const run = await newRun(adaptive(0.001, 'repeats: { min: 2, max: 40 }, budgetSeconds: 2'));
    const { enough, repeats } = decisions(run);
    expect(await run.start()).toMatchObject({ status: 'complete' });
    // Three rounds of 0.6 s are 1.8 s; a fourth would make 2.4 s.
    expect(enough()).toMatchObject([{ reason: 'budget', precision: { round: 3 } }]);
    expect(repeats()).toEqual([1, 1, 2, 2, 3, 3]);
  });

  it.runIf(whole)('says at the last round what the intervals have come to, of trials in processes', async () => {
    const run = await newRun(adaptive(0.001, 'repeats: { min: 2, max: 3 }', '[{ name: a, engine: noop, delayMs: 5 }]'));
    const { enough, repeats } = decisions(run);
    expect(await run.start()).toMatchObject({ status: 'complete' });
    expect(repeats()).toEqual([1, 2, 3]);
    expect(enough()).toMatchObject([{ reason: 'max', precision: { round: 3 } }]);
    const { caveats } = await loadRun(test.home, run.file);
    expect(caveats.map(({ title }) => title)).toContain('Intervals wider than wanted');
  });

  it('decides in a resumed run by all the results that there are', async () => {
    withMadeTrials(steady);
    const run = await newRun(adaptive(0.5, 'repeats: { min: 4, max: 40 }'));
    let done = 0;
    run.on('record', ({ record }) => {
      if (record === 'result' && ++done === 3) run.cancel();
    });
    expect(await run.start()).toMatchObject({ status: 'cancelled' });

    const again = await resumeTrusted({ home: test.home, file: run.file });
    const { enough, repeats } = decisions(again);
    expect(await again.start()).toMatchObject({ status: 'complete' });
    expect(enough()).toMatchObject([{ reason: 'narrow' }]);
    expect(enough()[0]!.precision.round).toBe(4);
    // Three of the eight repeats were already there.
    expect(repeats()).toEqual([2, 3, 3, 4, 4]);
    const model = await loadRun(test.home, run.file);
    expect(model.trials.map(({ result }) => result?.status)).toEqual(new Array(8).fill('ok'));
  });

  it('goes on without a target that cannot be reached, and makes up for it in a resumed run', async () => {
    withMadeTrials(steady);
    const targets = `[{ name: a, engine: noop, delayMs: 5 }, { name: gone, engine: postgres, host: 127.0.0.1, port: 1 }]`;
    const run = await newRun(adaptive(0.5, 'repeats: { min: 2, max: 40 }', targets));
    const first = decisions(run);
    expect(await run.start()).toMatchObject({ status: 'complete', unreachableTargets: ['gone'] });
    expect(first.enough()).toMatchObject([{ reason: 'narrow', precision: { cells: [{ target: 'a', of: 'mean' }] } }]);

    const again = await resumeTrusted({ home: test.home, file: run.file });
    const second = decisions(again);
    expect(await again.start()).toMatchObject({ status: 'complete', unreachableTargets: ['gone'] });
    // The target is still unreachable: only its own trials were tried, and the run ends in the same way.
    const { round } = first.enough()[0]!.precision;
    expect(second.repeats()).toEqual(Array.from({ length: round }, (_, i) => i + 1));
    expect(second.enough()).toMatchObject([{ reason: 'narrow' }]);
  });
});
