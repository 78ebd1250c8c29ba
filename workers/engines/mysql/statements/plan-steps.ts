import { type PlanStep, type PlanStepExtent, type PlanStepKind, unknownStep } from '#engine-api/query-plan.ts';
import { mayStopEarly } from '../../shared/query-plan.ts';

/** An object of EXPLAIN FORMAT=JSON or ANALYZE FORMAT=JSON. */
export interface Json {
  readonly [name: string]: unknown;
}

/** Members other than `table` that are steps of MySQL or MariaDB, with their kinds. */
const stepKinds: Readonly<Record<string, PlanStepKind>> = {
  'block-nl-join': 'join',
  nested_loop: 'join',
  filesort: 'sort',
  read_sorted_file: 'other',
  ordering_operation: 'sort',
  grouping_operation: 'aggregate',
  temporary_table: 'other',
  duplicates_removal: 'other',
  windowing: 'aggregate',
  window_functions_computation: 'aggregate',
  union_result: 'other',
  materialized: 'other',
  materialized_from_subquery: 'other',
  insert_from: 'other',
};

/** The steps of the plan of a statement in pre-order. Pure. */
export const planSteps = (json: Json, text: string): readonly PlanStep[] =>
  within(json, 0, mayStopEarly(text) ? 'mayStop' : 'toEnd');

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function within(json: Json, depth: number, extent: PlanStepExtent): readonly PlanStep[] {
  return Object.entries(json).flatMap(([name, value]): readonly PlanStep[] => {
    if (name === 'table' && isObject(value)) {
      const own = stopsAtMatch.some((one) => value[one] !== undefined) ? 'mayStop' : extent;
      return [accessStep(value, depth, own), ...within(value, depth + 1, extent)];
    }
    const sorts = isObject(value) && value.using_filesort === true;
    const below = sorts ? 'toEnd' : (extentBelow[name] ?? extent);
    const children = (to: number) =>
      (Array.isArray(value) ? value : [value]).filter(isObject).flatMap((one) => within(one, to, below));
    const kind = stepKinds[name];
    // A sort or group that takes its rows in the order of an index is no step; neither is a join of one table.
    const isNone =
      kind === undefined ||
      (name === 'nested_loop' && Array.isArray(value) && value.length < 2) ||
      (isObject(value) && name === 'ordering_operation' && value.using_filesort === false);
    return isNone
      ? children(depth)
      : [otherStep(name, kind, isObject(value) ? value : {}, depth, extent), ...children(depth + 1)];
  });
}

/**
 * How far the members below these are read, whatever the statement is: a sort and a materialized table read all their
 * rows first, and a subquery may be an EXISTS.
 */
const extentBelow: Readonly<Record<string, PlanStepExtent>> = {
  filesort: 'toEnd',
  materialized: 'toEnd',
  materialized_from_subquery: 'toEnd',
  subqueries: 'mayStop',
};

/** Members of a table for which one matching row is enough. */
const stopsAtMatch = ['first_match', 'not_exists', 'distinct', 'loosescan'] as const;

const number = (value: unknown): number | null =>
  value === undefined || value === null || Number.isNaN(Number(value)) ? null : Number(value);
const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const accessKinds: Readonly<Record<string, PlanStepKind>> = {
  ALL: 'fullScan',
  hash_ALL: 'fullScan',
  index: 'indexScan',
};

function accessStep(table: Json, depth: number, extent: PlanStepExtent): PlanStep {
  const access = text(table.access_type);
  const name = text(table.table_name);
  const change = ['insert', 'update', 'delete', 'replace'].find((one) => table[one] !== undefined);
  const estimated = number(table.rows) ?? number(table.rows_examined_per_scan);
  const filtered = number(table.filtered);
  const filter = text(table.attached_condition);
  const read = number(table.r_rows);
  // The optimizer itself has read these, before the execution that is counted.
  const isConstant = access === 'const' || access === 'system';
  const passed = number(table.r_filtered);
  const isDerived = name === null || /^<.*>$/.test(name);
  return {
    ...unknownStep,
    depth,
    kind: access === null ? (change ? 'change' : 'other') : isDerived ? 'other' : (accessKinds[access] ?? 'indexSeek'),
    operator: [change, access].filter(Boolean).join(' ') || (text(table.message) ?? 'table'),
    table: name,
    index: text(table.key),
    estimatedRows:
      estimated === null || isUnknown(access, filtered, filter) ? null : (estimated * (filtered ?? 100)) / 100,
    actualRows: read === null ? null : (read * (passed ?? 100)) / 100,
    examinedRows: read,
    loops: isConstant ? null : number(table.r_loops),
    extent,
    cost: costOf(table),
    filter,
    details: told(table, [
      'possible_keys',
      'used_key_parts',
      'ref',
      'index_condition',
      'using_index',
      'rows',
      'rows_examined_per_scan',
      'filtered',
      'message',
    ]),
  };
}

/**
 * The server does not estimate the condition's share of rows: it writes none, or 100 % for a scan of all rows, or for
 * the only row of a key, without statistics of the column (MariaDB's manual, "ANALYZE FORMAT=JSON").
 */
const isUnknown = (access: string | null, filtered: number | null, filter: string | null): boolean =>
  filter !== null && (filtered === null || (filtered === 100 && /^(?:ALL|index|hash_ALL|eq_ref)$/.test(access ?? '')));

function otherStep(name: string, kind: PlanStepKind, json: Json, depth: number, extent: PlanStepExtent): PlanStep {
  const passes = number(json.r_sort_passes);
  return {
    ...unknownStep,
    depth,
    kind,
    operator: name,
    actualRows: number(json.r_output_rows),
    loops: number(json.r_loops),
    extent,
    cost: costOf(json),
    // A sort that fits into its buffer makes no merge pass.
    spilled: passes === null ? null : passes > 0,
    filter: text(json.attached_condition),
    details: told(json, [
      'sort_key',
      'using_filesort',
      'using_temporary_table',
      'r_sort_passes',
      'r_sort_mode',
      'r_buffer_size',
      'join_type',
      'buffer_type',
    ]),
  };
}

const costOf = (json: Json): number | null => {
  const info = json.cost_info;
  return isObject(info) ? (number(info.prefix_cost) ?? number(info.sort_cost)) : number(json.cost);
};

const told = (json: Json, names: readonly string[]): readonly string[] =>
  names.flatMap((name) => (json[name] === undefined ? [] : [`${name}: ${String(json[name])}`]));
