import { expect, test } from 'vitest';
import { planSteps } from './query-plan.ts';

const namespace = 'dyno.orders';

test('the classic engine counts by stage', () => {
  const fetch = { stage: 'FETCH', filter: { a: { $eq: 1 } } };
  const seek = { stage: 'IXSCAN', indexName: 'a_1', indexBounds: { a: ['[1, 1]'] } };
  const steps = planSteps({
    queryPlanner: { namespace, winningPlan: { ...fetch, inputStage: seek } },
    executionStats: {
      nReturned: 3,
      totalDocsExamined: 5,
      executionStages: {
        ...fetch,
        nReturned: 3,
        docsExamined: 5,
        inputStage: { ...seek, nReturned: 5, keysExamined: 6 },
      },
    },
  });
  expect(steps).toMatchObject([
    { depth: 0, kind: 'other', table: 'orders', actualRows: 3, examinedRows: 5, filter: '{"a":{"$eq":1}}', loops: 1 },
    { depth: 1, kind: 'indexSeek', table: 'orders', index: 'a_1', actualRows: 5, examinedRows: 6 },
  ]);
});

test('where stages are executed by slots, the only step that reads has the counts of the command', () => {
  const scan = { stage: 'COLLSCAN', filter: { code: { $eq: 7 } }, direction: 'forward' };
  const steps = planSteps({
    queryPlanner: { namespace, winningPlan: { isCached: false, queryPlan: scan, slotBasedPlan: {} } },
    executionStats: { nReturned: 1, totalDocsExamined: 9_000, executionStages: { stage: 'filter', nReturned: 1 } },
  });
  expect(steps).toMatchObject([
    { kind: 'fullScan', operator: 'COLLSCAN', table: 'orders', actualRows: 1, examinedRows: 9_000, loops: 1 },
  ]);
});

test('without execution nothing is counted; stages of a pipeline stand above what reads for them', () => {
  const winningPlan = { stage: 'IXSCAN', indexName: 'a_1', indexBounds: { a: ['[MinKey, MaxKey]'] } };
  const stages = [
    { $cursor: { queryPlanner: { namespace, winningPlan } } },
    { $group: { _id: '$a' } },
    { $sort: { _id: 1 } },
  ];
  expect(planSteps({ stages })).toMatchObject([
    { depth: 0, kind: 'sort', operator: '$sort', actualRows: null, loops: null },
    { depth: 1, kind: 'aggregate', operator: '$group' },
    { depth: 2, kind: 'indexScan', operator: 'IXSCAN', index: 'a_1', actualRows: null, loops: null },
  ]);
});

test('a scan below a limit may stop, unless a sort or a group reads it first', () => {
  const scan = { stage: 'COLLSCAN' };
  const extents = (winningPlan: object, ...stages: readonly object[]) => {
    const cursor = { queryPlanner: { namespace, winningPlan } };
    return planSteps(stages.length === 0 ? cursor : { stages: [{ $cursor: cursor }, ...stages] }).map(
      ({ operator, extent }) => `${operator} ${extent}`,
    );
  };
  expect(extents({ stage: 'LIMIT', inputStage: scan })).toEqual(['LIMIT toEnd', 'COLLSCAN mayStop']);
  expect(extents({ stage: 'LIMIT', inputStage: { stage: 'SORT', inputStage: scan } }).at(-1)).toBe('COLLSCAN toEnd');
  expect(extents(scan, { $match: {} }, { $limit: 3 })).toEqual(['$limit toEnd', '$match mayStop', 'COLLSCAN mayStop']);
  expect(extents(scan, { $group: {} }, { $limit: 3 }).at(-1)).toBe('COLLSCAN toEnd');
});
