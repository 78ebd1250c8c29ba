import type { RunsComparison } from '#analysis/between-runs/compare-with-reference.ts';
import { comparisonPromise } from '#analysis/compare/compare-runs.ts';
import type { GateResult } from '#analysis/gate/gate-result.ts';
import { comparisonMarkdown } from '#presentation/ci/comparison-markdown.ts';
import { comparisonSuite } from '#presentation/ci/comparison-suite.ts';
import { gateSuite } from '#presentation/ci/gate-suite.ts';
import { changesText } from '#presentation/text/changes-text.ts';
import { comparedRunSentences } from '#presentation/text/compared-runs-answer.ts';
import type { Results } from './outputs.ts';
import { resultsJson } from './results-json.ts';
import { testsOf } from './run-results.ts';

/**
 * The results of compared runs in every form. `labels`: the names of the reference and of the other runs. `command`:
 * see comparisonPromise. `gate`: the judgement on the last run.
 */
export function comparisonResults(
  comparison: RunsComparison,
  labels: readonly string[],
  {
    command,
    series,
    gate = null,
  }: { readonly command: string | null; readonly series: boolean; readonly gate?: GateResult | null },
): Results {
  const { reference, others, findings } = comparison;
  const claims = others.flatMap(({ cells, times }) => [...cells, ...times]);
  const promise = comparisonPromise(claims, command);
  return {
    json: () => ({
      reference: reference.runId,
      runs: others.map((one, i) => ({
        run: one.run.runId,
        headline: changesText(one.changes),
        sentences: comparedRunSentences(one, findings, i + 1),
        changes: one.changes,
        cells: one.cells,
        times: one.times,
        machine: one.machine,
        plans: one.plans,
        remarks: one.remarks,
      })),
      findings: findings.map(({ rule, states }) => ({ rule: rule.id, title: rule.title, states })),
      ...(gate && { gate }),
      notes: promise,
      ...(series && {
        results: [reference, ...others.map(({ run }) => run)].map((run) => resultsJson(run, { series })),
      }),
    }),
    tests: () => {
      const last = others.at(-1)!.run;
      const suites = others.map((one, i) => {
        const suite = comparisonSuite(one, [...promise, ...one.remarks]);
        return others.length === 1 ? suite : { ...suite, name: `${suite.name}: ${labels[i + 1]}` };
      });
      return testsOf(last, gate === null ? suites : [gateSuite(last.plan, gate)], { reference: reference.runId });
    },
    markdown: () =>
      others
        .map((_, i) => comparisonMarkdown(comparison, i + 1, { command, gate: i === others.length - 1 ? gate : null }))
        .join('\n'),
  };
}
