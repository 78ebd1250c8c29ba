import type { Dataset } from '#model/dataset/dataset.ts';
import { allTables, datasetName } from '#model/dataset/tables.ts';
import { formatCount, formatNumber } from '#model/format/format.ts';
import { type CellEvidence, number } from '../shared/evidence.ts';
import type { CellFacts } from '../shared/facts.ts';
import { columnsIn, whereOf } from './conditions.ts';
import { addsUpOrStops, existingIndex, leastRead, mostWanted, ownColumns, type WastefulScan } from './scans.ts';
import { type CalledStatement, calledStatements } from './statements-of.ts';

/** A scan without a plan: the server's counters match reading the whole table for each call. */
interface CountedScan extends Pick<WastefulScan, 'table' | 'dataset' | 'condition' | 'columns' | 'read' | 'wanted'> {
  readonly statement: CalledStatement;
  /** "40,012 rows, and the table has 40,000". */
  readonly inWords: string;
  readonly evidence: readonly CellEvidence[];
}

/**
 * The rows read for each call, as a share of the table. Below the first share an index may be in use; above the second,
 * the server also reads other tables.
 */
const [leastShare, mostShare] = [0.5, 3] as const;
/** An index and the server's catalogue may have up to this many pages. */
const leastPages = 100;

/**
 * The scan that the counters of rows or pages per call prove, if all calls of the cell run one statement on one table
 * and need few of its rows. Null: the counters show no scan, or are ambiguous.
 */
export function countedScan(cell: CellFacts): CountedScan | null {
  const [statement, ...others] = calledStatements(cell);
  if (statement === undefined || others.length > 0 || statement.rowsPerCall === null) return null;
  const { experiment } = cell;
  const ofDataset = datasetName(experiment.dataset);
  const table = statement.text === null ? ofDataset : onlyTableIn(statement.text);
  const tables = allTables(experiment);
  const dataset = table === null ? undefined : tables[table];
  if (table === null || dataset === undefined) return null;
  const condition = statement.text === null ? null : whereOf(statement.text);
  if (statement.text !== null && (condition === null || addsUpOrStops.test(statement.text))) return null;
  const columns = condition === null ? ownColumns(cell, statement, dataset) : columnsIn(condition, dataset);
  if (columns.length === 0 || existingIndex(cell, dataset, columns) !== null) return null;
  // Foreign keys may be checked by reading the referencing tables, and the counters do not separate these reads.
  if (isReferredTo(tables, table) && /\b(?:delete|update)\b/i.test(statement.text ?? cell.settings.operation))
    return null;
  const wanted = statement.rowsPerCall;
  if (dataset.rows < leastRead || wanted > dataset.rows * mostWanted) return null;
  const { rowsExamined, pagesExamined } = cell.server.roles;
  const [examined, all, unit] =
    rowsExamined !== undefined
      ? [rowsExamined, dataset.rows, 'rows']
      : [pagesExamined, table === ofDataset ? tablePages(cell) : null, 'pages'];
  if (examined === undefined || all === null || (unit === 'pages' && all < leastPages)) return null;
  const perCall = examined / statement.calls;
  if (perCall < all * leastShare || perCall > all * mostShare) return null;
  return {
    statement,
    table,
    dataset,
    condition,
    columns,
    read: dataset.rows,
    wanted,
    inWords: `${formatNumber(perCall)} ${unit}, and ${table} has ${formatCount(Math.round(all))}`,
    evidence: [
      number(unit === 'rows' ? 'Rows read for a call' : 'Pages read for a call', perCall, 'rows-examined'),
      number(unit === 'rows' ? `Rows of ${table}` : `Pages of ${table}`, Math.round(all), 'stored'),
      number('Rows returned or changed by a call', wanted, 'rows-examined'),
    ],
  };
}

/** The only table of a text; null: it has none, or several. */
function onlyTableIn(text: string): string | null {
  const [only, ...others] = text.matchAll(/\{(\w+)\}/g);
  return only === undefined || others.length > 0 ? null : only[1]!;
}

const isReferredTo = (tables: Readonly<Record<string, Dataset>>, table: string): boolean =>
  Object.values(tables).some(({ columns }) =>
    Object.values(columns).some((spec) => spec.type === 'reference' && spec.table === table),
  );

/** Pages of the dataset's rows without indexes; null: the server does not report their size. */
function tablePages({ views, target }: CellFacts): number | null {
  const sizes = views.flatMap(({ result }) => result?.storedBytes?.tableBytes ?? []);
  const pageBytes = target.fingerprint?.pageBytes;
  return sizes.length === 0 || pageBytes === undefined ? null : Math.min(...sizes) / pageBytes;
}
