import { compareMachines } from '#analysis/compare/compare-machines.ts';
import { comparePlans } from '#analysis/compare/compare-plans.ts';
import { comparisonPromise, comparisonRemarks, type RunComparison } from '#analysis/compare/compare-runs.ts';
import { whatChanged } from '#analysis/compare/what-changed.ts';
import type { GateResult } from '#analysis/gate/gate-result.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { comparisonMarkdown } from '#presentation/ci/comparison-markdown.ts';
import { comparisonSuite } from '#presentation/ci/comparison-suite.ts';
import { gateSuite } from '#presentation/ci/gate-suite.ts';
import { changesText } from '#presentation/text/changes-text.ts';
import type { Results } from './outputs.ts';
import { resultsJson } from './results-json.ts';
import { testsOf } from './run-results.ts';

/** The results of two compared runs in every form. `command`: see comparisonPromise. */
export function comparisonResults(
  before: RunModel,
  after: RunModel,
  cells: readonly RunComparison[],
  {
    command,
    series,
    gate = null,
  }: { readonly command: string; readonly series: boolean; readonly gate?: GateResult | null },
): Results {
  const changes = whatChanged(before, after);
  const notes = [...comparisonPromise(cells, command), ...comparisonRemarks(before, after)];
  return {
    json: () => ({
      before: before.runId,
      after: after.runId,
      headline: changesText(changes),
      changes,
      cells,
      machine: compareMachines(before, after),
      plans: comparePlans(before, after),
      ...(gate && { gate }),
      notes,
      ...(series && { runs: [before, after].map((run) => resultsJson(run, { series })) }),
    }),
    tests: () =>
      testsOf(after, [gate === null ? comparisonSuite(after, cells, notes) : gateSuite(after.plan, gate)], {
        before: before.runId,
      }),
    markdown: () => comparisonMarkdown(before, after, cells, { command, gate }),
  };
}
