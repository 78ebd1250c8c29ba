import {
  digitsWithin,
  formatChangeBounds,
  formatCount,
  formatNumber,
  formatRate,
  formatRatio,
  formatRatioBounds,
  formatRatioInterval,
  formatSpeed,
} from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import type { JudgedTime } from '#planning/judged/judged-times.ts';
import { formatFigure } from '#planning/judged/trial-times.ts';
import { formatRepeats } from '#planning/repeats.ts';
import { variantText } from '#planning/variant-of.ts';
import type { EndReason } from '#protocol/journal.ts';
import { isDifference } from '#stats/intervals/compare-means.ts';
import { isJudged, usefulMargin } from '../compare/compare.ts';
import type { RunComparison } from '../compare/compare-runs.ts';
import type { LatencyRatio } from '../compare/latency-ratios.ts';
import type { Enough, MeanRatio, OutlyingTrial, Ratio, RunModel } from '../run-model/run-model.ts';

/** The method of a ratio's interval, for notes beside it. */
export const methodLabels: Readonly<Record<NonNullable<Ratio['method']>, string>> = {
  bootstrap: 'studentised bootstrap over the repeats; a difference is claimed where Welch’s t on logarithms agrees',
  welch: 'Welch’s t on logarithms of the means (a bootstrap needs five repeats, and claims no difference alone)',
};

/** More repeats than this are impractical; longer trials or a quieter machine help instead. */
const mostRepeats = 1_000;

/** "About 12 repeats would narrow the interval to ± 5 %." */
export function neededRepeatsText(repeats: number): string {
  const margin = percentWithin(usefulMargin);
  return repeats > mostRepeats
    ? `More than ${formatCount(mostRepeats)} repeats would be needed to narrow the interval to ${margin}.`
    : `About ${formatCount(repeats)} repeats would narrow the interval to ${margin}.`;
}

/** The method of the interval, its number of repeats, and the gain of more repeats. Empty for the baseline. */
export function verdictDetail({ ratio, method, repeatsNeeded }: Ratio): string {
  if (method === null) return '';
  const more = repeatsNeeded === null || repeatsNeeded <= ratio.n ? '' : ` ${neededRepeatsText(repeatsNeeded)}`;
  const how = ratio.low === null ? '' : `Interval: ${methodLabels[method]}; n = ${ratio.n}.`;
  return `${how}${more}`.trim();
}

/** "1 of 8 repeats lies far from the others: 12.3k rows/s in repeat 4 (score −5.1)". */
export function outliersText(outliers: readonly OutlyingTrial[], repeats: number, unit: string): string {
  const list = outliers.map(
    ({ value, repeat, score }) => `${formatRate(value, unit)} in repeat ${repeat} (score ${formatNumber(score, 2)})`,
  );
  return `${outliers.length} of ${repeats} repeats ${outliers.length === 1 ? 'lies' : 'lie'} far from the others: ${list.join(', ')}`;
}

/** The word for each state of a comparison, wherever it is shown. */
export const verdictWords: Readonly<
  Record<Ratio['verdict'] | LatencyRatio['verdict'] | RunComparison['verdict'], string>
> = {
  faster: 'significantly faster',
  slower: 'significantly slower',
  notSignificant: 'not statistically significant',
  notEnoughRepeats: 'too few repeats',
  notComparable: 'not comparable',
  tooFewCalls: 'too few calls',
  givenUp: 'unknown: units of work were given up',
  lateStarts: 'cannot tell: the client’s late starts may be the reason',
  setByLoad: 'set by the load',
  baseline: 'baseline',
  driftOrChange: 'differs: change or drift',
  missing: 'in one run only',
};

/** The values that the sentences are made from. */
type Compared = Pick<Ratio, 'ratio' | 'verdict' | 'otherRows'>;

/** A comparison's main text, and its smaller text: the interval and the verdict. */
export function comparisonParts({ ratio, verdict, otherRows }: Compared): readonly [string, string] {
  if (otherRows) return [verdictWords.notComparable, ''];
  if (verdict === 'baseline') return [verdictWords.baseline, ''];
  if (isDifference(verdict)) return [formatSpeed(ratio), formatChangeBounds(ratio)];
  const bounds = formatRatioBounds(ratio);
  return [
    formatRatio(ratio.value, digitsWithin(ratio)),
    `${bounds === '' ? '' : ` (${bounds})`}, ${verdictWords[verdict]}`,
  ];
}

/**
 * "2.1× faster (1.9–2.4×)", "41 % slower (37–45 %)"; without a significant difference, with the reason: "1.02×
 * (0.94–1.11), not statistically significant".
 */
export const comparisonText = (one: Compared): string => comparisonParts(one).join('');

/**
 * "2.1× faster than COPY (1.9–2.4×)", "40 % slower than COPY (35–45 %)"; without a significant difference, "1.02×
 * (0.94–1.11) as fast as COPY, not statistically significant". Without `other`, its name is left out. A throughput that
 * the offered load limited is no speed.
 */
export function speedText({ ratio, verdict }: Pick<Ratio, 'ratio' | 'verdict'>, other: string | null): string {
  if (isDifference(verdict))
    return `${formatSpeed(ratio)}${other === null ? '' : ` than ${other}`}${formatChangeBounds(ratio)}`;
  if (verdict === 'setByLoad')
    return `at ${formatRatioInterval(ratio)} the throughput${other === null ? '' : ` of ${other}`}, ${verdictWords.setByLoad}`;
  return `${formatRatioInterval(ratio)} as fast${other === null ? '' : ` as ${other}`}, ${verdictWords[verdict]}`;
}

/**
 * The ratio of two runs: "2.1× faster (1.9–2.4×)", even if it may be drift; "1.02× (0.94–1.11)" without a difference.
 * Its verdict is shown beside it.
 */
export function formatRunRatio({ ratio, verdict }: Pick<RunComparison, 'ratio' | 'verdict'>): string {
  if (ratio === null) return '–';
  const differs = isDifference(verdict) || verdict === 'driftOrChange';
  return differs ? `${formatSpeed(ratio)}${formatChangeBounds(ratio)}` : formatRatioInterval(ratio);
}

/** "2.1× faster (1.9–2.4×), geometric mean of 6 variants". */
export const formatMeanRatio = (mean: MeanRatio): string =>
  `${comparisonText(mean)}, geometric mean of ${mean.variants} variants`;

/** The joint confidence of several ratios' intervals, for a note beside them; empty for a single ratio. */
export function manyComparisonsText(all: readonly Pick<Ratio, 'verdict'>[]): string {
  const count = all.filter(isJudged).length;
  return count < 2
    ? ''
    : `Each interval holds for its own comparison with 95 %, and is not widened for the ${count} made here: where variants are equal, about one in twenty is called significant nevertheless. Headlines and means over variants are judged for all of them together.`;
}

export const percentWithin = (share: number): string => `±\u00a0${formatNumber(share * 100, 2)}\u00a0%`;

/**
 * The requested number of repeats, and the reason for the actual number: "3 repeats"; "5 to 30 repeats, until …: 7
 * repeats were enough: …".
 */
export function repeatsText({ plan, enough }: Pick<RunModel, 'plan' | 'enough'>): string {
  const planned = formatRepeats(plan);
  if (enough === null) return planned;
  return `${planned}. ${enoughText(enough, ({ variant, target }) => `${variantText(plan, variant)} on ${target}`)}`;
}

/** "p95", "p95 of sell". */
const timeText = ({ work, figure }: JudgedTime): string =>
  `${formatFigure(figure)}${work === null ? '' : ` of ${work}`}`;

/** The reasons why an advice or a gate ends its run. */
export const endReasons: Readonly<Record<EndReason, string>> = {
  answered: 'the answer is certain',
  timeUsed: 'the budget is used',
};

/** The reason why a run made no more repeats. `name`: the cell with the widest interval. */
export function enoughText(enough: Enough, name: (cell: { variant: string; target: string }) => string): string {
  if (!('precision' in enough)) {
    const after = enough.round === 0 ? 'before the end of the first round' : `after ${many(enough.round, 'repeat')}`;
    return `Ended ${after}: ${endReasons[enough.reason]}.`;
  }
  const { reason, precision } = enough;
  const { round, relativeMargin, cells } = precision;
  const [widest] = cells;
  const width =
    widest === undefined
      ? ''
      : widest.halfWidth === null
        ? ` ${name(widest)} has no interval.`
        : ` The widest, of the ${widest.of} ${widest.time === undefined ? '' : `of ${timeText(widest.time)} `}of ${name(widest)}, is ${percentWithin(widest.halfWidth)}.`;
  const rounds = `${formatCount(round)} repeats`;
  switch (reason) {
    case 'narrow':
      return `${rounds} were enough: every interval is within ${percentWithin(relativeMargin)}.${width}`;
    case 'budget':
      return `Ended after ${rounds}: another round would have passed the budget. Wanted: intervals within ${percentWithin(relativeMargin)}.${width}`;
    case 'max':
      return `Ended after ${rounds}, the most allowed. Wanted: intervals within ${percentWithin(relativeMargin)}.${width}`;
    case 'outOfReach':
      return `Ended after ${rounds}: ${precision.roundsMore === null ? 'too many' : `about ${formatCount(round + precision.roundsMore)}`} would be needed, far more than are allowed. Wanted: intervals within ${percentWithin(relativeMargin)}.${width}`;
    case 'setByLoad':
      return `Ended after ${rounds}: the load set every throughput that is compared, no time has enough calls, and more repeats make that no verdict.`;
    case 'nothing':
      return `Ended after ${rounds}: no trial went well.`;
  }
}
