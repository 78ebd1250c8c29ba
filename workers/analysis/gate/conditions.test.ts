import { describe, expect, it } from 'vitest';
import { conditionForms, formatCondition, needsBaseline, parseCondition } from './conditions.ts';
import { type GateOutcome, joinedOutcome } from './gate-result.ts';

describe('parseCondition', () => {
  it('reads every form, and formatCondition writes it again', () => {
    const written = ['slower 5%', 'p99 10%', 'p99.9 12.5%', 'statement:sell p95 2000%', 'errors 0.1%', 'goal'];
    expect(written.map((one) => formatCondition(parseCondition(one)))).toEqual(written);
    expect(parseCondition(' statement:look up a bill  10 % ')).toEqual({
      ...{ kind: 'time', work: 'look up a bill', figure: 'mean', share: 0.1 },
    });
    expect(formatCondition(parseCondition('finding:fullScan'))).toBe('finding:fullScan');
    expect(parseCondition('p99.9 1%')).toMatchObject({ figure: 0.999 });
  });

  it.each([
    ...['', 'slower', 'slower 5', 'slower -5%', 'slower 100%', 'slower 1.2.3%', 'errors 100%', 'p0 5%', 'p100 5%'],
    ...['faster 5%', 'statement: 5%', 'p99', 'NaN%', 'p99 Infinity%'],
  ])('refuses %j with the forms', (written) => {
    expect(() => parseCondition(written)).toThrow(
      expect.objectContaining({
        data: expect.objectContaining({ kind: 'badInput', hint: `Conditions are ${conditionForms}.` }),
      }),
    );
  });

  it('knows the findings, and which conditions compare', () => {
    expect(() => parseCondition('finding:fullScann')).toThrow(
      expect.objectContaining({ data: expect.objectContaining({ hint: 'Did you mean `fullScan`?' }) }),
    );
    expect(
      ['slower 5%', 'p99 5%', 'errors 1%', 'goal', 'finding:fullScan'].map(parseCondition).map(needsBaseline),
    ).toEqual([true, true, false, false, false]);
  });
});

describe('joinedOutcome', () => {
  it('fails with one failure, and passes only where everything is shown', () => {
    const of = (...outcomes: readonly GateOutcome[]) => joinedOutcome(outcomes.map((outcome) => ({ outcome })));
    expect(of('passed', 'undecided', 'failed')).toBe('failed');
    expect(of('passed', 'undecided')).toBe('undecided');
    expect(of('passed', 'passed')).toBe('passed');
    expect(of()).toBe('undecided');
  });
});
