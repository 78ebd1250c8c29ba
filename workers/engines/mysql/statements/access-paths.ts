import { type PlanStep, type PlanStepExtent, type PlanStepKind, unknownStep } from '#engine-api/query-plan.ts';
import type { Json } from './plan-steps.ts';

/**
 * Plans of MySQL in the second version of its JSON format, from 8.3 on: one object for each line of EXPLAIN
 * FORMAT=TREE, with its inputs (manual, "EXPLAIN Output Format"; json_schema_version 2).
 */

/** The steps of a plan in pre-order. Pure. */
export const accessPathSteps = (json: Json): readonly PlanStep[] => {
  const root = isObject(json.query_plan) ? json.query_plan : json;
  return text(root.operation) === null ? [] : within(root, 0, 'toEnd');
};

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const number = (value: unknown): number | null =>
  value === undefined || value === null || Number.isNaN(Number(value)) ? null : Number(value);
const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const inputsOf = (path: Json, name: string): readonly Json[] =>
  Array.isArray(path[name]) ? path[name].filter(isObject) : [];

function within(path: Json, depth: number, extent: PlanStepExtent): readonly PlanStep[] {
  const inputs = inputsOf(path, 'inputs');
  const [only] = inputs;
  // A condition on the rows of a table has a line of its own, above the line that reads them.
  const filtered = path.access_type === 'filter' && inputs.length === 1 && only && readsTable(only) ? only : null;
  const operation = text(path.operation) ?? '';
  return [
    filtered ? filteredStep(path, filtered, depth, extent) : stepOf(path, depth, extent),
    ...(filtered ? inputsOf(filtered, 'inputs') : inputs).flatMap((input, i) =>
      within(input, depth + 1, extentBelow(operation, i, extent)),
    ),
    // Subqueries in conditions and in the list of columns; an EXISTS among them ends with the first row.
    ...Object.keys(path)
      .filter((name) => /^inputs_from_/.test(name))
      .flatMap((name) => inputsOf(path, name))
      .flatMap((input) => within(input, depth + 1, 'mayStop')),
  ];
}

const readsTable = (path: Json): boolean => text(path.table_name) !== null && tableOf(path) !== null;
/** Names of temporary tables are "<temporary>" and "<union temporary>". */
const tableOf = ({ table_name }: Json): string | null => {
  const name = text(table_name);
  return name === null || name.startsWith('<') ? null : name;
};

/** How far an operation reads an input, if it is itself read as far as `above`. */
function extentBelow(operation: string, input: number, above: PlanStepExtent): PlanStepExtent {
  if (/^(?:Sort|Materialize|Temporary table|Aggregate|Aggregate using temporary)/.test(operation)) return 'toEnd';
  if (/^Limit/.test(operation)) return 'mayStop';
  if (input === 1 && /^Nested loop (?:semijoin|antijoin)/.test(operation)) return 'mayStop';
  // The first input of a hash join is not read to its end if the other side has no row.
  return input === 0 && /hash (?:semi|anti)?join|hash join/i.test(operation) ? 'mayStop' : above;
}

const stepOf = (path: Json, depth: number, extent: PlanStepExtent): PlanStep => {
  const operation = text(path.operation) ?? '';
  const actual = number(path.actual_rows);
  const reads = readsTable(path);
  return {
    ...unknownStep,
    depth,
    kind: kindOf(path, operation),
    operator: operatorOf(operation),
    table: tableOf(path),
    index: text(path.index_name),
    estimatedRows: number(path.estimated_rows),
    actualRows: actual,
    examinedRows: reads ? actual : null,
    loops: number(path.actual_loops),
    extent,
    cost: number(path.estimated_total_cost),
    filter: text(path.condition),
    details: told(path),
  };
};

function filteredStep(filter: Json, read: Json, depth: number, extent: PlanStepExtent): PlanStep {
  const actual = number(filter.actual_rows);
  return {
    ...stepOf(read, depth, extent),
    estimatedRows: number(filter.estimated_rows),
    actualRows: actual,
    filter: text(filter.condition),
  };
}

/** The operation without table, condition and other constants: "Index lookup on t using i (a=5)" is "Index lookup". */
const operatorOf = (operation: string): string => operation.replace(/(?: on |:| \(| over |, ).*$/s, '');

function kindOf(path: Json, operation: string): PlanStepKind {
  if (tableOf(path) !== null) {
    if (/^Table scan/.test(operation)) return 'fullScan';
    if (/^(?:Covering i|I)ndex scan/.test(operation)) return 'indexScan';
    if (/^(?:Insert|Update|Delete)/.test(operation)) return 'change';
    if (text(path.index_name) !== null) return 'indexSeek';
  }
  if (/^Sort/.test(operation)) return 'sort';
  if (/join/i.test(operation)) return 'join';
  return /aggregate/i.test(operation) ? 'aggregate' : 'other';
}

const told = (path: Json): readonly string[] =>
  ['operation', 'lookup_condition', 'pushed_index_condition', 'hash_condition', 'ranges', 'covering'].flatMap((name) =>
    path[name] === undefined ? [] : [`${name}: ${String(path[name])}`],
  );
