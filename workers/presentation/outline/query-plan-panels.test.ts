import { expect, test } from 'vitest';
import type { RunModel, TrialView } from '#analysis/run-model/run-model.ts';
import { planned, step } from '#analysis/server/query-plans.fixture.ts';
import type { AskedPlan } from '#protocol/query-plans.ts';
import type { Block } from './panel.ts';
import { queryPlanPanels } from './query-plan-panels.ts';

const variants = ['as it is', 'rewritten', 'third', 'fourth', 'fifth'];
const plan = {
  variants: variants.map((label) => ({ id: label, label, levels: {} })),
  targets: [{ name: 'a', index: 0 }],
};

/** The blocks of a statement whose variants have these texts and one shape of plan. */
function blocksOf(texts: readonly string[]): readonly Block[] {
  const asked = planned('search', step('Seq Scan'));
  const [group] = groupsOf(texts.map((text) => [{ ...asked, plan: { ...asked.plan!, text } }]));
  return group?.kind === 'group' ? group.blocks : [];
}

/** The blocks of a run whose variants have these plans. */
function groupsOf(plans: readonly (readonly AskedPlan[])[]): readonly Block[] {
  const views = plans.map((queryPlans, i): unknown => ({
    trial: { number: i, target: 'a', variant: variants[i], repeat: 1 },
    queryPlans,
  }));
  // The trials of the run are in no order.
  const trials = views.toReversed() as readonly TrialView[];
  const targets = [{ name: 'a', engine: 'x', descriptor: { label: 'X' } }];
  const model = {
    plan,
    targets,
    trials,
    cells: variants.map((variant) => ({ variant, target: 'a' })),
  } as unknown as RunModel;
  const content = queryPlanPanels[0]!.draw({ model, run: model } as never) as { blocks: readonly Block[] };
  return content.blocks;
}
const codes = (blocks: readonly Block[]) =>
  blocks.flatMap((one) => (one.kind === 'code' ? [[one.label, one.text]] : []));

test('a statement whose text the variants change has each text, with the variant that uses it', () => {
  expect(codes(blocksOf(['SELECT 1', 'SELECT 1', 'SELECT 1']))).toEqual([['Statement for X', 'SELECT 1']]);
  expect(codes(blocksOf(['SELECT 1', 'SELECT 2', 'SELECT 1']))).toEqual([
    ['as it is and 1 more, for X', 'SELECT 1'],
    ['rewritten, for X', 'SELECT 2'],
  ]);
});

test('many texts of a statement are folded', () => {
  const blocks = blocksOf(['SELECT 1', 'SELECT 2', 'SELECT 3', 'SELECT 4', 'SELECT 5']);
  expect(codes(blocks)).toEqual([]);
  const [fold] = blocks;
  expect(fold).toMatchObject({ kind: 'fold', summary: 'The 5 texts of the statement' });
  expect(fold?.kind === 'fold' && codes(fold.blocks)).toHaveLength(5);
});

test('statements that have no plan for the same reasons are one group', () => {
  const without = (statement: string, reason: string): AskedPlan => ({ statement, plan: null, reason });
  const groups = groupsOf([
    [
      without('take', 'It writes.'),
      planned('search', step('Seq Scan')),
      without('give', 'It writes.'),
      without('ask', 'No.'),
    ],
  ]);
  expect(groups.map((one) => one.kind === 'group' && one.title)).toEqual(['take, give', 'search', 'ask']);
});
