import type { HeadlineClaims } from '#analysis/compare/headline-claims.ts';
import { isTimeJudged } from '#analysis/compare/latency-claims.ts';
import type { LatencyRatio } from '#analysis/compare/latency-ratios.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatTimeName, timeAgainstText } from '#analysis/text/latency-text.ts';
import { digitsWithin, formatMsTo } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import { lazyList } from '#model/text/lazy-list.ts';
import { variantText } from '#planning/variant-of.ts';
import type { Cell } from '#protocol/plan.ts';
import { sentences } from './sentences.ts';

/** The answer of a run whose cells are judged by times. */
interface LatencyAnswer {
  /** "p95 of first-purchase: 41 ms on MariaDB, 2.3× slower than PostgreSQL (2.0–2.7×)". */
  readonly headline: string;
  readonly lead: 'certain' | 'uncertain';
  readonly certainty: string;
}

/**
 * The largest difference that is certain among all comparisons of the headline, of the highest quantile that has one:
 * users notice slow calls, and rare calls have no high quantile. Without a certain difference, the time of all units of
 * work in the cell that is farthest from the baseline. Null where times are not judged, or no cell can be compared.
 */
export function latencyAnswer(model: RunModel, { latency }: Pick<HeadlineClaims, 'latency'>): LatencyAnswer | null {
  if (latency === null) return null;
  const { certain, comparisons } = latency;
  const [largest] = [...certain].toSorted((a, b) => tailOf(b) - tailOf(a) || distance(b) - distance(a));
  const judged = latency.ratios.filter(isTimeJudged);
  const [farthest] = judged
    .filter(({ work }) => work === judged[0]!.work)
    .toSorted((a, b) => distance(b) - distance(a));
  const told = largest ?? farthest;
  if (told === undefined) return null;
  const among = comparisons === 1 ? '' : ` among ${many(comparisons, 'comparison')} of times`;
  const text = placedText(model, told);
  if (largest !== undefined)
    return { headline: `${formatTimeName(told)}: ${text}`, lead: 'certain', certainty: `Certain at 95 %${among}` };
  return told.verdict === 'notEnoughRepeats'
    ? { headline: `${formatTimeName(told)}: ${text}`, lead: 'uncertain', certainty: 'Uncertain: too few repeats' }
    : {
        headline: `No certain difference of ${formatTimeName(told)}: ${text}`,
        lead: 'uncertain',
        certainty: `No difference is certain${among}`,
      };
}

/** The order of figures: the mean stands beside the median, and the maximum, which is a single call, comes last. */
const tailOf = ({ figure }: LatencyRatio): number => (figure === 'mean' ? 0.5 : figure === 1 ? 0 : figure);

const distance = ({ ratio }: LatencyRatio): number => Math.abs(Math.log(ratio?.value ?? 1));

/** "41 ms on MariaDB, 2.3× slower than PostgreSQL (2.0–2.7×)". */
function placedText(model: RunModel, one: LatencyRatio): string {
  const other = otherText(model, one, one.against);
  const ms = one.ms === null ? '–' : formatMsTo(one.ms.value, digitsWithin(one.ms));
  return `${ms}${placeText(model, one)}, ${timeAgainstText(one, other)}`;
}

/** " on MariaDB", " with bulk on MariaDB": the parts of a cell’s name that the cells do not share. */
function placeText({ plan }: RunModel, { variant, target }: Cell): string {
  const place = plan.targets.length === 1 ? '' : ` on ${target}`;
  return plan.variants.length === 1 ? place : ` with ${variantText(plan, variant)}${place}`;
}

/** The difference between the baseline’s cell and the cell that is compared with it. */
function otherText({ plan }: RunModel, cell: Cell, other: Cell): string {
  if (cell.variant === other.variant) return other.target;
  const variant = variantText(plan, other.variant);
  return cell.target === other.target ? variant : `${variant} on ${other.target}`;
}

/** "Not judged, because a repeat has too few calls: p99 of sell."; empty where all judged times have a value. */
export function unjudgedText({ latency }: Pick<HeadlineClaims, 'latency'>): string {
  const ratios = latency?.ratios ?? [];
  const named = Object.entries(lackWords).map(([lack, words]) => {
    const names = [...new Set(ratios.filter(({ verdict }) => verdict === lack).map(formatTimeName))];
    return names.length === 0 ? '' : `Not judged, because ${words}: ${list.format(names)}.`;
  });
  return sentences(...named);
}

const lackWords: Readonly<Partial<Record<LatencyRatio['verdict'], string>>> = {
  tooFewCalls: 'a repeat has too few calls',
  givenUp: 'a repeat gave up units of work, whose times are unknown',
  lateStarts: 'late starts of the client may be the reason of the difference',
};

const list = lazyList('en', 'conjunction');
