import { textFor } from '#experiment/statements/statement-mix.ts';
import type { Dataset } from '#model/dataset/dataset.ts';
import { orderedColumns } from '#model/dataset/indexes.ts';
import { allTables } from '#model/dataset/tables.ts';
import { formatCount, formatNumber } from '#model/format/format.ts';
import { confirmBy } from '../shared/confirm.ts';
import { number } from '../shared/evidence.ts';
import type { CellFacts, RunFacts } from '../shared/facts.ts';
import type { Confirm, Rule } from '../shared/finding.ts';
import { type CellOutcome, cannotTell, eachCell, notShown, shown } from '../shared/outcomes.ts';
import { barsOf } from '../shared/picture.ts';
import { indexesPath } from './scans.ts';
import { calledStatements, timeShareOf } from './statements-of.ts';

/** Below this number of rows, a scan takes less than a millisecond. */
const leastRows = 1_000;
/** Least share of the referencing table's rows that each delete reads; with an index it would be close to 0. */
const leastRead = 0.5;

/** A column that references the table from which a statement deletes. */
interface Referrer {
  readonly statement: string;
  readonly parent: string;
  readonly table: string;
  readonly column: string;
  readonly dataset: Dataset;
}

/**
 * Deletes for which the server reads the whole of another table, to check that no row references the deleted row. Plans
 * do not show these checks, but the counter of rows read does.
 */
export const foreignKeyWithoutIndex: Rule = {
  title: 'Foreign key without index',
  looksFor:
    'deletes that read the whole of a table that refers to the deleted rows, because the foreign key has no index',
  shownWhen:
    'a foreign key to the table has no index, and the server reads half of the referring table or more for each delete (1,000 rows at least)',
  bottleneck: 'checks of foreign keys',
  find: eachCell(outcomeOf, {
    cells: (facts) => facts.measured.filter((cell) => deletesOf(cell).length > 0),
    whyNone: 'No statement deletes from a table that others refer to.',
  }),
};

/** The statements of a cell that delete from a table of the experiment, with the columns that reference it. */
function deletesOf({ experiment, ...cell }: CellFacts): readonly Referrer[] {
  if (cell.settings.operation !== 'statement') return [];
  const tables = allTables(experiment);
  const choice = { target: cell.target.name, engine: cell.target.engine };
  return Object.entries(experiment.statements ?? {}).flatMap(([statement, { text }]) => {
    const [, parent] = /^\s*delete\s+from\s+\{(\w+)\}/i.exec(textFor(text, choice) ?? '') ?? [];
    if (parent === undefined) return [];
    return Object.entries(tables).flatMap(([table, dataset]) =>
      Object.entries(dataset.columns).flatMap(([column, spec]) =>
        spec.type === 'reference' && spec.table === parent ? [{ statement, parent, table, column, dataset }] : [],
      ),
    );
  });
}

function outcomeOf(facts: RunFacts, cell: CellFacts): CellOutcome {
  const { settings, target, server } = cell;
  if (!settings.foreignKeys || target.descriptor.foreignKeys === undefined)
    return notShown('The columns are not declared as foreign keys.');
  const isIndexed = ({ column, dataset }: Referrer): boolean =>
    (settings.keyCreation !== 'none' && dataset.key === column) ||
    (settings.indexCreation !== 'none' && (dataset.indexes ?? []).some((index) => orderedColumns(index)[0] === column));
  const [referrer] = deletesOf(cell)
    .filter((one) => !isIndexed(one))
    .toSorted((a, b) => b.dataset.rows - a.dataset.rows);
  if (referrer === undefined) return notShown('Every foreign key to the tables has an index.');
  const { statement, parent, table, column, dataset } = referrer;
  const { rowsExamined } = server.roles;
  if (rowsExamined === undefined) return cannotTell(`${target.name} does not count the rows that it reads.`);
  const own = cell.views.flatMap(({ result }) => result?.statements ?? []);
  const deletes = own.filter(({ name }) => name === statement).reduce((sum, { calls }) => sum + calls, 0);
  if (deletes === 0) return cannotTell(`“${statement}” was not called.`);
  const others = own.filter(({ name, kind }) => kind === 'statement' && name !== statement);
  if (others.some(({ calls }) => calls > deletes))
    return cannotTell(
      'Other statements are called more often, and the counter does not tell which statement read the rows.',
    );
  const read = rowsExamined / deletes;
  if (read < Math.max(leastRows, dataset.rows * leastRead))
    return notShown(
      `The server reads ${formatNumber(read)} rows for each delete; ${table} has ${formatCount(dataset.rows)}.`,
    );
  const called = calledStatements(cell).find(({ name }) => name === statement);
  const forEach = number('Rows read for each delete', read, 'rows-examined');
  const all = number(`Rows of ${table}`, dataset.rows, 'stored');
  return shown({
    claim: `${cell.name}: for each “${statement}” the server reads ${formatNumber(read)} rows, and ${table}, which refers to ${parent} by ${column}, has ${formatCount(dataset.rows)}: no index begins with ${column}, so the check of the foreign key reads the whole table.`,
    confidence: 'likely',
    explains: called?.timeShare ?? 0,
    evidence: [forEach, all, called && timeShareOf(called)],
    advice: `Create an index on ${table} (${column}), or delete in batches at times of low load.`,
    confirm: confirmOf(facts, cell, referrer),
    picture: barsOf('Rows', forEach, all),
  });
}

function confirmOf(facts: RunFacts, cell: CellFacts, { statement, table, column, dataset }: Referrer): Confirm | null {
  if (!cell.target.descriptor.indexes) return null;
  const { indexes = [] } = dataset;
  const exists = indexes.some((index) => orderedColumns(index)[0] === column);
  const of = `${table} (${column})`;
  return confirmBy(facts, cell, {
    title: `With an index on ${of}`,
    question: `How much faster is “${statement}” on ${cell.target.name} with an index on ${of}?`,
    vary: 'indexCreation',
    levels: ['none', 'beforeLoad'],
    more: [
      ...(exists ? [] : [{ path: indexesPath(facts, table), value: [...indexes, { columns: [column] }] }]),
      { path: ['baseline'], value: { indexCreation: 'none' } },
    ],
  });
}
