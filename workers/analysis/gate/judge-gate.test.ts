import { describe, expect, it } from 'vitest';
import type { ErrorData } from '#model/error.ts';
import { Sfc32 } from '#stats/random/random.ts';
import { madeTimes } from '../compare/made-times.fixture.ts';
import type { CellSummary, LoadSummary, RunModel } from '../run-model/run-model.ts';
import { parseCondition } from './conditions.ts';
import { judgeGate } from './judge-gate.ts';
import { type MadeHistory, madeHistory } from './made-history.fixture.ts';

const usual: MadeHistory = { cells: 1, slower: 0, factor: 1, repeats: 5, cv: 0.01, drift: 0.01, earlier: 10 };

type Change = (run: RunModel) => RunModel;
const same: Change = (run) => run;

function gateOf(made: Partial<MadeHistory>, conditions: readonly string[] = ['slower 5%'], now = same, before = same) {
  const { run, baseline } = madeHistory(new Sfc32(7), { ...usual, ...made });
  const changed = { ...baseline, run: before(baseline.run) };
  return judgeGate(now(run), changed, conditions.map(parseCondition));
}

/** Changes the first cell of a run. */
const withCell =
  (more: Partial<CellSummary>): Change =>
  (run) => ({ ...run, cells: run.cells.map((cell, i) => (i === 0 ? { ...cell, ...more } : cell)) });

const error = (kind: ErrorData['kind']): ErrorData => ({
  ...{ kind, code: null, message: 'It failed.', hint: null, retryable: false },
});

describe('a ratio to the baseline', () => {
  it('fails beyond the limit, passes within it, and is undecided around it', () => {
    expect(gateOf({ slower: 1, factor: 0.8 })).toMatchObject({ outcome: 'failed', repeatsNeeded: 0, comparisons: 1 });
    expect(gateOf({})).toMatchObject({ outcome: 'passed', repeatsNeeded: 0 });
    expect(gateOf({ slower: 1, factor: 0.95 }).outcome).toBe('undecided');
    expect(gateOf({ slower: 1, factor: 1.3 }).outcome).toBe('passed');
  });

  it('says the interval, the limit and the repeats that would decide it', () => {
    const open = gateOf({ slower: 1, factor: 0.962, cv: 0.04, earlier: null });
    expect(open.outcome).toBe('undecided');
    expect(open.sentence).toMatch(
      /^Undecided: t1 is 0\.9\d+–\d\.\d+× of the baseline, and the limit is 0\.95×\. \d+ more repeats would decide it\.$/,
    );
    expect(open.conditions[0]!.cells[0]).toMatchObject({
      unit: 'ratio',
      limit: 0.95,
      repeatsNeeded: open.repeatsNeeded,
    });
    expect(open.repeatsNeeded).toBeGreaterThan(0);
    expect(gateOf({ slower: 1, factor: 0.8 }).sentence).toMatch(/^Failed: t0 is .*: more than 5\s% slower\.$/);
  });

  it('decides nothing between two runs before three runs show their drift, nor where the machine differs', () => {
    const early = gateOf({ slower: 1, factor: 0.5, earlier: 2 });
    expect(early).toMatchObject({ outcome: 'undecided', repeatsNeeded: null });
    expect(early.sentence).toContain('after 1 more run of it');
    expect(gateOf({ earlier: 2 }).outcome).toBe('undecided');
    const otherMachine: Change = (run) => ({ ...run, environment: { ...run.environment, cores: 8 } });
    const elsewhere = gateOf({ slower: 1, factor: 0.5 }, undefined, otherMachine);
    expect(elsewhere.outcome).toBe('undecided');
    expect(elsewhere.sentence).toContain('the machine was in another state (Processors');
  });

  it('decides nothing where the tables had other rows, and lists what changed since the baseline', () => {
    const withRows =
      (rows: number, sql: string): Change =>
      (run) =>
        ({
          ...run,
          plan: { ...run.plan, experiment: { dataset: { rows, columns: {} }, statements: { pay: { text: sql } } } },
        }) as unknown as RunModel;
    const edited = gateOf({}, undefined, withRows(1_000, 'SELECT 2'), withRows(1_000, 'SELECT 1'));
    expect(edited).toMatchObject({ outcome: 'passed', changes: [{ kind: 'statement', after: 'SELECT 2' }] });
    const fewer = gateOf({ slower: 1, factor: 1.5 }, undefined, withRows(10, ''), withRows(1_000, ''));
    expect(fewer).toMatchObject({ outcome: 'undecided', repeatsNeeded: null });
    expect(fewer.sentence).toContain('but the tables had other rows (dataset.rows: 1000 before, 10 now).');
  });

  it('does not call more repeats a way out where runs differ by themselves by as much', () => {
    const drifting = gateOf({ slower: 1, factor: 1.05, drift: 0.1 });
    expect(drifting).toMatchObject({ outcome: 'undecided', repeatsNeeded: null });
    expect(drifting.sentence).toContain('runs of this experiment differ by about as much by themselves');
  });

  it('fails for many cells only what is certain among all of them', () => {
    const alone = gateOf({ slower: 1, factor: 0.87, cv: 0.045, earlier: null, repeats: 3 });
    const among = gateOf({ slower: 1, factor: 0.87, cv: 0.045, earlier: null, repeats: 3, cells: 20 });
    expect(alone.outcome).toBe('failed');
    expect(among).toMatchObject({ comparisons: 20, outcome: 'undecided' });
  });
});

describe('a cell without values to compare', () => {
  const outcomes = (now: Change, before = same) => gateOf({}, undefined, now, before);

  it('fails if its trials fail for a reason of the experiment, and the baseline’s did not', () => {
    const failing = withCell({ failed: 1, firstError: error('deadlock') });
    expect(outcomes(failing)).toMatchObject({ outcome: 'failed', sentence: 'Failed: t0: 1 trial failed: It failed.' });
    expect(outcomes(failing, failing).outcome).toBe('undecided');
    expect(outcomes(withCell({ failed: 1, firstError: error('unreachable') })).outcome).toBe('undecided');
  });

  it('is undecided if one run lacks it, or its answers are not comparable', () => {
    const gone: Change = (run) => ({ ...run, cells: [] });
    expect(outcomes(gone).sentence).toBe('Undecided: t0: only the baseline has this cell.');
    expect(outcomes(same, gone).sentence).toBe('Undecided: t0: the baseline does not have this cell.');
    const odd = withCell({ rowProblems: [{ kind: 'foundNothing' } as CellSummary['rowProblems'][number]] });
    expect(outcomes(odd).outcome).toBe('undecided');
    expect(outcomes(same, odd).outcome).toBe('undecided');
  });

  it('is undecided if its load set its throughput, unless it is faster', () => {
    const loaded = withCell({ load: { setsThroughput: true } as LoadSummary });
    expect(outcomes(loaded, loaded).sentence).toContain('its load set its throughput');
    expect(gateOf({ slower: 1, factor: 1.5 }, undefined, loaded).outcome).toBe('passed');
  });
});

describe('conditions about times', () => {
  const timed = (factor: number, seed: number) =>
    madeTimes(new Sfc32(seed), {
      ...{ variants: 1, targets: 2, statements: 2, repeats: 8, calls: 2_000, correlation: 0, cv: () => 0.01 },
      ms: (_, target, statement) => (target === 1 && statement === 1 ? 10 * factor : 10),
    });
  const gate = (factor: number, ...conditions: readonly string[]) => {
    const run = timed(factor, 3);
    const inTurn = new Map([['t1', 't0']]);
    return judgeGate(run, { run, inTurn, name: 't0', earlier: [] }, conditions.map(parseCondition));
  };

  it('judge a statement by its own times, and undecided is a statement that nobody calls', () => {
    const { conditions } = gate(1.5, 'statement:s0 p50 10%', 'statement:s1 p50 10%', 'statement:s2 p50 10%');
    expect(conditions.map(({ outcome }) => outcome)).toEqual(['passed', 'failed', 'undecided']);
    expect(conditions[1]!.cells[0]!.sentence).toMatch(
      /^p50 of “s1” in t1 is 1\.\d+–1\.\d+× of the baseline: more than/,
    );
    expect(conditions[2]!.cells[0]!.sentence).toBe('No cell calls “s2”.');
  });

  it('need enough calls for the percentile', () => {
    expect(gate(1, 'p99.99 10%').sentence).toContain('a repeat has too few calls for this time');
  });
});

describe('conditions without a baseline', () => {
  const failingShare =
    (share: number): Change =>
    (run) => ({
      ...run,
      trials: run.trials.map((view) => ({
        ...view,
        result: {
          ...view.result!,
          ...view.trial,
          totals: { ...view.result!.totals, calls: 10_000, errors: { timeout: share * 10_000 }, retries: 0 },
        },
      })),
    });
  const errors = (share: number) =>
    judgeGate(failingShare(share)(madeHistory(new Sfc32(1), usual).run), null, [parseCondition('errors 0.1%')]);

  it('judge the share of failed calls by its interval', () => {
    expect([0, 0.001, 0.01].map((share) => errors(share).outcome)).toEqual(['passed', 'undecided', 'failed']);
    expect(errors(0.01).sentence).toMatch(
      /^Failed: The share of failed calls of t0 is .*\s%, beyond the limit of 0\.1\s%\.$/,
    );
  });

  it('leave a gate undecided that asks for goals the experiment does not have', () => {
    const { run } = madeHistory(new Sfc32(1), usual);
    expect(judgeGate(run, null, [parseCondition('goal')])).toMatchObject({
      ...{ outcome: 'undecided', baseline: null, sentence: 'Undecided: The experiment has no goals.' },
    });
  });
});
