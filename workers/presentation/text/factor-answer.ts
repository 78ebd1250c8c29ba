import { ratios } from '#analysis/compare/compare.ts';
import type { HeadlineClaims, Lead } from '#analysis/compare/headline-claims.ts';
import type { Ratio, RunModel } from '#analysis/run-model/run-model.ts';
import { findCell } from '#analysis/run-model/select-cells.ts';
import { speedText, verdictWords } from '#analysis/text/verdict-text.ts';
import { formatSpeed } from '#model/format/format.ts';
import { lazyList } from '#model/text/lazy-list.ts';
import { type Baseline, variedFactors } from '#planning/rates/baseline.ts';
import { isContender } from '#planning/rates/contenders.ts';
import { formatLevel, variantOf, variantText } from '#planning/variant-of.ts';
import { keyOf } from '#protocol/cell-key.ts';
import { isDifference } from '#stats/intervals/compare-means.ts';
import type { Fact } from './fact.ts';
import { mostTargets } from './sentences.ts';

/** The effect of a factor of two levels. */
interface FactorAnswer {
  readonly headline: string;
  readonly lead: Exclude<Lead['certainty'], 'alone'>;
  /** The certainty of the headline. Null without doubts. */
  readonly certainty: string | null;
  /** The comparison on each target, if there are several. */
  readonly facts: readonly Fact[];
}

const list = lazyList('en', 'conjunction');

/**
 * The answer of a run with a single factor of two levels. The other level is compared with the baseline's on each
 * target; targets are not compared. Null for other runs, and if no target has comparable results of both levels that
 * the offered load did not determine.
 */
export function factorAnswer(
  model: RunModel,
  { variant: baseline, target }: Baseline,
  claims: HeadlineClaims,
): FactorAnswer | null {
  const other = model.plan.variants.find(({ id }) => id !== baseline);
  if (baseline === undefined || target !== undefined || model.plan.variants.length !== 2 || !other) return null;
  const compared = ratios(model, { variant: baseline }).filter(
    (one) => one.variant === other.id && isContender(model, one.target) && one.verdict !== 'notComparable',
  );
  // If the offered load determined all rates, they do not compare the levels. The answer of all cells says so.
  if (compared.every(({ verdict }) => verdict === 'setByLoad')) return null;
  const against = levelOf(model, baseline);
  const isOneTarget = model.plan.targets.filter(({ name }) => isContender(model, name)).length === 1;
  const headline = isOneTarget
    ? `${other.label} is ${speedText(compared[0]!, against)}`
    : `${other.label} against ${against}: ${compared.length > mostTargets ? countText(compared) : targetsText(compared)}`;
  const byLoad = compared.filter(({ verdict }) => verdict === 'setByLoad');
  const open = compared.filter((one) => !byLoad.includes(one) && !claims.certain.has(keyOf(one)));
  const limited = compared.filter((one) =>
    [baseline, other.id].some((variant) => findCell(model, variant, one.target)?.clientSaturated),
  );
  const places = (all: readonly Ratio[]) => placesOf(all, isOneTarget);
  const doubts = [
    ...(open.length === 0
      ? []
      : [
          `Uncertain${places(open)}${open.some(({ verdict }) => isDifference(verdict)) ? `; a difference that is named${isOneTarget ? '' : ' there'} holds by itself, not for all comparisons together` : ''}`,
        ]),
    ...(byLoad.length === 0
      ? []
      : [`The offered load limited the throughput${places(byLoad)}, which therefore cannot be compared`]),
    ...(limited.length === 0
      ? []
      : [`The client limited the throughput${places(limited)}, so the difference may change with a faster client`]),
  ];
  return {
    headline,
    lead:
      open.length > 0 ? 'uncertain' : byLoad.length > 0 ? 'setByLoad' : limited.length > 0 ? 'clientBound' : 'certain',
    certainty: doubts.length > 0 ? doubts.join('. ') : `Certain at 95 %${places(compared)}`,
    facts: isOneTarget ? [] : compared.map((one) => [`On ${one.target}`, speedText(one, null)] as const),
  };
}

/** The level alone. Beside the other level, readers know its factor. */
function levelOf({ plan }: RunModel, variant: string): string {
  const { levels = {} } = variantOf(plan, variant) ?? {};
  const [factor] = variedFactors(plan);
  const level = factor === undefined ? undefined : levels[factor];
  return factor === undefined || level === undefined ? variantText(plan, variant) : formatLevel(factor, level);
}

/** "41 % slower", "no significant difference". */
const factorSpeedText = ({ ratio, verdict }: Ratio): string =>
  isDifference(verdict)
    ? formatSpeed(ratio)
    : verdict === 'notSignificant'
      ? 'no significant difference'
      : verdictWords[verdict];

/** "41 % slower on PostgreSQL and SQLite, no significant difference on MariaDB". */
const targetsText = (compared: readonly Ratio[]): string =>
  [...Map.groupBy(compared, factorSpeedText)]
    .map(([words, own]) => `${words} on ${list.format(own.map(({ target }) => target))}`)
    .join(', ');

/** "faster on 2 of 5 targets, not statistically significant on 3". */
function countText(compared: readonly Ratio[]): string {
  const counts = [...Map.groupBy(compared, ({ verdict }) => verdict)].toSorted(([, a], [, b]) => b.length - a.length);
  return counts
    .map(([verdict, own], i) => {
      const words = isDifference(verdict) ? verdict : verdictWords[verdict];
      return `${words} on ${own.length}${i === 0 ? ` of ${compared.length} targets` : ''}`;
    })
    .join(', ');
}

const placesOf = (all: readonly Ratio[], isOneTarget: boolean): string =>
  isOneTarget
    ? ''
    : all.length > mostTargets
      ? ` on ${all.length} targets`
      : ` on ${list.format(all.map(({ target }) => target))}`;
