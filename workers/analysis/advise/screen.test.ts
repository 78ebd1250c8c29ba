import { expect, test } from 'vitest';
import { unknownStep } from '#engine-api/query-plan.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import type { RunModel } from '../run-model/run-model.ts';
import { type AdviceKind, type Candidate, indexOf } from './candidate.ts';
import { screen } from './screen.ts';

const candidate = (title: string, kind: AdviceKind = 'missingIndex'): Candidate => ({
  ...{ title, kind, why: '', tables: ['orders'], statements: ['find'], change: {} },
  steps: [{ do: 'createIndex', table: 'orders', index: indexOf(['a']) }],
});

const encoded = (ms: number) => {
  const histogram = new Histogram();
  histogram.recordMany(ms * 1e6, 50);
  return histogram.encode();
};

/**
 * One trial of each level, which reads this index; null: it failed. `times`: of its statement, ms. Default: none.
 * `late`: a level whose trial the end of the budget stopped.
 */
function runOf(
  levels: Readonly<Record<string, string | null>>,
  times: Readonly<Record<string, number>> = {},
  late = '',
): RunModel {
  const ids = Object.keys(levels);
  return {
    plan: { variants: ids.map((id) => ({ id, levels: { advice: id } })), skipped: [] },
    trials: ids.map((variant) => ({
      trial: { variant },
      result:
        levels[variant] === null
          ? variant === late
            ? { status: 'cancelled', error: { kind: 'cancelled', message: 'stopped' }, statements: [] }
            : { status: 'failed', error: { kind: 'other', message: 'no room' }, statements: [] }
          : {
              status: 'ok',
              statements:
                times[variant] === undefined
                  ? []
                  : [{ name: 'find', kind: 'statement', service: encoded(times[variant]) }],
            },
      queryPlans: [{ statement: 'find', plan: { steps: [{ ...unknownStep, index: levels[variant] }] }, reason: null }],
    })),
  } as unknown as RunModel; // the parts that are read
}

test('an index that the server does not read is measured no further, and a failure has its reason', () => {
  const model = runOf({ unchanged: '', same: '', other: 'orders_i1', failed: null, late: null }, {}, 'late');
  const found = screen(
    model,
    ['same', 'other', 'failed', 'late', 'never begun'].map((title) => candidate(title)),
    new Map([['find', 1]]),
  );
  expect(Object.fromEntries(found.map(({ candidate: { title }, why }) => [title, why]))).toEqual({
    same: 'The server’s plans are the same with it (EXPLAIN): it does not read the index.',
    other: null,
    failed: 'It failed: no room',
    late: null,
    'never begun': null,
  });
  expect(found.flatMap(({ candidate: { title }, isLate }) => (isLate ? [title] : []))).toEqual(['late', 'never begun']);
});

test('the fastest come first, the simplest of those that one trial does not tell apart, and unused indexes at the end', () => {
  const levels = { unchanged: '', covering: 'a', plain: 'b', slow: 'c', unused: 'd' };
  const times = { unchanged: 100, covering: 10, plain: 14, slow: 50, unused: 5 };
  const all = [
    candidate('covering', 'coveringIndex'),
    candidate('plain'),
    candidate('slow', 'statistics'),
    candidate('unused', 'unusedIndex'),
  ];
  const found = screen(runOf(levels, times), all, new Map([['find', 1]]));
  expect(found.map(({ candidate: { title } }) => title)).toEqual(['plain', 'covering', 'slow', 'unused']);
});
