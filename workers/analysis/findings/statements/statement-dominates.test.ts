import { describe, expect, it, test } from 'vitest';
import { formatPercent } from '#model/format/format.ts';
import type { StatementCounts } from '#protocol/measurement.ts';
import { timesOf } from '../../run-model/journal-parts.fixture.ts';
import { pictureText } from '../shared/picture.fixture.ts';
import { judged, mistakesOf } from '../shared/small-run.fixture.ts';
import { statementDominates } from './statement-dominates.ts';
import { withoutStatement } from './without-statement.ts';

type Called = Readonly<
  Record<string, readonly [ms: number, calls: number, failed?: readonly [ms: number, calls: number]]>
>;

const counts = ([name, [ms, calls, failed]]: [string, Called[string]]): StatementCounts => ({
  name,
  kind: 'statement',
  calls,
  rows: calls,
  errors: failed ? { statementTimeout: failed[1] } : {},
  service: timesOf([ms, calls]),
  failed: failed ? timesOf(failed) : null,
});

/** Ten seconds of two connections. */
const run = (called: Called, more: Readonly<Record<string, unknown>> = {}) =>
  judged(statementDominates, {
    cells: [
      {
        settings: {
          operation: 'statement',
          method: 'prepared',
          connections: 2,
          ...('scenarios' in more && { load: 'closed', users: 2 }),
        },
        trials: [{ perSecond: Array(10).fill(100), more: { statements: Object.entries(called).map(counts) } }],
      },
    ],
    more: { statements: Object.fromEntries(Object.keys(called).map((name) => [name, { text: 'SELECT 1' }])), ...more },
  });

const isOf = (time: number, calls: number): string =>
  `has ${formatPercent(time)} of it for ${formatPercent(calls)} of the calls`;

describe('one statement takes the time', () => {
  it('where it is called seldom and has the connections, with its share of their time', () => {
    const { facts, outcomes } = run({ look: [10, 400], sum: [1_600, 10] });
    expect(outcomes).toMatchObject([{ status: 'shown', confidence: 'certain' }]);
    const [found] = outcomes;
    if (found?.status !== 'shown') throw new Error('not shown');
    expect(found.explains).toBeCloseTo(0.8, 2);
    expect(pictureText(found)).toMatch(/^Share of the time in statements: this part 80\.0\s%, the rest 20\.0\s%$/);
    expect(found.claim).toContain(
      `“sum” is ${formatPercent(10 / 410)} of the calls and ${formatPercent(0.8)} of the time in them`,
    );
    expect(mistakesOf(facts, found)).toEqual([]);
    expect(found.confirm?.edits.at(-1)).toEqual({ path: ['statements', 'sum'], value: undefined });
  });

  it('counts failed calls, because calls that time out also take time', () => {
    const { outcomes } = run({ look: [10, 400], sum: [10, 0, [800, 20]] });
    expect(outcomes).toMatchObject([
      {
        status: 'shown',
        claim: expect.stringMatching(
          new RegExp(
            `“sum” is ${formatPercent(20 / 420)} of the calls and ${formatPercent(0.8)} .*failed calls included`,
          ),
        ) as string,
      },
    ]);
  });

  it.each([
    ['no mix', { look: [10, 400] }, 'It has only one statement.'],
    ['others that take as much', { look: [10, 400], list: [10, 400], sum: [600, 10] }, isOf(3 / 7, 10 / 810)],
    ['one that is most of the calls', { look: [1, 900], sum: [1, 100] }, isOf(0.9, 0.9)],
    ['one that takes no longer', { look: [10, 500], sum: [15, 500] }, isOf(0.6, 0.5)],
    ['one that was never called', { look: [10, 400], sum: [10, 0] }, 'No more than one'],
  ] satisfies [string, Called, string][])('silent for %s', (_, called, why) => {
    const [outcome] = run(called).outcomes;
    expect(outcome).toMatchObject({ status: 'notShown', why: expect.stringContaining(why) as string });
  });

  it('silent for other work', () => {
    const { outcomes } = judged(statementDominates, { cells: [{ trials: [{ perSecond: [100, 100] }] }] });
    expect(outcomes).toEqual([{ cell: null, status: 'notShown', why: 'The work is not a mix of custom statements.' }]);
  });
});

test('a transaction’s blocks, and scenarios, go on without the statement', () => {
  const { facts, outcomes } = run(
    { look: [10, 400], pay: [10, 200], sum: [700, 20] },
    {
      transactions: {
        report: { steps: ['sum', { thinkMs: 10 }] },
        mixed: {
          steps: [
            'look',
            'sum',
            { steps: ['sum'] },
            { steps: ['sum'], probability: 0.5, otherwise: ['pay'] },
            { steps: ['pay', 'sum'], times: 2, otherwise: ['sum'] },
            'sum',
          ],
        },
      },
      scenarios: {
        manager: { steps: ['report', { thinkMs: 100 }] },
        clerk: { steps: ['mixed', 'report', { thinkMs: 100 }, 'look'] },
      },
    },
  );
  expect(mistakesOf(facts, outcomes[0])).toEqual([]);
  const edits = withoutStatement(facts.model.plan.experiment, 'sum');
  expect(edits).toEqual([
    { path: ['statements', 'sum'], value: undefined },
    { path: ['transactions', 'report'], value: undefined },
    { path: ['transactions', 'mixed', 'steps', 5], value: undefined },
    { path: ['transactions', 'mixed', 'steps', 4, 'steps', 1], value: undefined },
    { path: ['transactions', 'mixed', 'steps', 4, 'otherwise'], value: undefined },
    { path: ['transactions', 'mixed', 'steps', 3, 'steps'], value: [{ thinkMs: 0 }] },
    { path: ['transactions', 'mixed', 'steps', 2], value: undefined },
    { path: ['transactions', 'mixed', 'steps', 1], value: undefined },
    { path: ['scenarios', 'manager'], value: undefined },
    { path: ['scenarios', 'clerk', 'steps', 1], value: undefined },
  ]);
});

test('nothing is left out where no work would be left, or where another step wants its answer', () => {
  const { experiment } = run({ look: [10, 400], sum: [2_000, 20] }).facts.model.plan;
  const captured = {
    sum: { type: 'captured', from: 'sum', column: 'total', as: 'integer', scale: 2 },
  } as const;
  const look = { ...experiment.statements!.look!, parameters: captured };
  expect(withoutStatement({ statements: { ...experiment.statements, look } }, 'sum')).toBeNull();
  const report = { steps: ['sum'], parameters: {} };
  expect(withoutStatement({ transactions: { report } }, 'sum')).toBeNull();
  expect(withoutStatement({ scenarios: { manager: { ...report, users: 1 } } }, 'sum')).toBeNull();
});
