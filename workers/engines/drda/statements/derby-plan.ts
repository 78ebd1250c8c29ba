import { type PlanStep, type PlanStepExtent, type PlanStepKind, unknownStep } from '#engine-api/query-plan.ts';

/**
 * Plans of Derby as SYSCS_GET_RUNTIMESTATISTICS writes them (Tuning Guide, "Working with RunTimeStatistics"): each
 * result set is a line of its own, followed by "Number of opens = …" and other properties, and deeper below it its
 * sources. Rows are those of all opens together, and so are the optimizer's.
 */

/** A result set with its properties, and the result sets that it reads. */
interface ResultSet {
  readonly name: string;
  readonly indent: number;
  /** The properties by their names: "Rows seen = 3", "Scan type=heap", "optimizer estimated cost: 856.00". */
  readonly properties: ReadonlyMap<string, string>;
  readonly sources: ResultSet[];
}

/** The steps of a plan in pre-order; none: the text has none. Pure. */
export const planSteps = (text: string): readonly PlanStep[] =>
  resultSetsIn(text).flatMap((root) => within(root, { depth: 0, extent: 'toEnd' }));

function resultSetsIn(text: string): readonly ResultSet[] {
  const [, plan = ''] = text.split('Statement Execution Plan Text:');
  const lines = plan.split('\n').filter((line) => line.trim() !== '');
  const roots: ResultSet[] = [];
  const above: ResultSet[] = [];
  for (const [i, line] of lines.entries()) {
    if (/^\s*Number of opens = /.test(lines[i + 1] ?? '')) {
      const indent = /^\t*/.exec(line)![0].length;
      const one: ResultSet = { name: line.trim(), indent, properties: new Map(), sources: [] };
      while (above.length > 0 && above.at(-1)!.indent >= indent) above.pop();
      (above.at(-1)?.sources ?? roots).push(one);
      above.push(one);
      continue;
    }
    const [, name, value] = /^\s*([A-Za-z ()]+?)\s?[=:]\s?(.+)$/.exec(line) ?? [];
    const properties = above.at(-1)?.properties as Map<string, string> | undefined;
    // "start position:" and similar lines are followed by lines of their own.
    if (name !== undefined && value !== undefined) properties?.set(name, value.trim());
    else properties?.set(line.trim().replace(/:$/, ''), lines[i + 1]?.trim() ?? '');
  }
  return roots;
}

/** The place of a result set, and how far the result sets above read it. */
type Place = Pick<PlanStep, 'depth' | 'extent'>;

function within(one: ResultSet, place: Place): readonly PlanStep[] {
  const [source] = one.sources;
  if (/^Project-Restrict/.test(one.name) && source !== undefined && one.sources.length === 1) {
    // A node that only leaves out columns is no step. A condition belongs to the step that reads the rows.
    if (one.properties.get('restriction') !== 'true') return within(source, place);
    if (tableOf(source) !== null) {
      const [first, ...others] = within(source, place);
      return [{ ...first!, ...rowsOf(one), examinedRows: examinedOf(source) ?? first!.actualRows }, ...others];
    }
  }
  const below = (i: number): Place => ({ depth: place.depth + 1, extent: extentBelow(one, i, place.extent) });
  return [stepOf(one, place), ...one.sources.flatMap((child, i) => within(child, below(i)))];
}

function extentBelow({ name, properties }: ResultSet, source: number, above: PlanStepExtent): PlanStepExtent {
  if (/^(?:Row Count|Any|Once)\b/.test(name)) return 'mayStop';
  if (/^Scalar Aggregate|^Sort /.test(name)) return properties.get('In sorted order') === 'true' ? above : 'toEnd';
  if (/^(?:Grouped Aggregate|Distinct)/.test(name))
    return properties.get('In sorted order') === 'true' ? above : 'toEnd';
  return source > 0 && /Exists Join/.test(name) ? 'mayStop' : above;
}

const number = ({ properties }: ResultSet, name: string): number | null => {
  const value = properties.get(name);
  return value === undefined || Number.isNaN(Number(value)) ? null : Number(value);
};

const opensOf = (one: ResultSet): number => number(one, 'Number of opens') ?? 1;

/** Estimated and returned rows of one open. */
function rowsOf(one: ResultSet): Pick<PlanStep, 'estimatedRows' | 'actualRows' | 'loops'> {
  const opens = opensOf(one);
  const seen = number(one, 'Rows seen');
  const returned = number(one, 'Rows returned') ?? (seen === null ? null : seen - (number(one, 'Rows filtered') ?? 0));
  const estimated = number(one, 'optimizer estimated row count');
  const each = (rows: number | null) => (rows === null || opens === 0 ? null : rows / opens);
  return { estimatedRows: each(estimated), actualRows: each(returned), loops: opens };
}

const examinedOf = (one: ResultSet): number | null => {
  const visited = number(one, 'Number of rows visited');
  return visited === null || opensOf(one) === 0 ? null : visited / opensOf(one);
};

/** "Table Scan ResultSet for ORDERS at read committed isolation level …" */
const objects = /^(.*?) ResultSet for (\S+?):?(?: using (index|constraint) (\S+))?(?: at | using |$|:)/;
const tableOf = ({ name }: ResultSet): string | null => objects.exec(name)?.[2] ?? null;

function stepOf(one: ResultSet, { depth, extent }: Place): PlanStep {
  const [, , table = null, how, index] = objects.exec(one.name) ?? [];
  const operator = one.name.replace(/ ResultSet\b.*$| \(\d+\):?$|:$/, '');
  const sort = one.properties.get('Sort type');
  return {
    ...unknownStep,
    depth,
    kind: kindOf(one, operator),
    operator,
    table,
    // A constraint without a name has a different generated name in each table.
    index: how === 'constraint' && /^SQL\d+-/.test(index ?? '') ? 'constraint' : (index ?? null),
    ...rowsOf(one),
    examinedRows: examinedOf(one),
    extent,
    cost: number(one, 'optimizer estimated cost'),
    spilled: sort === undefined ? null : sort === 'external',
    details: told.flatMap((name) => {
      const value = one.properties.get(name);
      return value === undefined ? [] : [`${name}: ${value}`];
    }),
  };
}

const told = [
  'Number of pages visited',
  'Number of rows qualified',
  'Scan type',
  'Tree height',
  'start position',
  'stop position',
  'Hash table size',
  'Rows input',
  'Sort type',
  'Columns accessed from heap',
];

function kindOf({ properties }: ResultSet, operator: string): PlanStepKind {
  switch (operator) {
    case 'Table Scan':
      return 'fullScan';
    case 'Index Scan':
    case 'Last Index Key': {
      const isWhole = ['start position', 'stop position'].every((name) => properties.get(name) === 'None');
      return operator === 'Index Scan' && isWhole ? 'indexScan' : 'indexSeek';
    }
    case 'Hash Scan':
    case 'Distinct Scan':
    case 'Hash Table':
      return 'hash';
    case 'Sort':
      return 'sort';
    case 'Scalar Aggregate':
    case 'Grouped Aggregate':
    case 'Distinct Scalar Aggregate':
    case 'Distinct Grouped Aggregate':
      return 'aggregate';
    default:
      return /Join$/.test(operator) ? 'join' : 'other';
  }
}
