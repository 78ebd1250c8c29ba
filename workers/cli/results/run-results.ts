import type { GateResult } from '#analysis/gate/gate-result.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { type Baseline, baselineOf, type Compare } from '#planning/rates/baseline.ts';
import { gateSuite } from '#presentation/ci/gate-suite.ts';
import { runMarkdown } from '#presentation/ci/run-markdown.ts';
import { runSuites } from '#presentation/ci/run-suites.ts';
import type { TestReport, TestSuite } from '#presentation/ci/test-suite.ts';
import { experimentName } from '#presentation/text/experiment-name.ts';
import type { Results } from './outputs.ts';
import { resultsJson } from './results-json.ts';

/** The results of a run in every form. */
export function runResults(
  model: RunModel,
  {
    compare,
    series,
    gate = null,
  }: { readonly compare?: Compare | undefined; readonly series: boolean; readonly gate?: GateResult | null },
): Results {
  const baseline = baselineOf(model, compare);
  return {
    json: () => ({ ...Object(resultsJson(model, { compare, series })), ...(gate && { gate }) }),
    tests: () => testsOf(model, suitesOf(model, gate, baseline)),
    markdown: () => runMarkdown(model, { baseline, gate }),
  };
}

/** A gate that judges goals has their cases, and its own level for them. */
function suitesOf(model: RunModel, gate: GateResult | null, baseline: Baseline): readonly TestSuite[] {
  const suites = runSuites(model, baseline);
  if (gate === null) return suites;
  const hasGoals = gate.conditions.some(({ condition }) => condition.kind === 'goal');
  return [gateSuite(model.plan, gate), ...suites.filter(({ name }) => !hasGoals || name !== 'goals')];
}

/** A report of test cases on a run. */
export const testsOf = (
  model: RunModel,
  suites: TestReport['suites'],
  more: TestReport['properties'] = {},
): TestReport => ({
  name: experimentName(model.plan),
  startedAt: model.startedAt,
  properties: { run: model.runId, dyno: model.environment.app, ...more },
  suites,
});
