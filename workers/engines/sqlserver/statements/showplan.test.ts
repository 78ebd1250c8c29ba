import { expect, test } from 'vitest';
import { planSteps } from './showplan.ts';

/** A plan with these operators in the form of SQL Server 2019 (showplanxml.xsd). */
const showplan = (relOps: string, before = '') => `<?xml version="1.0" encoding="utf-16"?>
<ShowPlanXML xmlns="http://schemas.microsoft.com/sqlserver/2004/07/showplan" Version="1.539" Build="15.0.4123.1"><BatchSequence><Batch><Statements>
<StmtSimple StatementText="SET X" StatementType="SET ON/OFF" />
<StmtSimple StatementText="SELECT …" StatementType="SELECT"><QueryPlan DegreeOfParallelism="1">${before}${relOps}</QueryPlan></StmtSimple>
</Statements></Batch></BatchSequence></ShowPlanXML>`;

const thread = (rows: number, more = 'ActualEndOfScans="1" ActualExecutions="1"', nth = 0) =>
  `<RunTimeCountersPerThread Thread="${nth}" ActualRows="${rows}" ${more} />`;
const runtime = (...threads: readonly string[]) => `<RunTimeInformation>${threads.join('')}</RunTimeInformation>`;
const object =
  '<Object Database="[sales]" Schema="[dyno]" Table="[orders]" Index="[PK_orders]" IndexKind="Clustered" />';
const condition = (of: string) =>
  `<Predicate><ScalarOperator ScalarString="${of}"><Compare CompareOp="EQ" /></ScalarOperator></Predicate>`;
const scan = (counters: string, predicate = '[sales].[dyno].[orders].[code]=[@P0]') =>
  `<RelOp NodeId="1" PhysicalOp="Clustered Index Scan" LogicalOp="Clustered Index Scan" EstimateRows="12.5" EstimatedRowsRead="40000" EstimatedTotalSubtreeCost="0.29" TableCardinality="40000"><OutputList />${counters}<IndexScan Ordered="false">${object}${condition(predicate)}</IndexScan></RelOp>`;

test('a scan has its table, its condition and what its threads counted', () => {
  const xml = showplan(scan(runtime(thread(1, 'ActualRowsRead="40000" ActualEndOfScans="1" ActualExecutions="1"'))));
  expect(planSteps(xml)).toEqual([
    {
      depth: 0,
      kind: 'fullScan',
      operator: 'Clustered Index Scan',
      table: 'orders',
      index: 'PK_orders',
      estimatedRows: 12.5,
      actualRows: 1,
      examinedRows: 40_000,
      loops: 1,
      sharedBy: 1,
      extent: 'toEnd',
      cost: 0.29,
      spilled: null,
      filter: '[sales].[dyno].[orders].[code]=[@P0]',
      details: ['EstimatedRowsRead: 40000', 'TableCardinality: 40000'],
    },
  ]);
});

test('threads that share an execution are one, and those below nested loops are many', () => {
  const shared = runtime(
    thread(0, 'ActualExecutions="0"'),
    thread(2, 'ActualEndOfScans="1" ActualExecutions="1"', 1),
    thread(3, 'ActualEndOfScans="1" ActualExecutions="1"', 2),
  );
  expect(planSteps(showplan(scan(shared)))).toMatchObject([{ actualRows: 5, loops: 1, extent: 'toEnd' }]);
  const seek = `<RelOp NodeId="3" PhysicalOp="Index Seek" LogicalOp="Index Seek" EstimateRows="2" EstimatedTotalSubtreeCost="0.1">${runtime(thread(30, 'ActualEndOfScans="10" ActualExecutions="10"', 1), thread(30, 'ActualEndOfScans="20" ActualExecutions="20"', 2))}<IndexScan>${object}<SeekPredicates><SeekPredicateNew><SeekKeys><Prefix ScanType="EQ"><RangeColumns><ColumnReference Table="[orders]" Column="id" /></RangeColumns><RangeExpressions><ScalarOperator ScalarString="[@P0]" /></RangeExpressions></Prefix></SeekKeys></SeekPredicateNew></SeekPredicates></IndexScan></RelOp>`;
  const join = `<RelOp NodeId="0" PhysicalOp="Nested Loops" LogicalOp="Left Semi Join" EstimateRows="1" EstimatedTotalSubtreeCost="1">${runtime(thread(5))}<NestedLoops>${scan(shared)}${seek}</NestedLoops></RelOp>`;
  expect(planSteps(showplan(join))).toMatchObject([
    { depth: 0, kind: 'join', operator: 'Nested Loops (Left Semi Join)', table: null },
    { depth: 1, kind: 'fullScan', loops: 1 },
    { depth: 1, kind: 'indexSeek', loops: 30, actualRows: 2, details: ['Seek: id EQ [@P0]'] },
  ]);
});

test('an operator that did not reach its end has stopped early; without an execution its row goal says so', () => {
  const stopped = runtime(thread(3, 'ActualRowsRead="2345" ActualEndOfScans="0" ActualExecutions="1"'));
  const top = (counters: string, below: string) =>
    `<RelOp NodeId="0" PhysicalOp="Top" LogicalOp="Top" EstimateRows="3" EstimatedTotalSubtreeCost="1">${counters}<Top RowCount="false">${below}</Top></RelOp>`;
  expect(planSteps(showplan(top(runtime(thread(3)), scan(stopped))))).toMatchObject([
    { operator: 'Top', extent: 'toEnd' },
    { examinedRows: 2_345, extent: 'mayStop' },
  ]);
  expect(planSteps(showplan(top('', scan('')))).map(({ extent, loops }) => [extent, loops])).toEqual([
    ['toEnd', null],
    ['mayStop', null],
  ]);
  const goal = scan('').replace('EstimateRows=', 'EstimateRowsWithoutRowGoal="900" EstimateRows=');
  expect(planSteps(showplan(goal))).toMatchObject([{ extent: 'mayStop' }]);
  const sorted = `<RelOp NodeId="1" PhysicalOp="Sort" LogicalOp="TopN Sort" EstimateRows="3" EstimatedTotalSubtreeCost="1"><TopSort>${scan('')}</TopSort></RelOp>`;
  expect(planSteps(showplan(top('', sorted))).at(-1)).toMatchObject({ extent: 'toEnd' });
});

test('spills, conversions that affect the plan, and missing indexes are told', () => {
  const sort = (warnings: string, counters = runtime(thread(5))) =>
    planSteps(
      showplan(
        `<RelOp NodeId="0" PhysicalOp="Sort" LogicalOp="Sort" EstimateRows="5" EstimatedTotalSubtreeCost="1">${warnings}${counters}<Sort><OrderBy><OrderByColumn Ascending="1"><ColumnReference Column="note" /></OrderByColumn></OrderBy>${scan('')}</Sort></RelOp>`,
        '<MissingIndexes><MissingIndexGroup Impact="94"><MissingIndex Schema="[dyno]" Table="[orders]"><ColumnGroup Usage="EQUALITY"><Column Name="[code]" /></ColumnGroup></MissingIndex></MissingIndexGroup></MissingIndexes><Warnings><PlanAffectingConvert ConvertIssue="Seek Plan" Expression="CONVERT_IMPLICIT(int,[code],0)=(17)" /></Warnings>',
      ),
    )[0];
  expect(sort('<Warnings><SpillToTempDb SpillLevel="1" SpilledThreadCount="1" /></Warnings>')).toMatchObject({
    kind: 'sort',
    operator: 'Sort',
    spilled: true,
    details: [
      'Order by: note',
      'Warning: SpillToTempDb SpillLevel 1, SpilledThreadCount 1',
      'Warning: PlanAffectingConvert ConvertIssue Seek Plan, Expression CONVERT_IMPLICIT(int,[code],0)=(17)',
      'Missing index: [orders] (equality [code])',
    ],
  });
  expect(sort('')).toMatchObject({ spilled: false });
  expect(sort('', '')).toMatchObject({ spilled: null });
});

test.each([
  ['Table Scan', 'Table Scan', '', 'fullScan', 'Table Scan'],
  ['Index Scan', 'Index Scan', '', 'indexScan', 'Index Scan'],
  ['Index Scan', 'Index Scan', ' Storage="ColumnStore"', 'fullScan', 'Index Scan'],
  ['Clustered Index Seek', 'Clustered Index Seek', ' Lookup="1"', 'indexSeek', 'Key Lookup'],
  ['Hash Match', 'Aggregate', '', 'hash', 'Hash Match (Aggregate)'],
  ['Clustered Index Delete', 'Delete', '', 'change', 'Clustered Index Delete (Delete)'],
  ['Compute Scalar', 'Compute Scalar', '', 'other', 'Compute Scalar'],
])('%s (%s)%s is of a kind of its own', (physical, logical, attributes, kind, operator) => {
  const xml = showplan(
    `<RelOp NodeId="0" PhysicalOp="${physical}" LogicalOp="${logical}" EstimateRows="1"><IndexScan${attributes}>${object}</IndexScan></RelOp>`,
  );
  expect(planSteps(xml)).toMatchObject([{ kind, operator }]);
});

test('a step that no thread executed has no rows, and a statement without operators no steps', () => {
  expect(planSteps(showplan(scan(runtime(thread(0, 'ActualEndOfScans="0" ActualExecutions="0"')))))).toMatchObject([
    { loops: 0, actualRows: null, examinedRows: null },
  ]);
  expect(planSteps(showplan(''))).toEqual([]);
});
