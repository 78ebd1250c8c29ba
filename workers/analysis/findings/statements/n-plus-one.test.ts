import { describe, expect, it } from 'vitest';
import type { StatementCounts } from '#protocol/measurement.ts';
import { timesOf } from '../../run-model/journal-parts.fixture.ts';
import { judged, mistakesOf } from '../shared/small-run.fixture.ts';
import { nPlusOne } from './n-plus-one.ts';

const counts = (name: string, kind: StatementCounts['kind'], ms: number, calls: number): StatementCounts => ({
  name,
  kind,
  calls,
  rows: calls,
  errors: {},
  service: timesOf([ms, calls]),
  failed: null,
});
const find = {
  text: 'SELECT payload FROM {table} WHERE id = :id',
  parameters: { id: { type: 'key' } },
};
const change = {
  text: 'UPDATE {table} SET payload = :p WHERE id = :id',
  parameters: { p: { type: 'text', length: 20 }, id: { type: 'key' } },
};

/** Ten seconds of two connections; a look-up takes 1 ms. */
function run(
  transactions: object,
  { lookUps = 10_000, statements = {}, more = {} }: { lookUps?: number; statements?: object; more?: object } = {},
) {
  const { facts, outcomes } = judged(nPlusOne, {
    cells: [
      {
        settings: {
          operation: 'statement',
          method: 'prepared',
          connections: 2,
          ...('scenarios' in more && { load: 'closed', users: 2 }),
        },
        trials: [
          {
            perSecond: Array(10).fill(100),
            more: { statements: [counts('find', 'statement', 1, lookUps), counts('order', 'transaction', 20, 500)] },
          },
        ],
      },
    ],
    columns: { id: { type: 'sequence' }, payload: { type: 'text', length: 20 } },
    more: {
      statements: { find, change, ...statements },
      ...(Object.keys(transactions).length > 0 && { transactions }),
      ...more,
    },
  });
  expect(outcomes).toHaveLength(1);
  return { facts, outcome: outcomes[0]! };
}
const repeated = { steps: [{ steps: ['find'], times: 20 }, 'change'] };

describe('one look-up for each row', () => {
  it('is likely where a transaction repeats it, and the proposed experiment runs one statement beside it', () => {
    const { facts, outcome } = run({ order: repeated });
    expect(outcome).toMatchObject({
      status: 'shown',
      confidence: 'likely',
      claim: expect.stringMatching(
        /the transaction “order” runs “find” 20 times, each time for one key, .* 50\.0\s% of/,
      ) as string,
    });
    expect(mistakesOf(facts, outcome)).toEqual([]);
    if (outcome.status !== 'shown') throw new Error('not shown');
    const edits = outcome.confirm!.edits;
    expect(edits).toContainEqual({
      path: ['transactions', 'order-at-once'],
      value: expect.objectContaining({ steps: ['find-at-once', 'change'] }) as object,
    });
    const added = edits.find(({ path }) => path[1] === 'find-at-once')!.value as {
      text: string;
      parameters: object;
    };
    expect(added.text).toMatch(/WHERE id IN \(:id_1, .*, :id_20\)$/);
    expect(Object.keys(added.parameters)).toHaveLength(20);
  });

  it('is found among the steps of a scenario, too', () => {
    const scenarios = { visit: { steps: Array(6).fill('find') as string[] } };
    const { facts, outcome } = run({}, { more: { scenarios } });
    expect(outcome).toMatchObject({
      status: 'shown',
      claim: expect.stringContaining('the scenario “visit” runs “find” 6 times') as string,
    });
    expect(mistakesOf(facts, outcome)).toEqual([]);
  });

  it('is not shown for few look-ups, little time, one key again, or lists of keys', () => {
    const statusOf = (...given: Parameters<typeof run>) => run(...given).outcome.status;
    expect(statusOf({ order: { steps: [{ steps: ['find'], times: 4 }] } })).toBe('notShown');
    expect(statusOf({ order: repeated }, { lookUps: 1_000 })).toBe('notShown');
    expect(statusOf({ order: { ...repeated, parameters: { id: { type: 'key' } } } })).toBe('notShown');
    const list = { ...find, text: 'SELECT payload FROM {table} WHERE id IN (:id, 5)' };
    expect(statusOf({ order: repeated }, { statements: { find: list } })).toBe('notShown');
    expect(statusOf({ order: { steps: [{ steps: ['change'], times: 20 }, 'find'] } })).toBe('notShown');
  });

  it('proposes no experiment where a repetition does something else besides', () => {
    const { outcome } = run({ order: { steps: [{ steps: ['find', 'change'], times: 20 }] } });
    expect(outcome).toMatchObject({ status: 'shown', confirm: null });
  });
});
