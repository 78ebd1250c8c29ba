import { headlineClaims } from '#analysis/compare/headline-claims.ts';
import { publishedComparisons } from '#analysis/compare/published.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import type { ErrorData } from '#model/error.ts';
import { formatRatio } from '#model/format/format.ts';
import { variantText } from '#planning/variant-of.ts';
import { keyOf } from '#protocol/cell-key.ts';

/** The faults of a run of a card, and the published ratios that it does not decide, as sentences. */
export interface JudgedCard {
  readonly failures: readonly string[];
  readonly undecided: readonly string[];
  /** Number of published ratios that have the same sign here for certain. */
  readonly confirmed: number;
}

/** Judges a run of an experiment of the gallery: no trial may fail, and no published ratio may have turned its sign. */
export function judgeCard(model: RunModel): JudgedCard {
  const ratios = publishedRatios(model);
  return {
    failures: [
      ...runFailures(model),
      ...ratios.filter(({ outcome }) => outcome === 'turned').map(({ sentence }) => sentence),
    ],
    undecided: ratios.filter(({ outcome }) => outcome === 'undecided').map(({ sentence }) => sentence),
    confirmed: ratios.filter(({ outcome }) => outcome === 'confirmed').length,
  };
}

function runFailures(model: RunModel): readonly string[] {
  const { plan, status, halted, targets, trials } = model;
  const unusable = targets.flatMap(({ name, error }) => (error ? [{ name, message: messageOf(error) }] : []));
  const failed = trials.flatMap(({ trial, result }) => {
    if (result === null || result.status === 'ok') return [];
    const message = result.error ? messageOf(result.error) : result.status;
    // The error of a target is that of all its trials.
    return unusable.some((one) => one.name === trial.target && one.message === message) ? [] : [{ trial, message }];
  });
  return [
    ...unusable.map(({ name, message }) => `${name}: ${message}`),
    ...[...Map.groupBy(failed, ({ message }) => message)].map(([message, all]) => {
      const variants = [...new Set(all.map(({ trial }) => variantText(plan, trial.variant)))];
      return `${variants.join('; ')}: ${message}`;
    }),
    ...(status === 'complete' ? [] : [`The run is ${status}.`]),
    ...(halted === null ? [] : [halted]),
  ];
}

/** The first line of a message, because the others are what a server has written to its log. */
const messageOf = ({ message }: Pick<ErrorData, 'message'>): string => message.split('\n', 1)[0]!.trim();

interface PublishedOutcome {
  readonly outcome: 'confirmed' | 'undecided' | 'turned';
  readonly sentence: string;
}

/**
 * The published ratios that say which of two variants is faster, beside the ratios of this run. A sign is certain where
 * a headline of the run may claim the difference.
 */
function publishedRatios(model: RunModel): readonly PublishedOutcome[] {
  return publishedComparisons(model).flatMap((one) => {
    const { ratio, here, cell, baseline, published, value } = one;
    const isFaster = signOf(ratio, published.of, value.bound);
    if (isFaster === null) return [];
    const isCertain = headlineClaims(model, baseline).certain.has(keyOf(cell));
    const outcome = !isCertain ? 'undecided' : here.value > 1 === isFaster ? 'confirmed' : 'turned';
    const label = (variant: string) => variantText(model.plan, variant);
    const own = `${label(cell.variant)} on ${cell.target} is ${formatRatio(here.value)} of ${label(baseline.variant)} here`;
    const range =
      here.low === null || here.high === null ? '' : ` (${formatRatio(here.low)} to ${formatRatio(here.high)})`;
    return [{ outcome, sentence: `${own}${range}, and ${formatRatio(ratio)} in ${published.source}.` }];
  });
}

/** True if the published variant is faster for sure; null where the source says too little. */
function signOf(ratio: number, of: 'rate' | 'seconds' | 'ratio', bound?: 'atLeast' | 'atMost'): boolean | null {
  if (ratio === 1) return null;
  const isFaster = ratio > 1;
  // A duration of “at most” is a speed of “at least”.
  const isLeast = bound === (of === 'seconds' ? 'atMost' : 'atLeast');
  return bound === undefined || isLeast === isFaster ? isFaster : null;
}
