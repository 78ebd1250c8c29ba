import type { ComparedRun } from '#analysis/between-runs/compare-with-reference.ts';
import type { RunTimeComparison } from '#analysis/compare/compare-run-times.ts';
import type { RunComparison } from '#analysis/compare/compare-runs.ts';
import { cellName } from '#analysis/findings/shared/cell-name.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatTimeName } from '#analysis/text/latency-text.ts';
import { formatRunRatio, verdictWords } from '#analysis/text/verdict-text.ts';
import { formatInterval, formatMsTo } from '#model/format/format.ts';
import { sentence } from '#model/format/sentence.ts';
import { runTimeRatioText } from '../tables/comparison/compared-runs-tables.ts';
import { cellPath } from './cell-path.ts';
import type { TestCase, TestSuite } from './test-suite.ts';

type Verdict = RunComparison['verdict'] | RunTimeComparison['verdict'];

const outcomes: Readonly<Record<Verdict, TestCase['outcome']>> = {
  slower: 'failed',
  faster: 'passed',
  notSignificant: 'passed',
  notEnoughRepeats: 'skipped',
  driftOrChange: 'skipped',
  setByLoad: 'skipped',
  notComparable: 'skipped',
  missing: 'skipped',
  lateStarts: 'skipped',
  tooFewCalls: 'skipped',
  givenUp: 'skipped',
};

const isOpen = (verdict: Verdict): boolean => verdict === 'driftOrChange' || verdict === 'notEnoughRepeats';

/**
 * The test cases of a run beside the reference: one for each cell and for each judged time, which fails where the run
 * is certainly slower.
 */
export const comparisonSuite = (
  { run, cells, times }: Pick<ComparedRun, 'run' | 'cells' | 'times'>,
  notes: readonly string[],
): TestSuite => ({
  name: 'comparison',
  cases: [...cells.map((one) => caseOf(run, one)), ...times.map((one) => timeCaseOf(run, one))],
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
    isOpen: isOpen(one.verdict),
    path: cellPath(plan, one),
  };
}

const timeText = (value: RunTimeComparison['before']): string =>
  value === null ? 'no result' : formatInterval(value, formatMsTo);

const timeCaseOf = ({ plan }: RunModel, one: RunTimeComparison): TestCase => ({
  name: `${cellName(plan, one)}, ${formatTimeName(one)}`,
  outcome: outcomes[one.verdict],
  message: `${sentence(runTimeRatioText(one))}.`,
  details: [`before ${timeText(one.before)}, after ${timeText(one.after)}`],
  seconds: 0,
  isOpen: isOpen(one.verdict),
  path: cellPath(plan, one),
});
