import { DOMParser, type Element } from '@xmldom/xmldom';
import { type PlanStep, type PlanStepExtent, type PlanStepKind, unknownStep } from '#engine-api/query-plan.ts';

/**
 * Plans of SQLFire's family as EXPLAIN AS XML writes them: nodes within nodes, with what the execution counted and
 * without estimates (GemFire XD's manual, "Query Plan Information"). Rows are those of all executions of a node
 * together.
 */

/** The steps of a plan in pre-order; none: the text has none. Pure. */
export function planSteps(xml: string): readonly PlanStep[] {
  const root = new DOMParser().parseFromString(xml.trim(), 'text/xml').documentElement;
  const details = root?.getElementsByTagName('details')[0];
  return details ? nodesIn(details).flatMap((node) => within(node, { depth: 0, extent: 'toEnd' })) : [];
}

type Place = Pick<PlanStep, 'depth' | 'extent'>;

const nodesIn = (element: Element): readonly Element[] =>
  [...element.childNodes].filter(
    (node): node is Element => node.nodeType === 1 && (node as Element).tagName === 'node',
  );

function within(node: Element, place: Place): readonly PlanStep[] {
  const name = node.getAttribute('name') ?? '';
  const children = nodesIn(node);
  const [only] = children;
  if (children.length === 1 && only) {
    // A node that only leaves out columns is no step. A condition belongs to the step that reads the rows.
    if (name === 'PROJECTION') return within(only, place);
    const [first, ...others] = within(only, place);
    if (name === 'FILTER' && first && first.table !== null && first.depth === place.depth)
      return [{ ...first, actualRows: rowsOf(node), filter: conditionOf(node) }, ...others];
  }
  return [
    stepOf(node, place),
    ...children.flatMap((child, i) =>
      within(child, { depth: place.depth + 1, extent: extentBelow(node, name, i, place.extent) }),
    ),
  ];
}

function extentBelow(node: Element, name: string, source: number, above: PlanStepExtent): PlanStepExtent {
  if (name === 'ROW-COUNT') return 'mayStop';
  if (/^(?:SORT|AGGREGATION|GROUPBY|DISTINCT)/.test(name)) return 'toEnd';
  return source > 0 && /EXISTS JOIN/.test(node.getAttribute('node_details') ?? '') ? 'mayStop' : above;
}

const number = (node: Element, name: string): number | null => {
  const value = node.getAttribute(name);
  return value === null || value === '' || Number.isNaN(Number(value)) ? null : Number(value);
};

function rowsOf(node: Element): number | null {
  const [rows, opens] = [number(node, 'returned_rows'), number(node, 'no_opens')];
  return rows === null || opens === null || opens === 0 ? null : rows / opens;
}

/** "SELECT :ID CODE WHERE :(CODE > 3)" */
const conditionOf = (node: Element): string | null =>
  /WHERE ?: ?(.*)$/s.exec(node.getAttribute('node_details') ?? '')?.[1]?.trim() ?? null;

function stepOf(node: Element, { depth, extent }: Place): PlanStep {
  const operator = node.getAttribute('name') ?? '';
  const kind = kinds[operator] ?? 'other';
  const opens = number(node, 'no_opens');
  const visited = number(node, 'visited_rows');
  return {
    ...unknownStep,
    depth,
    kind,
    operator,
    ...objectOf(node, operator),
    actualRows: rowsOf(node),
    // The server counts the visited rows of the last execution only.
    examinedRows: opens === 1 && kind === 'fullScan' ? visited : null,
    loops: opens,
    extent,
    details: ['scanned_object', 'scan_type', 'scan_qualifiers', 'node_details', 'sort_type', 'visited_rows'].flatMap(
      (name) => {
        const value = node.getAttribute(name)?.replaceAll(/\s+/g, ' ').trim();
        return value === undefined || value === '' || value === 'NULL' || value === 'None' ? [] : [`${name}: ${value}`];
      },
    ),
  };
}

/** An index is scanned within bounds that the plan does not show, so it counts as a seek. */
const kinds: Readonly<Record<string, PlanStepKind>> = {
  TABLESCAN: 'fullScan',
  INDEXSCAN: 'indexSeek',
  CONSTRAINTSCAN: 'indexSeek',
  'REGION-GET': 'indexSeek',
  'REGION-GETALL': 'indexSeek',
  SORT: 'sort',
  NLJOIN: 'join',
  HASHJOIN: 'join',
  MERGEJOIN: 'join',
  AGGREGATION: 'aggregate',
  GROUPBY: 'aggregate',
};

/** "DYNO.ORDERS" of a scan, "DYNO.ORDERS ID, CODE" of a look-up by key, "ORDERS : " of rows that an index names. */
function objectOf(node: Element, operator: string): Pick<PlanStep, 'table' | 'index'> {
  const scanned = node.getAttribute('scanned_object') ?? '';
  const details = node.getAttribute('node_details') ?? '';
  const named = (text: string): string | null => /^(?:\w+\.)?(\w+)/.exec(text)?.[1] ?? null;
  switch (operator) {
    case 'TABLESCAN':
      return { table: named(scanned), index: null };
    case 'INDEXSCAN':
      return { table: null, index: named(scanned) };
    case 'CONSTRAINTSCAN':
      return { table: named(scanned.replace(/^HASH SCAN:/, '')), index: 'constraint' };
    case 'REGION-GET':
    case 'REGION-GETALL':
    case 'ROWIDSCAN':
      return { table: named(details), index: null };
    default:
      return { table: null, index: null };
  }
}
