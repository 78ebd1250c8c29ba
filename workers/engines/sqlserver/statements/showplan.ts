import { DOMParser, type Element, type Node } from '@xmldom/xmldom';
import { type PlanStep, type PlanStepExtent, type PlanStepKind, unknownStep } from '#engine-api/query-plan.ts';

/**
 * Plans in the XML that SQL Server writes: https://schemas.microsoft.com/sqlserver/2004/07/showplan/showplanxml.xsd. An
 * operator is a RelOp; in it an element of the operator's own name holds its properties and the RelOps below it.
 */

/** The steps of the first statement of a plan that has operators, in pre-order; none: it has none. Pure. */
export function planSteps(xml: string): readonly PlanStep[] {
  const root = new DOMParser().parseFromString(xml, 'text/xml').documentElement;
  const plan = root && [...root.getElementsByTagName('QueryPlan')].find((one) => relOpsIn(one).length > 0);
  if (!plan) return [];
  const [first, ...others] = relOpsIn(plan).flatMap((relOp) =>
    within(relOp, { depth: 0, extent: 'toEnd', repeats: false }),
  );
  return [{ ...first!, details: [...first!.details, ...remarksOn(plan)] }, ...others];
}

/** How the operators above an operator read it. */
interface Reading {
  readonly depth: number;
  /** The extent that the plan alone tells. */
  readonly extent: PlanStepExtent;
  /** It is executed for each row of another input, by each thread for its own rows. */
  readonly repeats: boolean;
}

function within(relOp: Element, reading: Reading): readonly PlanStep[] {
  const step = stepOf(relOp, reading);
  const operator = relOp.getAttribute('PhysicalOp');
  const logical = relOp.getAttribute('LogicalOp') ?? '';
  const children = relOpsIn(relOp);
  return [
    step,
    ...children.flatMap((child, i) =>
      within(child, {
        depth: reading.depth + 1,
        extent: extentBelow(operator, logical, i, reading.extent),
        repeats: reading.repeats || (operator === 'Nested Loops' && i > 0),
      }),
    ),
  ];
}

function extentBelow(operator: string | null, logical: string, input: number, above: PlanStepExtent): PlanStepExtent {
  switch (operator) {
    case 'Top':
      return 'mayStop';
    case 'Sort':
    case 'Hash Match':
      // The second input of a hash join streams through it.
      return input > 0 ? above : 'toEnd';
    case 'Merge Join':
      return 'mayStop';
    case 'Nested Loops':
      return input > 0 && /Semi Join/.test(logical) ? 'mayStop' : above;
    default:
      return above;
  }
}

function stepOf(relOp: Element, { depth, extent, repeats }: Reading): PlanStep {
  const operator = operatorOf(relOp);
  const own = ownElement(relOp);
  const object = own && childOf(own, 'Object');
  const counted = countsOf(relOp, repeats);
  const reads = object !== null && readers.has(relOp.getAttribute('PhysicalOp') ?? '');
  const predicates = own
    ? [...elementsOf(own, 'Predicate'), ...elementsOf(own, 'Residual'), ...elementsOf(own, 'ProbeResidual')]
    : [];
  const filter = predicates.flatMap(scalarsIn).join(' AND ');
  const warnings = childOf(relOp, 'Warnings');
  return {
    ...unknownStep,
    depth,
    kind: kindOf(relOp, own),
    operator,
    table: nameIn(object, 'Table'),
    index: nameIn(object, 'Index'),
    estimatedRows: number(relOp, 'EstimateRows'),
    actualRows: counted && counted.loops > 0 ? counted.rows / counted.loops : null,
    examinedRows: reads && counted && counted.loops > 0 ? (counted.read ?? counted.rows) / counted.loops : null,
    loops: counted?.loops ?? null,
    extent: counted?.extent ?? (relOp.hasAttribute('EstimateRowsWithoutRowGoal') ? 'mayStop' : extent),
    cost: number(relOp, 'EstimatedTotalSubtreeCost'),
    spilled: spilledOf(operator, warnings, counted !== null),
    filter: filter === '' ? null : filter,
    details: [
      ...seeksIn(own),
      ...(own ? elementsOf(own, 'OrderBy').map((one) => `Order by: ${columnsIn(one)}`) : []),
      ...told(relOp, ['EstimatedRowsRead', 'EstimateRowsWithoutRowGoal', 'TableCardinality']),
      ...(warnings ? warningsIn(warnings) : []),
    ],
  };
}

/** The counts of an operator by thread; null: the statement was not executed. */
function countsOf(relOp: Element, repeats: boolean) {
  const runtime = childOf(relOp, 'RunTimeInformation');
  const threads = runtime ? elementsOf(runtime, 'RunTimeCountersPerThread') : [];
  if (threads.length === 0) return null;
  const sum = (name: string): number | null => {
    const values = threads.flatMap((thread) => number(thread, name) ?? []);
    return values.length === 0 ? null : values.reduce((total, one) => total + one, 0);
  };
  const executions = threads.map((thread) => number(thread, 'ActualExecutions') ?? 0);
  const all = executions.reduce((total, one) => total + one, 0);
  // Threads that share an execution count it each.
  const loops = repeats ? all : Math.max(...executions);
  const ends = sum('ActualEndOfScans');
  const extent: PlanStepExtent | null = ends === null ? null : ends >= all ? 'toEnd' : 'mayStop';
  return { rows: sum('ActualRows') ?? 0, read: sum('ActualRowsRead'), loops, extent };
}

const readers = new Set([
  'Table Scan',
  'Clustered Index Scan',
  'Index Scan',
  'Columnstore Index Scan',
  'Clustered Index Seek',
  'Index Seek',
  'RID Lookup',
  'Key Lookup',
]);

function kindOf(relOp: Element, own: Element | null): PlanStepKind {
  const operator = relOp.getAttribute('PhysicalOp') ?? '';
  switch (operator) {
    case 'Table Scan':
    case 'Clustered Index Scan':
    case 'Columnstore Index Scan':
      return 'fullScan';
    case 'Index Scan':
      return own?.getAttribute('Storage') === 'ColumnStore' ? 'fullScan' : 'indexScan';
    case 'Clustered Index Seek':
    case 'Index Seek':
    case 'RID Lookup':
    case 'Key Lookup':
      return 'indexSeek';
    case 'Sort':
      return 'sort';
    case 'Hash Match':
      return 'hash';
    case 'Nested Loops':
    case 'Merge Join':
    case 'Adaptive Join':
      return 'join';
    case 'Stream Aggregate':
    case 'Window Aggregate':
      return 'aggregate';
    default:
      return /(?:Insert|Update|Delete|Merge)$/.test(operator) ? 'change' : 'other';
  }
}

/**
 * "Hash Match (Inner Join)", as Management Studio has it; a lookup of what an index lacks is a seek with an attribute.
 */
function operatorOf(relOp: Element): string {
  const physical = relOp.getAttribute('PhysicalOp') ?? '';
  const logical = relOp.getAttribute('LogicalOp') ?? '';
  const isLookup = /^(?:true|1)$/.test(ownElement(relOp)?.getAttribute('Lookup') ?? '');
  if (isLookup && physical === 'Clustered Index Seek') return 'Key Lookup';
  return logical === '' || logical === physical ? physical : `${physical} (${logical})`;
}

/** Null: the statement was not executed, or the operator keeps nothing that could spill. */
function spilledOf(operator: string, warnings: Element | null, wasExecuted: boolean): boolean | null {
  if (warnings && elementsOf(warnings, 'SpillToTempDb').length > 0) return true;
  return wasExecuted && /^(?:Sort|Hash Match)/.test(operator) ? false : null;
}

/** "Seek: [t].[id] = [@P0]": the expressions of a seek without their parts. */
const seeksIn = (own: Element | null): readonly string[] => {
  const seeks = own ? elementsOf(own, 'SeekPredicates') : [];
  return seeks.flatMap((seek) =>
    [...seek.getElementsByTagName('*')]
      .filter((one) => one.getAttribute('ScanType') !== null)
      .map((range) => {
        const columns = [...range.getElementsByTagName('RangeColumns')].map(columnsIn).join(', ');
        const values = [...range.getElementsByTagName('RangeExpressions')].flatMap(scalarsIn).join(', ');
        return `Seek: ${columns} ${range.getAttribute('ScanType')} ${values}`;
      }),
  );
};

const columnsIn = (element: Element): string =>
  [...element.getElementsByTagName('ColumnReference')].map((column) => column.getAttribute('Column')).join(', ');

/** The outermost expressions within an element. */
const scalarsIn = (element: Element): readonly string[] =>
  elementsOf(element, 'ScalarOperator').flatMap((scalar) => scalar.getAttribute('ScalarString') ?? []);

const warningsIn = (warnings: Element): readonly string[] =>
  childrenOf(warnings).map((warning) => {
    const attributes = [...warning.attributes].map(({ name, value }) => `${name} ${value}`).join(', ');
    const columns = columnsIn(warning);
    return `Warning: ${[warning.tagName, attributes, columns].filter(Boolean).join(' ')}`;
  });

/** The server's remarks on the whole plan: conversions that affect it, and missing indexes. */
const remarksOn = (plan: Element): readonly string[] => [
  ...elementsOf(plan, 'Warnings').flatMap(warningsIn),
  ...[...plan.getElementsByTagName('MissingIndex')].map((index) => {
    const columns = elementsOf(index, 'ColumnGroup').map(
      (group) =>
        `${group.getAttribute('Usage')?.toLowerCase()} ${elementsOf(group, 'Column')
          .map((column) => column.getAttribute('Name'))
          .join(', ')}`,
    );
    return `Missing index: ${index.getAttribute('Table')} (${columns.join('; ')})`;
  }),
];

const isElement = (node: Node): node is Element => node.nodeType === 1;
const childrenOf = (element: Element): readonly Element[] => [...element.childNodes].filter(isElement);
const elementsOf = (element: Element, name: string): readonly Element[] =>
  childrenOf(element).filter(({ localName }) => localName === name);
const childOf = (element: Element, name: string): Element | null => elementsOf(element, name)[0] ?? null;

/** The nearest operators below an element, in their order. */
const relOpsIn = (element: Element): readonly Element[] =>
  childrenOf(element).flatMap((child) => (child.localName === 'RelOp' ? [child] : relOpsIn(child)));

/** Members of every operator that are not its own element (RelOpType). */
const shared = new Set([
  'OutputList',
  'Warnings',
  'MemoryFractions',
  'RunTimeInformation',
  'RunTimePartitionSummary',
  'InternalInfo',
]);
const ownElement = (relOp: Element): Element | null =>
  childrenOf(relOp).find(({ localName }) => localName !== null && !shared.has(localName)) ?? null;

const number = (element: Element, name: string): number | null => {
  const value = element.getAttribute(name);
  return value === null || value === '' || Number.isNaN(Number(value)) ? null : Number(value);
};

/** Names are in brackets: "[orders]". */
const nameIn = (object: Element | null, attribute: string): string | null =>
  object
    ?.getAttribute(attribute)
    ?.replace(/^\[|\]$/g, '')
    .replaceAll(']]', ']') ?? null;

const told = (element: Element, names: readonly string[]): readonly string[] =>
  names.flatMap((name) => (element.hasAttribute(name) ? [`${name}: ${element.getAttribute(name)}`] : []));
