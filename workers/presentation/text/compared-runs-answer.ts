import type { RunComparison } from '#analysis/compare/compare-runs.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatRunRatio } from '#analysis/text/verdict-text.ts';
import { many } from '#model/format/plural.ts';
import { variantText } from '#planning/variant-of.ts';
import { isDifference } from '#stats/intervals/compare-means.ts';

/** The answer of a comparison of two runs: a sentence and its certainty. */
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
      certainty: `Certain at 95 % for all cells together${open.length === 0 ? '' : `; ${many(open.length, 'more cell')} may have changed or drifted`}`,
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
        certainty: 'More repeats would show smaller differences',
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

/** "bulk load on shop: 51 % slower (5.0–75 %)", for the cell with the greatest difference. */
function cellText({ plan }: RunModel, cells: readonly RunComparison[]): string {
  const sizeOf = ({ ratio }: RunComparison) => Math.abs(Math.log(ratio?.value ?? 1));
  const most = cells.reduce((top, one) => (sizeOf(one) > sizeOf(top) ? one : top));
  return `${variantText(plan, most.variant)} on ${most.target}: ${formatRunRatio(most)}`;
}
