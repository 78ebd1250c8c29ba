import { describe, expect, test } from 'vitest';
import type { PlanStep } from '#engine-api/query-plan.ts';
import type { StatementCounts } from '#protocol/measurement.ts';
import { timesOf } from '../../run-model/journal-parts.fixture.ts';
import { planned } from '../../server/query-plans.fixture.ts';
import { pictureText } from '../shared/picture.fixture.ts';
import { judged, type SmallCell } from '../shared/small-run.fixture.ts';
import { planIgnoresValues } from './plan-ignores-values.ts';
import { counted } from './plan-outcomes.fixture.ts';

const text = 'SELECT id FROM {table} WHERE payload = :value ORDER BY id LIMIT 100';
const of = (value: string) => ({ type: 'oneOf', values: [value] });
const statements = {
  open: { text, parameters: { value: of('open') } },
  waiting: { text: `${text.replace(' WHERE', '  WHERE')} `, parameters: { value: of('waiting') } },
};

const calls = (name: string, ms: number): StatementCounts => ({
  ...{ name, kind: 'statement', calls: 100, rows: 10_000, errors: {}, failed: null },
  service: timesOf([ms, 100]),
});

/** The steps of a plan by the primary key, which reads this many rows until it has 100. */
const byKey = (examinedRows: number, estimatedRows = 33_000): readonly PlanStep[] => [
  counted('Limit', 100, 100, { examinedRows: null }),
  counted('Index Scan', estimatedRows, 100, { kind: 'indexScan', index: 'table_pkey', examinedRows, depth: 1 }),
];
const byState = (examinedRows: number): readonly PlanStep[] => [
  counted('Sort', 50, 50, { kind: 'sort' }),
  counted('Index Scan', 50, 50, { kind: 'indexSeek', index: 'state', examinedRows, depth: 1 }),
];

interface Measured {
  readonly open: readonly [ms: number, steps: readonly PlanStep[] | null];
  readonly waiting: readonly [ms: number, steps: readonly PlanStep[] | null];
}

/** A cell whose repeats have these mean times and plans of the two statements. */
const cellOf = (repeats: readonly Measured[], levels: SmallCell['levels'] = {}): SmallCell => ({
  levels,
  settings: { operation: 'statement', method: 'prepared' },
  trials: repeats.map(({ open, waiting }) => ({
    perSecond: [100, 100],
    more: { statements: [calls('open', open[0]), calls('waiting', waiting[0])] },
    queryPlans: [
      ...(open[1] ? [planned('open', ...open[1])] : []),
      ...(waiting[1] ? [planned('waiting', ...waiting[1])] : []),
    ],
  })),
});
const outcomesOf = (cells: readonly SmallCell[], more: object = { statements }) =>
  judged(planIgnoresValues, { cells, more: { ...more } }).outcomes;

const blind: Measured = { open: [8, byKey(90_000)], waiting: [0.5, byKey(210)] };

describe('a plan that ignores the values', () => {
  test('is shown where two values of one text have one plan, and one of them takes far longer', () => {
    const [outcome] = outcomesOf([cellOf([blind, blind])]);
    expect(outcome).toMatchObject({
      ...{ status: 'shown', confidence: 'likely', explains: 0 },
      claim: expect.stringMatching(/“open” and “waiting” have the same text and the same plan/) as string,
    });
    expect(pictureText(outcome!)).toContain('“open”');
  });

  test('is certain where another variant has a plan for the values, and the slow statement is fast there', () => {
    const custom: Measured = { open: [0.4, byState(50)], waiting: [0.5, byKey(210, 50_000)] };
    const outcomes = outcomesOf([
      cellOf([custom, custom], { connections: 1 }),
      cellOf([blind, blind], { connections: 2 }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['notShown', 'shown']);
    expect(outcomes[1]).toMatchObject({
      confidence: 'certain',
      claim: expect.stringMatching(/By another plan, “open” takes 400\sµs \(connections: 1\)\.$/) as string,
    });
  });

  test.each([
    ['the estimates follow the values', { open: [8, byKey(90_000, 40)], waiting: [0.5, byKey(210)] }],
    ['the steps are others', { open: [8, byState(90_000)], waiting: [0.5, byKey(210)] }],
    ['the values are as frequent as each other', { open: [8, byKey(230)], waiting: [0.5, byKey(210)] }],
    ['the faster one reads more rows', { open: [8, byKey(210)], waiting: [0.5, byKey(90_000)] }],
    ['few rows are read', { open: [8, byKey(900)], waiting: [0.5, byKey(10)] }],
    ['the times are alike', { open: [0.9, byKey(90_000)], waiting: [0.5, byKey(210)] }],
  ] as const)('is not shown where %s', (_, measured) => {
    expect(outcomesOf([cellOf([measured, measured])])).toMatchObject([{ status: 'notShown' }]);
  });

  test('is not shown where one repeat is as fast as the other statement', () => {
    const quick: Measured = { open: [0.6, byKey(90_000)], waiting: [0.5, byKey(210)] };
    expect(outcomesOf([cellOf([blind, quick])])).toMatchObject([{ status: 'notShown' }]);
  });

  test('is not shown for other texts, or the same parameters', () => {
    const others = { ...statements, waiting: { ...statements.waiting, text: `${text} OFFSET 1` } };
    const same = { ...statements, waiting: { ...statements.waiting, parameters: statements.open.parameters } };
    for (const given of [others, same])
      expect(outcomesOf([cellOf([blind])], { statements: given })).toMatchObject([{ status: 'notShown' }]);
  });

  test('cannot be told without plans, or without counted rows', () => {
    const none: Measured = { open: [8, null], waiting: [0.5, null] };
    expect(outcomesOf([cellOf([none])])).toMatchObject([{ status: 'cannotTell' }]);
    const uncounted = byKey(90_000).map((step) => ({ ...step, examinedRows: null, actualRows: null, loops: null }));
    const silent: Measured = { open: [8, uncounted], waiting: [0.5, uncounted] };
    expect(outcomesOf([cellOf([silent])])).toMatchObject([{ status: 'cannotTell' }]);
  });
});
