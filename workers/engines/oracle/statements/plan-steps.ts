import { type PlanStep, type PlanStepExtent, type PlanStepKind, unknownStep } from '#engine-api/query-plan.ts';

/**
 * A row of V$SQL_PLAN_STATISTICS_ALL or PLAN_TABLE (Database Reference). `last_…`: of the last execution, which counted
 * rows only with statistics_level = ALL.
 */
export interface PlanRow {
  readonly id: number;
  /** Null: the operation is the root. */
  readonly parent_id: number | null;
  readonly operation: string;
  readonly options: string | null;
  readonly object_name: string | null;
  /** The table of an index. */
  readonly table_name: string | null;
  /** Rows of one execution. */
  readonly cardinality: number | null;
  readonly cost: number | null;
  readonly access_predicates: string | null;
  readonly filter_predicates: string | null;
  readonly last_starts: number | null;
  /** The rows of all executions together. */
  readonly last_output_rows: number | null;
  readonly last_cr_buffer_gets: number | null;
  /** OPTIMAL, 1 PASS or n PASSES. Null: the operation has no work area. */
  readonly last_execution: string | null;
}

/** The steps of a plan, in pre-order. Pure. */
export function planSteps(rows: readonly PlanRow[]): readonly PlanStep[] {
  const below = Map.groupBy(rows, ({ parent_id }) => parent_id);
  const within = (row: PlanRow, reading: Reading): readonly PlanStep[] => {
    const children = below.get(row.id) ?? [];
    return [
      stepOf(row, reading),
      ...children.flatMap((child, i) =>
        within(child, {
          depth: reading.depth + 1,
          extent: extentBelow(row, i, children.length, reading.extent),
          shared: row.operation === 'PX BLOCK' || (reading.shared && row.operation !== 'NESTED LOOPS'),
        }),
      ),
    ];
  };
  return (below.get(null) ?? []).flatMap((row) => within(row, { depth: 0, extent: 'toEnd', shared: false }));
}

/** How the operations above read an operation. */
interface Reading {
  readonly depth: number;
  readonly extent: PlanStepExtent;
  /** Its executions are parts of one execution, which several processes share. */
  readonly shared: boolean;
}

function extentBelow(
  { operation, options }: PlanRow,
  input: number,
  inputs: number,
  above: PlanStepExtent,
): PlanStepExtent {
  const last = input === inputs - 1;
  switch (operation) {
    case 'SELECT STATEMENT':
      // The inputs before the last one are subqueries in the list of columns.
      return last ? above : 'mayStop';
    case 'COUNT':
      return /STOPKEY/.test(options ?? '') ? 'mayStop' : above;
    case 'FIRST ROW':
      return 'mayStop';
    case 'WINDOW':
      // A window function that numbers rows may be stopped by a number of rows, as FETCH FIRST does.
      return /SORT/.test(options ?? '') ? 'toEnd' : /STOPKEY/.test(options ?? '') ? 'mayStop' : above;
    case 'FILTER':
      // The inputs after the first are subqueries of its condition, such as EXISTS.
      return input === 0 ? above : 'mayStop';
    case 'NESTED LOOPS':
      return input > 0 && /SEMI|ANTI/.test(options ?? '') ? 'mayStop' : above;
    case 'MERGE JOIN':
      return input === 0 ? 'mayStop' : 'mayRepeat';
    case 'SORT':
    case 'HASH':
    case 'BUFFER':
      return 'toEnd';
    case 'HASH JOIN':
      // The second input is not read if the first has no row.
      return input === 0 ? 'toEnd' : 'mayStop';
    default:
      return above;
  }
}

function stepOf(row: PlanRow, { depth, extent, shared }: Reading): PlanStep {
  const { operation, options, object_name, last_starts: starts, last_output_rows: rows } = row;
  const isIndex = /^(?:INDEX|BITMAP INDEX)$/.test(operation);
  const sharedBy = shared && starts !== null && starts > 1 ? starts : 1;
  return {
    ...unknownStep,
    depth,
    kind: kindOf(row),
    operator: options === null ? operation : `${operation} ${options}`,
    table: isIndex ? row.table_name : operation === 'TABLE ACCESS' ? object_name : null,
    index: isIndex ? object_name : null,
    estimatedRows: row.cardinality,
    actualRows: rows === null || starts === null || starts === 0 ? null : rows / starts,
    loops: starts,
    sharedBy,
    extent,
    cost: row.cost,
    spilled: row.last_execution === null ? null : row.last_execution !== 'OPTIMAL',
    filter: row.filter_predicates,
    details: [
      row.access_predicates === null ? [] : `Access: ${row.access_predicates}`,
      row.last_cr_buffer_gets === null ? [] : `Consistent gets: ${row.last_cr_buffer_gets}`,
      row.last_execution === null ? [] : `Work area: ${row.last_execution}`,
    ].flat(),
  };
}

function kindOf({ operation, options }: PlanRow): PlanStepKind {
  const of = options ?? '';
  switch (operation) {
    case 'TABLE ACCESS':
    case 'MAT_VIEW ACCESS':
      return /FULL/.test(of) ? 'fullScan' : 'other';
    case 'INDEX':
      return /FULL/.test(of) ? 'indexScan' : 'indexSeek';
    case 'SORT':
      return of === 'AGGREGATE' ? 'aggregate' : 'sort';
    case 'HASH':
    case 'HASH JOIN':
      return 'hash';
    case 'NESTED LOOPS':
    case 'MERGE JOIN':
      return 'join';
    case 'WINDOW':
      return 'aggregate';
    case 'INSERT':
    case 'UPDATE':
    case 'DELETE':
    case 'MERGE':
    case 'LOAD TABLE CONVENTIONAL':
    case 'LOAD AS SELECT':
      return 'change';
    default:
      return 'other';
  }
}
