import { orderedColumns } from '#model/dataset/indexes.ts';
import { confirmBy } from '../shared/confirm.ts';
import type { CellFacts, RunFacts } from '../shared/facts.ts';
import type { Confirm, Rule } from '../shared/finding.ts';
import { type CellOutcome, cannotTell, eachCell, notShown, shown } from '../shared/outcomes.ts';
import { countedScan } from './examined.ts';
import { findingOperations } from './finding-operations.ts';
import { indexesPath, inWords, scanShown, type WastefulScan, wastefulScans } from './scans.ts';
import { type CalledStatement, noPlanText, statementsOf } from './statements-of.ts';

/**
 * A statement that reads all rows of a table to find few of them, and no index begins with a column of its condition.
 * Certain if the server counted the rows in an execution. Likely if its optimizer estimated them, if only the loaded
 * and the returned rows are known, or if there is no plan and the server's counters match a scan for each call.
 */
export const fullScan: Rule = {
  title: 'Full scan for few rows',
  looksFor:
    'statements that read all rows of a table to find few of them, without an index on the columns of their condition',
  shownWhen:
    'a statement reads 1,000 rows or more of a table, by its plan or by the server’s counters, wants 1 % of them or fewer, and no index fits',
  bottleneck: 'full scans',
  find: eachCell(outcomeOf, {
    cells: findingOperations,
    whyNone: 'No cell searches for rows.',
  }),
};

function outcomeOf(facts: RunFacts, cell: CellFacts): CellOutcome {
  const why = noPlanText(statementsOf(cell));
  if (why !== null) return outcomeOfCounters(facts, cell, why);
  const [scan, ...others] = wastefulScans(cell).filter(({ index }) => index === null);
  if (scan === undefined) return notShown('No plan reads a whole table for few rows without an index.');
  const more = others.length === 0 ? '' : ` ${others.length} more scans are like it.`;
  return shown({
    claim: `${cell.name}: ${scan.statement.title} ${inWords(scan)}: no index begins with ${columnsOf(scan)}.${more}`,
    ...scanShown(scan),
    advice: adviceOn(scan),
    confirm: confirmOf(facts, cell, scan),
  });
}

/** Judges a cell without a plan by the server's counters of rows read for each call. */
function outcomeOfCounters(facts: RunFacts, cell: CellFacts, why: string): CellOutcome {
  const scan = countedScan(cell);
  if (scan === null) return cannotTell(why);
  const { statement, read, wanted } = scan;
  return shown({
    claim: `${cell.name}: for each call of ${statement.title} the server reads ${scan.inWords}: no index begins with ${columnsOf(scan)}, so the server reads the whole table.`,
    confidence: 'likely',
    explains: (statement.timeShare ?? 0) * (1 - wanted / read),
    evidence: scan.evidence,
    advice: adviceOn(scan),
    confirm: confirmOf(facts, cell, scan),
  });
}

type Scan = Pick<WastefulScan, 'table' | 'dataset' | 'columns' | 'condition'> & { readonly statement: CalledStatement };

const columnsOf = ({ columns }: Scan): string =>
  columns.length === 1 ? `the column ${columns[0]}` : `the columns ${columns.join(', ')}`;

const adviceOn = (scan: Scan): string =>
  `Create an index on ${scan.table} (${scan.columns.join(', ')}). The index makes each insert, and each change of ${columnsOf(scan)}, slower: measure both.`;

/**
 * An experiment with and without the index or the key. Null: the condition has alternatives, or the engine cannot
 * create an index.
 */
function confirmOf(
  facts: RunFacts,
  cell: CellFacts,
  { statement, table, dataset, columns, condition }: Scan,
): Confirm | null {
  const of = `${table} (${columns.join(', ')})`;
  const words = {
    title: `With an index on ${of}`,
    question: `How much faster is ${statement.title} on ${cell.target.name} with an index on ${of}?`,
  };
  if (columns[0] === dataset.key && cell.settings.keyCreation === 'none')
    return confirmBy(facts, cell, { ...words, vary: 'keyCreation', levels: ['none', 'beforeLoad'] });
  if (!cell.target.descriptor.indexes || /\bor\b/i.test(condition ?? '')) return null;
  const { indexes = [] } = dataset;
  const exists = indexes.some((index) => orderedColumns(index)[0] === columns[0]);
  return confirmBy(facts, cell, {
    ...words,
    vary: 'indexCreation',
    levels: ['none', 'beforeLoad'],
    more: [
      ...(exists ? [] : [{ path: indexesPath(facts, table), value: [...indexes, { columns: columns.slice(0, 3) }] }]),
      { path: ['baseline'], value: { indexCreation: 'none' } },
    ],
  });
}
