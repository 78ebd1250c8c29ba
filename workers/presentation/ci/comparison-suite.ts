import type { RunComparison } from '#analysis/compare/compare-runs.ts';
import { cellName } from '#analysis/findings/shared/cell-name.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatRunRatio, verdictWords } from '#analysis/text/verdict-text.ts';
import { formatInterval } from '#model/format/format.ts';
import { sentence } from '#model/format/sentence.ts';
import { cellPath } from './cell-path.ts';
import type { TestCase, TestSuite } from './test-suite.ts';

const outcomes: Readonly<Record<RunComparison['verdict'], TestCase['outcome']>> = {
  slower: 'failed',
  faster: 'passed',
  notSignificant: 'passed',
  notEnoughRepeats: 'skipped',
  driftOrChange: 'skipped',
  setByLoad: 'skipped',
  notComparable: 'skipped',
  missing: 'skipped',
};

/** The test cases of two compared runs: one for each cell, which fails where the later run is certainly slower. */
export const comparisonSuite = (
  after: RunModel,
  all: readonly RunComparison[],
  notes: readonly string[],
): TestSuite => ({
  name: 'comparison',
  cases: all.map((one) => caseOf(after, one)),
  notes,
});

const rate = (value: RunComparison['before']): string => (value === null ? 'no result' : formatInterval(value));

function caseOf({ plan }: RunModel, one: RunComparison): TestCase {
  const outcome = outcomes[one.verdict];
  return {
    name: cellName(plan, one),
    outcome,
    message: `${sentence(verdictWords[one.verdict])}: ${formatRunRatio(one)}.`,
    details: [`before ${rate(one.before)}, after ${rate(one.after)}`],
    seconds: 0,
    isOpen: one.verdict === 'driftOrChange' || one.verdict === 'notEnoughRepeats',
    path: cellPath(plan, one),
  };
}
