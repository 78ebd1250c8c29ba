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

/** One trial of each level, which reads this index; null: it failed. `times`: of its statement, ms. Default: none. */
function runOf(
  levels: Readonly<Record<string, string | null>>,
  times: Readonly<Record<string, number>> = {},
): RunModel {
  const ids = Object.keys(levels);
  return {
    plan: { variants: ids.map((id) => ({ id, levels: { advice: id } })), skipped: [] },
    trials: ids.map((variant) => ({
      trial: { variant },
      result:
        levels[variant] === null
          ? { status: 'failed', error: { message: 'no room' }, statements: [] }
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
  const model = runOf({ unchanged: '', same: '', other: 'orders_i1', failed: null });
  const found = screen(
    model,
    ['same', 'other', 'failed'].map((title) => candidate(title)),
    new Map([['find', 1]]),
  );
  expect(Object.fromEntries(found.map(({ candidate: { title }, why }) => [title, why]))).toEqual({
    same: 'The server’s plans are the same with it (EXPLAIN): it does not read the index.',
    other: null,
    failed: 'It failed: no room',
  });
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
