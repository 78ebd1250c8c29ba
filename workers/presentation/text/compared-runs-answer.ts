import type { ComparedRun } from '#analysis/between-runs/compare-with-reference.ts';
import type { FindingChange } from '#analysis/between-runs/findings-between.ts';
import type { RunTimeComparison } from '#analysis/compare/compare-run-times.ts';
import type { RunComparison } from '#analysis/compare/compare-runs.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatTimeName, timeRatioText } from '#analysis/text/latency-text.ts';
import { formatRunRatio } from '#analysis/text/verdict-text.ts';
import { many } from '#model/format/plural.ts';
import { variantText } from '#planning/variant-of.ts';
import { isDifference } from '#stats/intervals/compare-means.ts';

/** The answer of a comparison of a run with the reference: a sentence and its certainty. */
interface ComparedRunsAnswer {
  readonly headline: string;
  /** Null if no cell could be compared. */
  readonly certainty: string | null;
  readonly isCertain: boolean;
}

/**
 * The answer of a comparison of two runs. It names the cell that differs most. Differences that may be drift of the
 * machine count only if there are no others, and are called uncertain.
 */
export function comparedRunsAnswer(after: RunModel, all: readonly RunComparison[]): ComparedRunsAnswer {
  const claimed = all.filter(({ verdict }) => isDifference(verdict));
  const open = all.filter(({ verdict }) => verdict === 'driftOrChange');
  const equal = all.filter(({ verdict }) => verdict === 'notSignificant');
  const of = `${claimed.length > 0 ? claimed.length : open.length} of ${many(all.length, 'cell')}`;
  if (claimed.length > 0)
    return {
      headline: `${of} ${directionText(claimed)}, most of all ${cellText(after, claimed)}`,
      certainty: `Certain at 95 % for all comparisons together${open.length === 0 ? '' : `; ${many(open.length, 'more cell')} may have changed or drifted`}`,
      isCertain: true,
    };
  if (open.length > 0)
    return {
      headline: `${of} ${open.length === 1 ? 'differs' : 'differ'}, most of all ${cellText(after, open)}`,
      certainty: 'Not certain: drift of the machine may be the reason',
      isCertain: false,
    };
  return equal.length > 0
    ? {
        headline: `No difference is shown in ${equal.length === all.length ? '' : `${equal.length} of `}${many(all.length, 'cell')}`,
        certainty: equal.some(({ earlierRuns }) => earlierRuns > 0)
          ? 'Smaller differences cannot be told from those between earlier runs'
          : 'More repeats would show smaller differences',
        isCertain: false,
      }
    : { headline: 'The runs have no cell that can be compared', certainty: null, isCertain: false };
}

/** "are slower"; "differ (2 are faster, 1 is slower)". */
function directionText(cells: readonly RunComparison[]): string {
  const counts = [...Map.groupBy(cells, ({ verdict }) => verdict)].map(
    ([verdict, own]) => `${own.length} ${own.length === 1 ? 'is' : 'are'} ${verdict}`,
  );
  const [only] = cells;
  if (counts.length === 1) return `${cells.length === 1 ? 'is' : 'are'} ${only!.verdict}`;
  return `differ (${counts.join(', ')})`;
}

const sizeOf = ({ ratio }: Pick<RunComparison, 'ratio'>) => Math.abs(Math.log(ratio?.value ?? 1));
const largest = <T extends Pick<RunComparison, 'ratio'>>(all: readonly T[]): T =>
  all.reduce((top, one) => (sizeOf(one) > sizeOf(top) ? one : top));

/** "bulk load on shop: 51 % slower (5.0–75 %)", for the cell with the greatest difference. */
function cellText({ plan }: RunModel, cells: readonly RunComparison[]): string {
  const most = largest(cells);
  return `${variantText(plan, most.variant)} on ${most.target}: ${formatRunRatio(most)}`;
}

/**
 * A sentence about the judged times of a run: "2 of 6 times are slower, most of all p99 of sell on shop: 31 % slower
 * (12–51 %)." Empty without times.
 */
function comparedTimesText({ plan }: RunModel, all: readonly RunTimeComparison[]): string {
  if (all.length === 0) return '';
  const claimed = all.filter(({ verdict }) => verdict === 'faster' || verdict === 'slower');
  const open = all.filter(({ verdict }) => verdict === 'driftOrChange');
  const named = claimed.length > 0 ? claimed : open;
  const of = `${named.length} of ${many(all.length, 'judged time')}`;
  if (named.length === 0) {
    const equal = all.filter(({ verdict }) => verdict === 'notSignificant').length;
    return equal === 0
      ? 'The judged times cannot be compared.'
      : `No difference is shown in ${equal === all.length ? '' : `${equal} of `}${many(all.length, 'judged time')}.`;
  }
  const most = largest(named);
  const verdict = most.ratio!.value > 1 ? 'slower' : 'faster';
  const where = `${plan.variants.length > 1 ? `${variantText(plan, most.variant)} ` : ''}on ${most.target}`;
  const ratio = timeRatioText({ ratio: most.ratio, verdict });
  const doubt = claimed.length > 0 ? '' : ' Drift of the machine may be the reason.';
  return `${of} ${named.length === 1 ? 'differs' : 'differ'}, most of all the ${formatTimeName(most)} ${where}: ${ratio}.${doubt}`;
}

/** A sentence about the query plans of a run that differ from those of the reference. Empty without plans. */
function comparedRunPlansText({ plans }: Pick<ComparedRun, 'plans'>): string {
  const changed = plans.filter(({ hasChanged }) => hasChanged).length;
  return plans.length === 0
    ? ''
    : `${changed === 0 ? 'No' : changed} of ${many(plans.length, 'query plan')} ${changed === 1 ? 'differs' : 'differ'}.`;
}

/** Sentences about the findings that a run shows and the reference does not, or the other way round. `at`: the run. */
function findingChangesText(findings: readonly FindingChange[], at: number): string {
  const titles = (from: number, to: number) =>
    findings.flatMap(({ rule, states }) =>
      states[to]?.status === 'shown' && states[from]?.status === 'notShown' ? [rule.title] : [],
    );
  const [appeared, vanished] = [titles(0, at), titles(at, 0)];
  return [
    ...(appeared.length === 0 ? [] : [`${many(appeared.length, 'finding')} appeared: ${appeared.join(', ')}.`]),
    ...(vanished.length === 0 ? [] : [`${many(vanished.length, 'finding')} vanished: ${vanished.join(', ')}.`]),
  ].join(' ');
}

/**
 * The sentences about a run: throughput, times, plans and findings. `at`: its place among the runs, where the reference
 * has 0.
 */
export function comparedRunSentences(
  { run, cells, times, plans }: ComparedRun,
  findings: readonly FindingChange[],
  at: number,
): readonly string[] {
  const { headline, certainty } = comparedRunsAnswer(run, cells);
  return [
    `${headline}.${certainty === null ? '' : ` ${certainty}.`}`,
    ...comparedDetails({ run, times, plans }, findings, at),
  ];
}

/** The sentences about times, plans and findings of a run. */
export const comparedDetails = (
  { run, times, plans }: Pick<ComparedRun, 'run' | 'times' | 'plans'>,
  findings: readonly FindingChange[],
  at: number,
): readonly string[] =>
  [comparedTimesText(run, times), comparedRunPlansText({ plans }), findingChangesText(findings, at)].filter(
    (text) => text !== '',
  );
