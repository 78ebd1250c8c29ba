import type { PlanStep } from '#engine-api/query-plan.ts';
import type { Dataset } from '#model/dataset/dataset.ts';
import { orderedColumns } from '#model/dataset/indexes.ts';
import { allTables, datasetName } from '#model/dataset/tables.ts';
import { formatCount } from '#model/format/format.ts';
import { type CellEvidence, number } from '../shared/evidence.ts';
import type { CellFacts, RunFacts } from '../shared/facts.ts';
import type { Shown } from '../shared/finding.ts';
import { barsOf } from '../shared/picture.ts';
import { columnsIn, whereOf } from './conditions.ts';
import { type CountedRows, countedRows, type PlannedStatement, statementsOf, timeShareOf } from './statements-of.ts';

/**
 * A statement that reads a table or an index from its beginning, to the end or until it has enough rows, and needs few
 * of them.
 */
export interface WastefulScan extends Omit<CountedRows, 'executions'> {
  readonly statement: PlannedStatement;
  /** The table's name in statements. */
  readonly table: string;
  readonly dataset: Dataset;
  /** The index whose entries are read; null: the scan reads the rows of the table. */
  readonly along: string | null;
  /**
   * The number of executions of the step in a call; null if unknown, because the statement was not executed for the
   * plan.
   */
  readonly executions: number | null;
  /** False: a parent step may have stopped the scan, so `read` may be too small. */
  readonly isWhole: boolean;
  /**
   * The source of both numbers of rows. counted: the server counted them in an execution; estimated: its optimizer
   * estimated them; returned: the loaded rows, and the rows that a call returned or changed.
   */
  readonly known: 'counted' | 'estimated' | 'returned';
  /** The condition as printed by the server or written in the statement; null for an operation. */
  readonly condition: string | null;
  /** The table's columns in the condition. */
  readonly columns: readonly string[];
  /** Columns of the existing key or index that begins with one of these columns; null: there is none. */
  readonly index: readonly string[] | null;
}

/** Below this number of rows a scan takes less than a millisecond, and servers prefer it. */
export const leastRead = 1_000;
/** Above a few percent of the rows, reading all of them may be the better plan with any index. */
export const mostWanted = 0.01;

/** The scans of a cell's statements; the scans of the slowest statement come first. */
export const wastefulScans = (cell: CellFacts): readonly WastefulScan[] =>
  statementsOf(cell)
    .toSorted((a, b) => (b.timeShare ?? 0) - (a.timeShare ?? 0))
    .flatMap((statement) => scansOf(cell, statement));

function scansOf(cell: CellFacts, statement: PlannedStatement): readonly WastefulScan[] {
  const tables = allTables(cell.experiment);
  const steps = statement.plan?.steps ?? [];
  const isOfOneTable = readsOneTable(statement, steps);
  return steps.flatMap((step): readonly WastefulScan[] => {
    const table = step.table === null ? null : tableOf(step.table, statement, tables);
    const dataset = table === null ? undefined : tables[table];
    const isScan = step.kind === 'fullScan' || step.kind === 'indexScan';
    if (!isScan || step.loops === 0 || table === null || dataset === undefined) return [];
    const condition = step.filter ?? (isOfOneTable && statement.text !== null ? whereOf(statement.text) : null);
    const columns = condition === null ? ownColumns(cell, statement, dataset) : columnsIn(condition, dataset);
    const rows = rowsOf(step, statement, dataset, isOfOneTable, condition);
    if (columns.length === 0 || rows === null || rows.read < leastRead || rows.wanted > rows.read * mostWanted)
      return [];
    const along = step.kind === 'indexScan' ? (step.index ?? 'an index') : null;
    const index = existingIndex(cell, dataset, columns);
    const isWhole = step.extent === 'toEnd';
    return [{ statement, table, dataset, along, isWhole, ...rows, condition, columns, index }];
  });
}

/** Plan and text both name this table, once, so the condition of the text applies to it. */
const readsOneTable = ({ text }: PlannedStatement, steps: readonly PlanStep[]): boolean =>
  new Set(steps.flatMap(({ table }) => table ?? [])).size === 1 &&
  (text === null || (text.match(/\{\w+\}/g) ?? []).length < 2);

/** Some servers print the alias of a table: "FROM {orders} AS o". */
function tableOf(name: string, { text }: PlannedStatement, tables: Readonly<Record<string, Dataset>>): string | null {
  if (tables[name] !== undefined) return name;
  if (text === null || !/^\w+$/.test(name)) return null;
  return new RegExp(`\\{(\\w+)\\}\\s+(?:as\\s+)?["\`\\[]?${name}\\b`, 'i').exec(text)?.[1] ?? null;
}

/** The column by which an operation finds its rows. */
export const ownColumns = (
  { settings }: CellFacts,
  { name }: Pick<PlannedStatement, 'name'>,
  { key }: Dataset,
): readonly string[] =>
  name !== null
    ? []
    : settings.operation === 'readRange' && settings.rangeColumn !== ''
      ? [settings.rangeColumn]
      : key === null || key === undefined
        ? []
        : [key];

/** Returned rows equal needed rows only without an aggregate and without a limit. */
export const addsUpOrStops =
  /\b(?:limit|fetch|top|distinct|group|union|exists|count|sum|avg|min|max)\b|\bselect\b.*\bselect\b/is;

function rowsOf(
  step: PlanStep,
  { text, rowsPerCall }: PlannedStatement,
  { rows }: Dataset,
  isOfOneTable: boolean,
  condition: string | null,
): Pick<WastefulScan, 'read' | 'wanted' | 'executions' | 'isExact' | 'known'> | null {
  const counted = countedRows(step);
  if (counted !== null) return { ...counted, known: 'counted' };
  // Only an execution shows how many rows the scan reads.
  if (step.extent !== 'toEnd') return null;
  // Without a condition, the optimizer's estimate covers all rows of the table.
  if (step.estimatedRows !== null)
    return { read: rows, wanted: step.estimatedRows, executions: null, isExact: false, known: 'estimated' };
  const isTold =
    isOfOneTable && rowsPerCall !== null && (text === null || (condition !== null && !addsUpOrStops.test(text)));
  return isTold ? { read: rows, wanted: rowsPerCall, executions: null, isExact: false, known: 'returned' } : null;
}

export function existingIndex(
  { settings: { keyCreation, indexCreation } }: CellFacts,
  { key, indexes = [] }: Dataset,
  columns: readonly string[],
): readonly string[] | null {
  const isFirst = (column: string | undefined) => column !== undefined && columns.includes(column);
  if (keyCreation !== 'none' && isFirst(key ?? undefined)) return [key!];
  const own = indexCreation === 'none' ? [] : indexes.map(orderedColumns);
  return own.find(([first]) => isFirst(first)) ?? null;
}

/** A finding about a scan: its confidence, the share of the time that it explains, the numbers and the picture. */
export function scanShown({ statement, read, wanted, known }: WastefulScan): Omit<
  Shown,
  'cell' | 'status' | 'claim' | 'evidence' | 'advice' | 'confirm'
> & {
  readonly evidence: readonly (CellEvidence | null)[];
} {
  const rows = number('Rows read', Math.round(read), 'query-plans');
  const found = number('Rows wanted', wanted, 'query-plans');
  return {
    confidence: known === 'counted' ? 'certain' : 'likely',
    explains: (statement.timeShare ?? 0) * (1 - wanted / read),
    evidence: [rows, found, timeShareOf(statement)],
    picture: barsOf('Rows of one execution', rows, found),
  };
}

/** The path of a table's indexes in the file of the run's experiment. */
export const indexesPath = ({ model }: RunFacts, table: string): readonly string[] =>
  table === datasetName(model.plan.experiment.dataset) ? ['dataset', 'indexes'] : ['tables', table, 'indexes'];

/** "reads all 40,000 rows of orders 20 times to find 1 each time, as the server counted". */
export function inWords({ table, along, isWhole, read, wanted, executions, isExact, known }: WastefulScan): string {
  const rows = along === null ? 'rows' : 'entries';
  const of = along === null ? table : `the index ${along} of ${table}`;
  const many = formatCount(Math.round(read));
  const times = executions === null ? 1 : Math.round(executions);
  const what =
    known !== 'counted'
      ? `all ${rows} of ${of}, ${many} of which were loaded,`
      : isWhole
        ? `all ${many} ${rows} of ${of}`
        : `${many} ${rows} of ${of}, until a step above wants no more,`;
  // Some servers round means of several executions or processes.
  const found = wanted >= 0.5 ? formatCount(Math.ceil(wanted)) : isExact ? 'none' : 'next to none';
  const often = times > 1 ? ` ${formatCount(times)} times in a call` : '';
  return `reads ${what}${often} to find ${found}${times > 1 ? ' each time' : ''}, ${howKnown[known]}`;
}

const howKnown: Readonly<Record<WastefulScan['known'], string>> = {
  counted: 'as the server counted',
  estimated: 'as the optimizer estimates',
  returned: 'which is what a call returned or changed on average',
};
