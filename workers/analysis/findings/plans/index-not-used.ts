import type { CellFacts, RunFacts } from '../shared/facts.ts';
import type { Rule } from '../shared/finding.ts';
import { type CellOutcome, cannotTell, eachCell, notShown, shown } from '../shared/outcomes.ts';
import { type Wrapped, wrappedIn } from './conditions.ts';
import { findingOperations } from './finding-operations.ts';
import { inWords, scanShown, wastefulScans } from './scans.ts';
import { noPlanText, statementsOf } from './statements-of.ts';

/**
 * An index that a condition cannot use, because it compares an expression of the column: the server reads all rows of
 * the table although an index begins with the column.
 */
export const indexNotUsed: Rule = {
  title: 'Index not used',
  looksFor: 'indexes that a condition cannot use because it converts the column or calls a function with it',
  shownWhen:
    'a plan reads 1,000 rows or more of a table or an index, 1 % of them or fewer are wanted, and the condition wraps the column of an index',
  bottleneck: 'full scans',
  find: eachCell(outcomeOf, { cells: findingOperations, whyNone: 'No cell searches for rows.' }),
};

function outcomeOf(_: RunFacts, cell: CellFacts): CellOutcome {
  const why = noPlanText(statementsOf(cell));
  if (why !== null) return cannotTell(why);
  const scans = wastefulScans(cell).filter(({ index }) => index !== null);
  const [first] = scans;
  if (first === undefined)
    return notShown('No plan reads a whole table or index for few rows beside an index that fits.');
  const found = scans.flatMap((scan) => {
    const wrapped = scan.condition === null ? null : wrappedIn(scan.condition, scan.dataset);
    return wrapped !== null && wrapped.column === scan.index?.[0] ? [{ scan, wrapped }] : [];
  })[0];
  if (found === undefined)
    return cannotTell(
      `${first.statement.title} ${inWords(first)}, beside an index on ${first.index!.join(', ')}, and its condition compares the column as it is stored.`,
    );
  const { scan, wrapped } = found;
  const { statement, index } = scan;
  return shown({
    claim: `${cell.name}: ${statement.title} ${inWords(scan)}, beside an index on ${index!.join(', ')}: ${causeIn(wrapped)}.`,
    ...scanShown(scan),
    advice: adviceOn(wrapped),
    confirm: null,
  });
}

function causeIn({ column, kind, by }: Wrapped): string {
  switch (kind) {
    case 'function':
      return `the condition calls ${by}() with ${column}`;
    case 'conversion':
      return `the condition converts ${column} to ${by}`;
    case 'arithmetic':
      return `the condition calculates with ${column} (${by})`;
  }
}

const adviceOn = ({ column, kind }: Wrapped): string =>
  kind === 'conversion'
    ? `Send the value as the type of ${column}, so that the server converts the value once and not the column of every row.`
    : `Compare ${column} itself, and move the expression to the other side of the comparison. Otherwise, create an index on the expression, or store its result in a column with an index if the engine has no such indexes.`;
