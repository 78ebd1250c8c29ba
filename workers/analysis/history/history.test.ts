import { describe, expect, it } from 'vitest';
import { historyAnswer } from '#presentation/text/history-answer.ts';
import type { History } from '#protocol/history.ts';
import { Sfc32 } from '#stats/random/random.ts';
import { normal } from '#stats/random/samples.fixture.ts';
import { machineUseOf } from '../run-model/journal-parts.fixture.ts';
import { fixtureRun } from '../run-model/run.fixture.ts';
import { historyOf, type ValuesOfHistory } from './history.ts';
import { factsOf, type RunFacts } from './run-facts.ts';

const facts = factsOf(fixtureRun({ connections: [1] }));

const withSetting = (name: string, value: string): RunFacts => ({
  ...facts,
  targets: facts.targets.map((target) =>
    target.name === 'PostgreSQL' && target.fingerprint
      ? { ...target, fingerprint: { ...target.fingerprint, memory: { ...target.fingerprint.memory, [name]: value } } }
      : target,
  ),
});
const withCalculation = (calculationUs: number, more: RunFacts = facts): RunFacts => ({
  ...more,
  use: { ...more.use, machine: machineUseOf({ calculationUs }) },
});

const random = new Sfc32(1);
const series = (levels: readonly number[], more: Partial<ValuesOfHistory> = {}): ValuesOfHistory => ({
  ...{ label: 'prepared', target: 'PostgreSQL', index: 0, work: null, quantity: 'throughput', unit: 'rows/s' },
  limit: null,
  points: levels.map((level, run) => {
    const value = level * Math.exp(0.01 * normal(random));
    return { run, value, low: value * 0.98, high: value * 1.02, n: 3 };
  }),
  definitions: levels.map(() => 'same work'),
  ...more,
});
const steps = (...parts: readonly (readonly [runs: number, level: number])[]) =>
  parts.flatMap(([runs, level]) => Array.from({ length: runs }, () => level));

const history = (all: readonly ValuesOfHistory[], of: (run: number) => RunFacts = () => facts): History =>
  historyOf({
    ...{ name: 'Insert duel', size: null, olderRuns: 0, series: all },
    runs: Array.from({ length: Math.max(...all.map(({ points }) => points.length)) }, (_, run) => ({
      id: `run-${run}`,
      startedAt: `2026-11-${String(run + 1).padStart(2, '0')}T12:00:00.000Z`,
      ...{ title: '', isBaseline: false, grade: null },
      facts: of(run),
    })),
  });

describe('a change between runs', () => {
  it('is found with its size, and with the setting that changed at the same run', () => {
    const made = history([series(steps([6, 100], [6, 140])), series(steps([12, 100]), { label: 'bulk' })], (run) =>
      withSetting('shared_buffers', run < 6 ? '128 MB' : '1 GB'),
    );
    expect(made.series[0]!.changes).toMatchObject([{ at: 6, verdict: 'better', machine: null }]);
    expect(made.series[0]!.changes[0]!.ratio!.value).toBeCloseTo(1.4, 1);
    expect(made.series[0]!.levels).toMatchObject([
      { from: 0, to: 5 },
      { from: 6, to: 11 },
    ]);
    expect(made.series[1]!.changes).toEqual([]);
    expect(made.movedFirst).toEqual({ at: 6, series: [0] });
    expect(made.runs.flatMap(({ changes }, at) => changes.map(({ what, after }) => [at, what, after]))).toEqual([
      [6, 'shared_buffers', '1 GB'],
    ]);
    expect(historyAnswer(made).join(' ')).toMatch(
      /^Since Nov 7, throughput of prepared is \d+\s% higher \(\d+–\d+\s%\)\. With it changed: shared_buffers 128 MB → 1 GB at PostgreSQL\.$/u,
    );
  });

  it('names what changed in a run before it whose cell failed', () => {
    const whole = series(steps([6, 100], [6, 140]));
    const points = whole.points.filter(({ run }) => run !== 6);
    const made = history([{ ...whole, points }, series(steps([12, 100]), { label: 'bulk' })], (run) =>
      withSetting('shared_buffers', run < 6 ? '128 MB' : '1 GB'),
    );
    expect(made.series[0]!.changes).toMatchObject([{ at: 7, since: 5 }]);
    expect(historyAnswer(made).join(' ')).toMatch(/^Since Nov 8.* With it changed: shared_buffers 128 MB → 1 GB/);
  });

  it('of a time is worse where the time is longer, and of failed calls where there are more', () => {
    const made = history([
      series(steps([5, 10], [5, 14]), { quantity: 'p99', unit: 'ms', work: 'browse' }),
      series([], {
        ...{ quantity: 'errors', unit: 'share', limit: 0.01, definitions: steps([10, 0]).map(() => '') },
        points: steps([5, 0], [5, 0.02]).map((value, run) => ({ run, value, low: 0, high: 0.03, n: 3 })),
      }),
    ]);
    expect(made.series.map(({ changes }) => changes.map(({ at, verdict }) => [at, verdict]))).toEqual([
      [[5, 'worse']],
      [[5, 'worse']],
    ]);
    expect(historyAnswer(made)).toEqual([
      expect.stringMatching(
        /^Since Nov 6, the share of failed calls is 2\.00\s% after 0\s%; p99 of browse is \d+\s% longer/,
      ),
      'No version, setting or part of the experiment changed at that run.',
    ]);
  });

  it('is not shown in runs that only scatter, nor in three runs', () => {
    expect(historyAnswer(history([series(steps([10, 100]))]))).toEqual([
      'No change is shown in 10 runs since Nov 1. Dyno searched 1 figure for one.',
    ]);
    expect(historyAnswer(history([series(steps([1, 100], [2, 200]))]))[0]).toContain('from 4 runs on');
  });
});

describe('the machine', () => {
  const slower = [series(steps([6, 100], [6, 90]))];

  it('is the possible reason of a change that its own speed would make', () => {
    const made = history(slower, (run) => withCalculation(run < 6 ? 1_000 : 1_120));
    expect(made.series[0]!.changes).toMatchObject([{ at: 6, verdict: 'cannotTell' }]);
    expect(made.runs.map(({ machineSpeed }) => machineSpeed! > 1)).toEqual(steps([6, 1], [6, 0]).map(Boolean));
    const answer = historyAnswer(made).join(' ');
    expect(answer).toContain('Dyno cannot tell the machine from the server as the reason');
    expect(answer).toMatch(/The machine may be the reason.*Fixed calculation: 1\.00\sms before, 1\.12\sms after/u);
  });

  it('does not excuse a change that is greater, and is named beside it', () => {
    const much = [series(steps([6, 100], [6, 60]))];
    const made = history(much, (run) => withCalculation(run < 6 ? 1_000 : 1_120));
    expect(made.series[0]!.changes).toMatchObject([{ verdict: 'worse', machine: expect.stringContaining('a part') }]);
    // A faster machine makes no server slower.
    expect(history(slower, (run) => withCalculation(run < 6 ? 1_120 : 1_000)).series[0]!.changes[0]!.verdict).toBe(
      'worse',
    );
  });

  it('is no reason where it was in another state during one run, and is one where it is another machine', () => {
    const once = history(slower, (run) => withCalculation(run === 6 ? 2_000 : 1_000));
    expect(once.series[0]!.changes).toMatchObject([{ verdict: 'worse' }]);
    const stolenFrom = (from: number) => (run: number) => ({
      ...facts,
      use: { ...facts.use, machine: machineUseOf({ stealMs: run < from ? 0 : 2_000 }) },
    });
    // The hypervisor took processors from the later runs, or from the earlier ones.
    const [later, earlier] = [
      history(slower, stolenFrom(6)),
      history([series(steps([6, 100], [6, 120]))], stolenFrom(6)),
    ];
    expect(later.series[0]!.changes).toMatchObject([
      { verdict: 'cannotTell', machine: expect.stringContaining('hypervisor') },
    ]);
    expect(earlier.series[0]!.changes).toMatchObject([{ verdict: 'better' }]);
    const other = history(slower, (run) => ({
      ...facts,
      environment: { ...facts.environment, cores: run < 6 ? 2 : 64 },
    }));
    expect(other.series[0]!.changes).toMatchObject([
      { verdict: 'cannotTell', machine: expect.stringContaining('64 cores') },
    ]);
  });
});

it('an edit of the work is no change of the server, and the runs before and after it are searched apart', () => {
  const edited = series(steps([5, 100], [6, 20]), {
    definitions: steps([5, 1], [6, 2]).map((work) => `work ${work}`),
  });
  const made = history([edited]);
  expect(made.series[0]).toMatchObject({ changes: [], redefined: [5], levels: [{ to: 4 }, { from: 5 }] });
});

it('shows the highest figure of the times that all runs have, and every figure with a goal', () => {
  const time = (quantity: string, more: Partial<ValuesOfHistory> = {}) =>
    series(steps([6, 10]), { quantity, unit: 'ms', ...more });
  const p99 = time('p99');
  const some = { ...p99, points: p99.points.slice(2), definitions: p99.definitions.slice(2) };
  const shown = (all: readonly ValuesOfHistory[]) => history(all).series.map(({ quantity }) => quantity);
  expect(shown([time('p50'), time('p95'), some, time('mean')])).toEqual(['p95']);
  expect(shown([time('p50'), time('p95', { limit: 5 }), p99])).toEqual(['p95']);
});
