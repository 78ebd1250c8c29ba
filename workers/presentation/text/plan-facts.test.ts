import { expect, test } from 'vitest';
import { fixturePlan } from '#analysis/run-model/run.fixture.ts';
import type { Plan } from '#protocol/plan.ts';
import { planFacts } from './plan-facts.ts';

/** A plan of which some levels change the rows, the tables and the scenarios. */
function plan(): Plan {
  const { experiment, variants, ...rest } = fixturePlan({ connections: [1] });
  const columns = { id: { type: 'sequence', nulls: 0 } } as const;
  const scenarios = { shop: { users: 5, steps: ['buy'] } };
  const levels = {
    small: {},
    large: { dataset: { rows: 2_000_000 }, tables: { stores: { rows: 50, key: 'id', columns } } },
    people: { scenarios },
  };
  const factors = { ...experiment.factors, kind: levels } as Plan['experiment']['factors'];
  return {
    ...rest,
    experiment: { ...experiment, factors, transactions: { buy: { steps: ['pay'] } } as never },
    variants: Object.keys(levels).map((kind, i) => ({ ...variants[i]!, levels: { ...variants[i]!.levels, kind } })),
  };
}

test('facts of the plan have the data, the end and the scenarios of every variant', () => {
  const facts = new Map(planFacts({ plan: plan(), trials: [], enough: null }).map(([name, text]) => [name, text]));
  expect(facts.get('Dataset')).toBe('500,000 rows, seed 1; 2,000,000 rows, seed 1');
  expect(facts.get('A trial ends')).toBe('when 500,000 rows are done; when 2,000,000 rows are done');
  expect(facts.get('Tables')).toBe('none; 2,000,050 rows in 2 tables: stores 50');
  expect(facts.get('Scenarios')).toBe('shop 5');
  expect(facts.get('Trials')).toBe('0: 3 variants × 3 targets × 3 repeats, without skipped trials');
  expect(facts.get('Factors')).toBe('Method: prepared, multiRow, bulk; Connections: 1; Kind: small, large, people');
});

test('an experiment without a dataset has no fact about one', () => {
  const { experiment, ...rest } = fixturePlan({ connections: [1] });
  const namesIn = (dataset: object) =>
    planFacts({
      plan: { ...rest, experiment: { ...experiment, dataset: { ...experiment.dataset, ...dataset } } },
      ...{ trials: [], enough: null },
    }).map(([name]) => name);
  expect(namesIn({})).toContain('Dataset');
  expect(namesIn({ columns: {} })).not.toContain('Dataset');
});
