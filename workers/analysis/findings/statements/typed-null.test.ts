import { describe, expect, it } from 'vitest';
import { onlyShown } from '../shared/findings.fixture.ts';
import { pictureText } from '../shared/picture.fixture.ts';
import { judged, mistakesOf, type SmallCell, type SmallRun } from '../shared/small-run.fixture.ts';
import { typedNullRun } from './typed-null.fixture.ts';
import { typedNull } from './typed-null.ts';

const nullBindings = { asFloat: { implementation: 'a float', methods: ['prepared'], converts: ['decimal'] } } as const;
const withNulls = { id: { type: 'uuid4' }, amount: { type: 'decimal', nulls: 0.5 } };
const probeInfo = {
  compilations: { unit: 'count', label: 'Plans compiled', role: 'hardParses' },
  batches: { unit: 'count', label: 'Batches', role: 'executions' },
} as const;

/**
 * Made-up plans: a program that guesses types has a plan for every combination of nulls, and a conversion in each row.
 */
const cell = (level: string, rates: readonly number[], compiled = 0): SmallCell => ({
  levels: { nullBinding: level },
  trials: rates.map((rate) => ({
    perSecond: [rate, rate],
    samples: [
      { counters: { compilations: 0, batches: 0 } },
      { counters: { compilations: (compiled * rate) / 2, batches: rate } },
      { counters: { compilations: compiled * rate * 2, batches: rate * 2 } },
    ],
  })),
});
const run = (cells: readonly SmallCell[], more: Partial<SmallRun> = {}) =>
  judged(typedNull, { cells, columns: withNulls, descriptor: { nullBindings }, probeInfo, ...more });
const fast = [30_000, 30_400, 29_700, 30_100, 29_900];
const slow = [5_000, 5_100, 4_950, 5_020, 4_980];

describe('nulls of another type', () => {
  it('are shown for certain where the same cell without is faster and makes fewer plans', () => {
    const claim = onlyShown(typedNull, typedNullRun);
    expect(claim).toMatchObject({
      confidence: 'certain',
      claim: expect.stringMatching(
        /^Null binding: asDecimal on constructed loses 99\.3\s% of its throughput to nulls declared as “asDecimal”: 200\srows\/s/,
      ) as string,
    });
    expect(claim.evidence.map(({ text }) => text)).toEqual([expect.stringMatching(/^150×/), '1', '<0.001']);
    expect(pictureText(claim)).toMatch(/^Throughput \(rows\/s\): this cell 200, with Null binding asFloat 30\.\dk$/);
    const { facts, outcomes } = run([cell('asFloat', slow, 0.5), cell('asColumn', fast)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['shown', 'notShown']);
    expect(mistakesOf(facts, outcomes[0])).toEqual([]);
  });

  it('are likely where the plans say nothing', () => {
    const { outcomes } = run([cell('asFloat', slow), cell('asColumn', fast)], { probeInfo: {} });
    expect(outcomes[0]).toMatchObject({ status: 'shown', confidence: 'likely' });
  });

  it('are possible where only the plans say so', () => {
    const { facts, outcomes } = run([cell('asFloat', slow, 0.5)]);
    expect(outcomes[0]).toMatchObject({ status: 'shown', confidence: 'possible' });
    expect(mistakesOf(facts, outcomes[0])).toEqual([]);
  });

  it('are left open if the interval includes a relevant gain', () => {
    const noisy = [20_000, 40_000, 25_000, 38_000, 30_000];
    const { outcomes } = run([cell('asFloat', noisy), cell('asColumn', noisy.toReversed())]);
    expect(outcomes.map(({ status }) => status)).toEqual(['cannotTell', 'cannotTell']);
    expect(outcomes[0]).toMatchObject({ why: expect.stringContaining('leaves open') as string });
  });

  it('are not shown if they cost nothing, or if the cost is unknown', () => {
    const statuses = (cells: readonly SmallCell[], more?: Partial<SmallRun>) =>
      run(cells, more).outcomes.map(({ status }) => status);
    expect(statuses([cell('asFloat', fast), cell('asColumn', fast)])).toEqual(['notShown', 'notShown']);
    expect(statuses([cell('asFloat', slow)])).toEqual(['cannotTell']);
    expect(statuses([cell('asFloat', [5_000]), cell('asColumn', [30_000])])[0]).toBe('cannotTell');
    expect(
      statuses([cell('asFloat', slow, 0.5), cell('asColumn', fast)], { columns: { id: { type: 'uuid4' } } }),
    ).toEqual(['notShown']);
    expect(statuses([{ trials: [{ perSecond: [1] }] }], { descriptor: {} })).toEqual(['cannotTell']);
  });
});
