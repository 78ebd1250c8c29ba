import type pg from 'pg';
import {
  mostPlanMs,
  type PlanStep,
  type PlanStepExtent,
  type PlanStepKind,
  planTexts,
  type QueryPlan,
} from '#engine-api/query-plan.ts';
import { DynoError } from '#model/error.ts';
import { provePlans } from '../../shared/plan-proof.ts';
import { toError } from '../errors.ts';
import { literal, type ParameterValue } from '../values/values.ts';
import { beginReading } from '../wire/own-transactions.ts';
import { setPipelining } from '../wire/requests.ts';

/** A statement whose plan is asked. */
interface Planned {
  readonly text: string;
  /** The prepared statement of this session; absent: the server makes a plan for each call. */
  readonly name?: string | undefined;
  /** Null or absent: the values are in the text. */
  readonly values?: readonly ParameterValue[] | null | undefined;
  /** The statement only reads: it can be executed for its plan. */
  readonly isRead: boolean;
}

/**
 * The plan of a call. For a prepared statement EXPLAIN EXECUTE shows the plan that this session uses, which may be the
 * generic one (manual, "PREPARE"). A read is executed, and rolled back with the changes of its functions.
 */
export async function queryPlanOf(client: pg.Client, planned: Planned): Promise<QueryPlan> {
  setPipelining(client, false);
  await provePostgresPlans(client);
  if (!planned.isRead) return explain(client, planned, 'FORMAT JSON', false);
  try {
    return await explain(client, planned, 'ANALYZE, TIMING OFF, FORMAT JSON', true);
  } catch (error) {
    const { kind } = toError(error);
    if (kind !== 'cancelled' && kind !== 'statementTimeout') throw error;
    return explain(client, planned, 'FORMAT JSON', false);
  }
}

/** The extended protocol takes one statement at a time, so no text can bring a second one that would be executed. */
const queryMode = 'extended' as const;

/** @throws DynoError 'unsupported' if EXPLAIN is answered by something else than a plan. */
export const provePostgresPlans = (client: pg.Client): Promise<void> =>
  provePlans(client, 'PostgreSQL', async () => {
    const asked = { text: 'EXPLAIN (FORMAT JSON) SELECT 1', queryMode };
    const { rows } = await client.query<[string]>({ ...asked, rowMode: 'array' });
    return /^\s*\[\s*\{\s*"Plan"/.test(String(rows[0]?.[0]));
  });

async function explain(client: pg.Client, planned: Planned, options: string, executed: boolean): Promise<QueryPlan> {
  const command = `EXPLAIN (${options})`;
  const asked = await explaining(client, command, planned);
  // EXPLAIN alone changes nothing, not even in a read-only transaction (execMain.c, EXEC_FLAG_EXPLAIN_ONLY).
  await client.query(`${executed ? 'BEGIN' : beginReading}; SET LOCAL statement_timeout = ${mostPlanMs}`);
  try {
    // The driver is set to return every value as the server's text.
    const { rows } = await client.query<[string]>({ ...asked, rowMode: 'array' });
    const [[printed]] = rows as [[string]];
    const [{ Plan }] = JSON.parse(printed) as readonly [{ readonly Plan?: PlanJson }];
    if (!Plan) throw new DynoError('unsupported', 'PostgreSQL has no plan for a statement of this kind.');
    return { command, executed, steps: planSteps(Plan), ...planTexts(planned.text, printed) };
  } catch (error) {
    if (toError(error).kind === 'syntax')
      throw new DynoError('unsupported', 'PostgreSQL has no plan for a statement of this kind.');
    throw error;
  } finally {
    await client.query('ROLLBACK');
  }
}

/** The command that asks for the plan of a call. */
export async function explaining(
  client: pg.Client,
  command: string,
  { text, name, values }: Omit<Planned, 'isRead'>,
): Promise<Pick<pg.QueryConfig, 'text' | 'values'> & { readonly queryMode?: 'extended' }> {
  const isNamed = name !== undefined && (await isParsed(client, name)) && !values?.some(Buffer.isBuffer);
  const list = values && values.length > 0 ? `(${values.map(literal).join(', ')})` : '';
  return isNamed
    ? { text: `${command} EXECUTE ${name}${list}` }
    : { text: `${command} ${text}`, queryMode, ...(values && { values: [...values] }) };
}

/** A statement for a last, smaller batch is parsed with its first call. */
async function isParsed(client: pg.Client, name: string): Promise<boolean> {
  const { rowCount } = await client.query('SELECT FROM pg_prepared_statements WHERE name = $1', [name]);
  return rowCount === 1;
}

/** A node of EXPLAIN (FORMAT JSON): explain.c. */
export interface PlanJson {
  readonly 'Node Type': string;
  readonly Plans?: readonly PlanJson[];
  readonly [property: string]: unknown;
}

/** How the nodes above read a node. */
interface Reading {
  readonly depth: number;
  readonly extent: PlanStepExtent;
  /**
   * The executions of the node that gathers the rows of several processes. Null: the node runs in the session's own
   * process.
   */
  readonly gathered: number | null;
}

/** The steps of a plan in pre-order. Pure. */
export const planSteps = (
  plan: PlanJson,
  reading: Reading = { depth: 0, extent: 'toEnd', gathered: null },
): readonly PlanStep[] => [
  stepOf(plan, reading),
  ...(plan.Plans ?? []).flatMap((child) =>
    planSteps(child, {
      depth: reading.depth + 1,
      extent: extentOf(child, plan, reading.extent),
      gathered: /^Gather/.test(plan['Node Type']) ? number(plan['Actual Loops']) : reading.gathered,
    }),
  ),
];

function stepOf(plan: PlanJson, { depth, extent, gathered }: Reading): PlanStep {
  const loops = number(plan['Actual Loops']);
  // The executor counts no rows of the bitmaps that it combines: explain shows 0 (nodeBitmapAnd.c, nodeBitmapOr.c).
  const isCounted = loops !== 0 && !/^Bitmap(?:And|Or)$/.test(plan['Node Type']);
  const actual = isCounted ? number(plan['Actual Rows']) : null;
  const removed = ['Rows Removed by Filter', 'Rows Removed by Index Recheck'].map((name) => number(plan[name]) ?? 0);
  const filters = ['Filter', 'Join Filter'].flatMap((name) => text(plan[name]) ?? []);
  const isShared = plan['Parallel Aware'] === true && loops !== null && gathered !== null && gathered > 0;
  return {
    depth,
    kind: kindOf(plan),
    operator: operatorOf(plan),
    table: text(plan['Relation Name']),
    index: text(plan['Index Name']),
    estimatedRows: number(plan['Plan Rows']),
    actualRows: actual,
    examinedRows: actual === null ? null : removed.reduce((sum, rows) => sum + rows, actual),
    loops,
    sharedBy: isShared ? Math.max(1, Math.round(loops / gathered)) : 1,
    extent,
    cost: number(plan['Total Cost']),
    spilled: spilledOf(plan),
    filter: filters.length > 0 ? filters.join(' AND ') : null,
    details: toldProperties.flatMap((name) => {
      const value = plan[name];
      return value === undefined || value === false || value === 0
        ? []
        : [`${name}: ${Array.isArray(value) ? value.join(', ') : value}`];
    }),
  };
}

/** Nodes that read all their input before they return their first row. */
const readsAllFirst = /^(?:Sort|Hash|Bitmap Heap Scan|BitmapAnd|BitmapOr|ModifyTable)$/;

/** How far the node above reads a node, if it is itself read as far as `above`. */
function extentOf(child: PlanJson, plan: PlanJson, above: PlanStepExtent): PlanStepExtent {
  const node = plan['Node Type'];
  const relationship = child['Parent Relationship'];
  // EXISTS ends with the first row, and a CTE is read as far as its readers go.
  if (relationship === 'InitPlan') return 'mayStop';
  if (relationship === 'SubPlan') {
    const hashed = new RegExp(`hashed ${text(child['Subplan Name'])}\\b`);
    return Object.values(plan).some((value) => hashed.test(text(value) ?? '')) ? 'toEnd' : 'mayStop';
  }
  if (readsAllFirst.test(node)) return 'toEnd';
  if (node === 'Aggregate' || node === 'SetOp')
    return /^(?:Sorted|Mixed)$/.test(String(plan.Strategy)) ? above : 'toEnd';
  if (node === 'Limit' || plan['Run Condition'] !== undefined) return 'mayStop';
  if (node === 'Merge Join') return relationship === 'Inner' ? 'mayRepeat' : 'mayStop';
  if (node === 'Nested Loop' && relationship === 'Inner')
    return plan['Inner Unique'] === true || /^(?:Semi|Anti)$/.test(String(plan['Join Type'])) ? 'mayStop' : above;
  // A hash join stops reading its outer side if its hash table is empty.
  if (node === 'Hash Join' && relationship === 'Outer')
    return plan.Plans!.some((one) => one['Node Type'] === 'Hash' && one['Actual Rows'] === 0) ? 'mayStop' : above;
  // A Materialize that is read again does not read its input again, because it keeps its rows.
  return node === 'Materialize' && above === 'mayRepeat' ? 'mayStop' : above;
}

/** The properties of a node that are shown besides the members of a step. */
const toldProperties = [
  'Parent Relationship',
  'Index Cond',
  'Recheck Cond',
  'Hash Cond',
  'Merge Cond',
  'TID Cond',
  'One-Time Filter',
  'Sort Key',
  'Presorted Key',
  'Group Key',
  'Sort Method',
  'Sort Space Used',
  'Sort Space Type',
  'Hash Batches',
  'Original Hash Batches',
  'Peak Memory Usage',
  'HashAgg Batches',
  'Disk Usage',
  'Rows Removed by Filter',
  'Rows Removed by Index Recheck',
  'Heap Fetches',
  'Exact Heap Blocks',
  'Lossy Heap Blocks',
  'Workers Planned',
  'Workers Launched',
  'Subplan Name',
];

const number = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function kindOf(plan: PlanJson): PlanStepKind {
  const node = plan['Node Type'];
  switch (node) {
    case 'Seq Scan':
    case 'Sample Scan':
      return 'fullScan';
    case 'Index Scan':
    case 'Index Only Scan':
    case 'Bitmap Index Scan':
      return plan['Index Cond'] === undefined ? 'indexScan' : 'indexSeek';
    case 'Sort':
    case 'Incremental Sort':
      return 'sort';
    case 'Hash':
      return 'hash';
    case 'Hash Join':
    case 'Merge Join':
    case 'Nested Loop':
      return 'join';
    case 'Aggregate':
      return plan.Strategy === 'Hashed' ? 'hash' : 'aggregate';
    case 'Group':
    case 'WindowAgg':
      return 'aggregate';
    case 'ModifyTable':
      return 'change';
    default:
      return 'other';
  }
}

/** "Parallel Seq Scan", "Insert" or "Hash Left Join", as EXPLAIN (FORMAT TEXT) writes them. */
function operatorOf(plan: PlanJson): string {
  const node = plan['Node Type'];
  const name =
    node === 'ModifyTable'
      ? (text(plan.Operation) ?? node)
      : node === 'Aggregate' && text(plan.Strategy) !== 'Plain'
        ? `${text(plan.Strategy)} Aggregate`
        : plan['Join Type'] !== undefined && plan['Join Type'] !== 'Inner'
          ? `${node} (${text(plan['Join Type'])})`
          : plan['Scan Direction'] === 'Backward'
            ? `${node} Backward`
            : node;
  return plan['Parallel Aware'] === true ? `Parallel ${name}` : name;
}

/** Null: the statement was not executed, or the node keeps nothing that could spill. */
function spilledOf(plan: PlanJson): boolean | null {
  if (plan['Sort Space Type'] !== undefined) return plan['Sort Space Type'] === 'Disk';
  const batches = number(plan['Hash Batches']) ?? number(plan['HashAgg Batches']);
  return batches === null ? null : batches > 1;
}
