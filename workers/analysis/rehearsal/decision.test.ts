import { describe, expect, it } from 'vitest';
import { thirdOf } from '#platform/whole.fixture.ts';
import { Sfc32 } from '#stats/random/random.ts';
import { latencyRatios } from '../compare/latency-ratios.ts';
import { answeringOtherwise, decide, decisionOf, isWorse, withVerdict } from './decision.ts';
import { planted, rehearsed } from './rehearsal.fixture.ts';

const cv = (_: number, target: number) => [0.01, 0.03, 0.1][target % 3]!;

describe('a candidate that is equal to the reference', () => {
  const grids = [
    [2, 1, 3, 200, 19],
    [2, 8, 5, 100, 11],
    [3, 20, 5, 40, 6],
  ] as const;

  it.each(thirdOf(grids))(
    'is rarely called better or worse: %i targets, %i statements, %i repeats',
    (targets, statements, repeats, runs, most) => {
      const random = new Sfc32(targets * 100 + statements);
      let wrong = 0;
      for (let run = 0; run < runs; run++) {
        const { candidates } = decisionOf(rehearsed(random, { targets, statements, repeats, cv }))!;
        if (candidates.some((one) => withVerdict(one, 'worse').length + withVerdict(one, 'better').length > 0)) wrong++;
      }
      // 5 % of the runs and three standard errors.
      expect(wrong).toBeLessThanOrEqual(most);
    },
  );

  it('is the same in most statements where the repeats scatter little', () => {
    const random = new Sfc32(7);
    const quiet = { targets: 2, statements: 8, repeats: 8, calls: 3_000, correlation: 0, cv: () => 0.005 };
    let same = 0;
    for (let run = 0; run < 10; run++) {
      const model = rehearsed(random, quiet, 0.2);
      const judged = { ...model.plan.experiment, judge: ['p50' as const] };
      const decision = decisionOf({ ...model, plan: { ...model.plan, experiment: judged } })!;
      same += withVerdict(decision.candidates[0]!, 'same').length;
    }
    expect(same).toBeGreaterThan(72);
  });
});

it('hardly ever calls statements the same that differ by the margin', () => {
  const random = new Sfc32(11);
  let wrong = 0;
  const runs = 60;
  for (let run = 0; run < runs; run++) {
    const made = { targets: 2, statements: 8, repeats: 5, calls: 500, correlation: 0, cv: () => 0.01 };
    const model = rehearsed(random, { ...made, ms: (_, target) => (target === 1 ? 11 : 10) });
    const judged = { ...model.plan.experiment, judge: ['p50' as const] };
    const decision = decisionOf({ ...model, plan: { ...model.plan, experiment: judged } })!;
    if (withVerdict(decision.candidates[0]!, 'same').length > 0) wrong++;
  }
  // 5 % of the runs and three standard errors.
  expect(wrong).toBeLessThanOrEqual(8);
});

describe('a decision', () => {
  it('names the planted regression alone, with its ratio, its share and both times', () => {
    const decision = decisionOf(planted())!;
    const [candidate] = decision.candidates;
    const worse = withVerdict(candidate!, 'worse');
    expect(worse.map(({ statement }) => statement)).toEqual(['s3']);
    expect(worse[0]).toMatchObject({ timeShare: 0.1, why: null, cell: { variant: 'v0', target: 't1' } });
    expect(worse[0]!.ratio!.low).toBeGreaterThan(1.5);
    expect(worse[0]!.ms!.value / worse[0]!.referenceMs!.value).toBeCloseTo(worse[0]!.ratio!.value, 10);
    expect(withVerdict(candidate!, 'better')).toEqual([]);
    expect(isWorse(decision)).toBe(true);
  });

  it('covers the shares of its statements, and the rest of the time is not covered', () => {
    expect(decisionOf(planted())!.covered).toBeCloseTo(0.4, 10);
  });

  it('weighs the total time by the shares: one of four statements takes twice as long', () => {
    const { total } = decisionOf(planted())!.candidates[0]!;
    expect(total!.value).toBeGreaterThan(1.2);
    expect(total!.value).toBeLessThan(1.4);
    expect(total!.low).toBeLessThan(total!.value);
  });

  it('has bounds that are wider than those of each comparison for itself, and counts its comparisons', () => {
    const model = planted();
    const decision = decisionOf(model)!;
    expect(decision.comparisons).toBe(5);
    const alone = latencyRatios(model, { target: 't0' }, ['mean']).find(
      ({ work, target }) => work === 's0' && target === 't1',
    )!.ratio!;
    const together = decision.candidates[0]!.statements.find(({ statement }) => statement === 's0')!.ratio!;
    expect(together.value).toBe(alone.value);
    expect(together.low).toBeLessThan(alone.low!);
    expect(together.high).toBeGreaterThan(alone.high!);
  });

  it('is none of a run that is no rehearsal, or that has no candidate', () => {
    const model = planted();
    const { rehearsal: _, ...experiment } = model.plan.experiment;
    expect(decisionOf({ ...model, plan: { ...model.plan, experiment } })).toBeNull();
    const [reference] = model.plan.targets;
    expect(decisionOf({ ...model, plan: { ...model.plan, targets: [reference!] } })).toBeNull();
  });

  it('claims nothing with a single repeat', () => {
    const decision = decisionOf(planted({ repeats: 1 }))!;
    expect(decision.candidates[0]!.statements.map(({ verdict }) => verdict)).toEqual(Array(4).fill('notShown'));
    expect(isWorse(decision)).toBe(false);
  });

  it('shows nothing by the times of data that are not to be quoted, and still names what does not run', () => {
    const model = planted();
    const statements = { ...model.plan.experiment.statements! };
    statements.s2 = { ...statements.s2!, notOn: { t1: 'operator does not exist' } };
    const plan = { ...model.plan, experiment: { ...model.plan.experiment, statements } };
    const [candidate] = decide({ ...model, plan }, 'doNotQuote')!.candidates;
    expect(candidate!.statements.map(({ statement, verdict }) => [statement, verdict])).toEqual([
      ['s0', 'notShown'],
      ['s1', 'notShown'],
      ['s2', 'doesNotRun'],
      ['s3', 'notShown'],
    ]);
    expect(candidate!.statements[3]).toMatchObject({ why: 'The data of this run are not to be quoted.' });
    expect(isWorse(decide(planted(), 'doNotQuote')!)).toBe(false);
    expect(isWorse(decide(planted(), 'usable')!)).toBe(true);
  });

  it('shows nothing of a statement that answers otherwise, and is worse for that', () => {
    const model = planted({ ms: () => 10 });
    const cells = model.cells.map((cell) =>
      cell.target === 't1'
        ? {
            ...cell,
            otherAnswers: [
              {
                statement: 's1',
                outcome: 'differ' as const,
                draws: 3,
                why: 'a value differs',
                other: { variant: 'v0', target: 't0' },
              },
            ],
          }
        : cell,
    );
    const decision = decisionOf({ ...model, cells })!;
    const [one] = answeringOtherwise(decision.candidates[0]!);
    expect(one).toMatchObject({ statement: 's1', verdict: 'notShown', answers: { outcome: 'differ', draws: 3 } });
    expect(isWorse(decision)).toBe(true);
  });

  it('says with the server’s message that a statement does not run', () => {
    const model = planted({ ms: () => 10 });
    const statements = { ...model.plan.experiment.statements! };
    statements.s2 = { ...statements.s2!, notOn: { t1: 'operator does not exist' } };
    const plan = { ...model.plan, experiment: { ...model.plan.experiment, statements } };
    const decision = decisionOf({ ...model, plan })!;
    expect(withVerdict(decision.candidates[0]!, 'doesNotRun')).toMatchObject([
      { statement: 's2', why: 'operator does not exist', ratio: null },
    ]);
    expect(isWorse(decision)).toBe(true);
  });

  it('does not cover a statement without a result on the reference, and says so', () => {
    const model = planted();
    const trials = model.trials.map((view) => {
      const { result } = view;
      if (result === null || view.trial.target !== 't0') return view;
      return { ...view, result: { ...result, statements: result.statements!.filter(({ name }) => name !== 's3') } };
    });
    const decision = decisionOf({ ...model, trials })!;
    expect(decision.covered).toBeCloseTo(0.3, 10);
    expect(decision.leftOut).toMatchObject([{ what: 's3', timeShare: 0.1, why: 'It has no result on t0.' }]);
    expect(decision.candidates[0]!.statements.map(({ statement }) => statement)).not.toContain('s3');
  });
});
