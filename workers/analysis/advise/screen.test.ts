import { expect, test } from 'vitest';
import { unknownStep } from '#engine-api/query-plan.ts';
import type { RunModel } from '../run-model/run-model.ts';
import { type Candidate, indexOf } from './candidate.ts';
import { screen } from './screen.ts';

const candidate = (title: string): Candidate => ({
  ...{ title, kind: 'missingIndex', why: '', tables: ['orders'], statements: ['find'], change: {} },
  steps: [{ do: 'createIndex', table: 'orders', index: indexOf(['a']) }],
});

/** One trial of each level, which reads this index; null: it failed. */
function runOf(levels: Readonly<Record<string, string | null>>): RunModel {
  const ids = Object.keys(levels);
  return {
    plan: { variants: ids.map((id) => ({ id, levels: { advice: id } })), skipped: [] },
    trials: ids.map((variant) => ({
      trial: { variant },
      result:
        levels[variant] === null
          ? { status: 'failed', error: { message: 'no room' }, statements: [] }
          : { status: 'ok', statements: [] },
      queryPlans: [{ statement: 'find', plan: { steps: [{ ...unknownStep, index: levels[variant] }] }, reason: null }],
    })),
  } as unknown as RunModel; // the parts that are read
}

test('an index that the server does not read is measured no further, and a failure has its reason', () => {
  const model = runOf({ unchanged: '', same: '', other: 'orders_i1', failed: null });
  const found = screen(model, ['same', 'other', 'failed'].map(candidate), new Map([['find', 1]]));
  expect(Object.fromEntries(found.map(({ candidate: { title }, why }) => [title, why]))).toEqual({
    same: 'The server’s plans are the same with it (EXPLAIN): it does not read the index.',
    other: null,
    failed: 'It failed: no room',
  });
});
