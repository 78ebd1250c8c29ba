import type { PlanStep } from '#engine-api/query-plan.ts';
import { formatCount } from '#model/format/format.ts';
import { isCounted, leastFactor, type Misestimate, misestimateOf } from '../../server/misestimates.ts';
import { number } from '../shared/evidence.ts';
import type { CellFacts, RunFacts } from '../shared/facts.ts';
import type { Rule } from '../shared/finding.ts';
import { type CellOutcome, cannotTell, eachCell, notShown, shown } from '../shared/outcomes.ts';
import { barsOf } from '../shared/picture.ts';
import { findingOperations } from './finding-operations.ts';
import { noPlanText, type PlannedStatement, statementsOf } from './statements-of.ts';

/** A misestimate with its statement and step. */
interface Found extends Misestimate {
  readonly statement: PlannedStatement;
  readonly step: PlanStep;
}

/** The optimizer's estimates beside the rows that the server counted when it executed the statement. */
export const estimatesOff: Rule = {
  title: 'Estimates are off',
  looksFor: 'plans whose steps return ten times as many rows as the optimizer expected, or a tenth of them',
  shownWhen: 'estimated and counted rows of a step differ by a factor of 10, and the larger number is 100 rows or more',
  find: eachCell(outcomeOf, { cells: findingOperations, whyNone: 'No cell searches for rows.' }),
};

function outcomeOf(_: RunFacts, cell: CellFacts): CellOutcome {
  const statements = statementsOf(cell);
  const why = noPlanText(statements);
  if (why !== null) return cannotTell(why);
  if (statements.every(({ plan }) => !plan?.steps.some(isCounted)))
    return cannotTell(
      'No plan has counted rows beside its estimates, because the server did not execute the statements for their plans.',
    );
  const [worst] = statements.flatMap(misestimates).toSorted((a, b) => b.factor - a.factor);
  if (worst === undefined) return notShown(`No estimate is off by a factor of ${leastFactor}.`);
  const { statement, step, estimated, actual, factor } = worst;
  const what = `“${step.operator}”${step.table === null ? '' : ` on ${step.table}`}`;
  const expected = number('Rows estimated', Math.round(estimated), 'query-plans');
  const counted = number('Rows counted', Math.round(actual), 'query-plans');
  return shown({
    claim: `${cell.name}: in the plan of ${statement.title} the optimizer expected ${formatCount(Math.round(estimated))} rows of the step ${what}, and there were ${step.extent === 'toEnd' ? '' : 'at least '}${formatCount(Math.round(actual))}${step.loops === 1 ? '' : ', on average of its executions'}.`,
    confidence: 'certain',
    // The run did not measure another plan.
    explains: 0,
    evidence: [expected, counted, number('Factor', Math.round(factor), 'query-plans')],
    advice:
      'Update the statistics of the table, with a larger sample or a histogram. Create extended statistics for columns that depend on each other, and for expressions. A wrong estimate may lead to a bad join order, or to too little memory for a sort.',
    confirm: null,
    picture: barsOf('Rows of a step of the plan', expected, counted),
  });
}

const misestimates = (statement: PlannedStatement): readonly Found[] =>
  (statement.plan?.steps ?? []).flatMap((step) => {
    const found = misestimateOf(step);
    return found === null ? [] : [{ ...found, statement, step }];
  });
