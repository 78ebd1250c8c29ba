import { comparisons, ratios } from '#analysis/compare/compare.ts';
import { meanRatios } from '#analysis/compare/mean-ratios.ts';
import type { CellSummary, MeanRatio, Ratio, RunModel } from '#analysis/run-model/run-model.ts';
import { describeJointIntervals, formatMeanRatio } from '#analysis/text/verdict-text.ts';
import { whyNoResult } from '#analysis/text/why-no-result.ts';
import { formatInterval, formatRatioInterval } from '#model/format/format.ts';
import { sentence } from '#model/format/sentence.ts';
import type { Baseline } from '#planning/rates/baseline.ts';
import { isContender, isStandIn } from '#planning/rates/contenders.ts';
import { variantLabel } from '#planning/variant-of.ts';
import { keyOf } from '#protocol/cell-key.ts';
import { levelOfEach } from '#stats/intervals.ts';
import { perCallSentences } from './per-call-text.ts';
import { searchHeadlines } from './search-text.ts';
import { sweepHeadlines } from './sweep-text.ts';

/**
 * What the run shows, in sentences, most important first. Only what its intervals carry: "no difference shown" is a
 * sentence, too. Reference targets and stand-ins do not take part.
 */
export function headlines(model: RunModel, baseline: Baseline, unit: string): readonly string[] {
  const cells = model.cells.filter(({ target, rowsPerSecond }) => rowsPerSecond !== null && isContender(model, target));
  if (cells.length === 0) return [whyNoResult(model)];
  // What was asked; that the loads on the way to it differ is how they were chosen.
  if (model.searches.length > 0) return [...searchHeadlines(model), ...sweepHeadlines(model)];
  // Beside a stand-in nobody may have to guess whose number it is.
  const several = new Set(cells.map(({ target }) => target)).size > 1 || model.targets.some(isStandIn);
  const name = (cell: Pick<CellSummary, 'variant' | 'target'>) => {
    const label = variantLabel(model.plan, cell.variant);
    // The one variant of an experiment without factors needs no name.
    if (model.plan.variants.length === 1) return cell.target;
    return several ? `${label} on ${cell.target}` : label;
  };
  // Which of them a sentence is about is picked by looking at all: their intervals must hold for each that could have
  // been.
  const isMeant = ({ target }: { readonly target: string }) =>
    isContender(model, target) && !isStandInsName(model, baseline.target);
  const count =
    comparisons(model, baseline).filter(isMeant).length + meanRatios(model, baseline).filter(isMeant).length;
  const all = ratios(model, baseline, levelOfEach(count)).filter(
    (ratio) => ratio.verdict !== 'baseline' && isMeant(ratio),
  );
  const means = meanRatios(model, baseline, levelOfEach(count)).filter(isMeant);
  return [
    ...perCallSentences(model),
    highest(model, cells, name, unit),
    ...(baseline.variant === undefined && baseline.target !== undefined
      ? againstTarget(model, all, means, baseline.target)
      : againstCell(all, name)),
    ...(count > 1 && all.some(({ ratio }) => ratio.low !== null) ? [describeJointIntervals(count)] : []),
    ...withinTargets(model, cells),
    ...sweepHeadlines(model),
  ];
}

const isStandInsName = ({ targets }: RunModel, name: string | undefined): boolean =>
  targets.some((target) => target.name === name && isStandIn(target));

/**
 * Which throughput is the highest; none is, where a ratio to it leaves that open. An interval for each of the others
 * suffices, although the best was picked by looking (J. C. Hsu, "Constrained Simultaneous Confidence Intervals for
 * Multiple Comparisons with the Best", 1984).
 */
function highest(
  model: RunModel,
  cells: readonly CellSummary[],
  name: (cell: CellSummary) => string,
  unit: string,
): string {
  const [first, ...others] = cells.toSorted((a, b) => b.rowsPerSecond!.value - a.rowsPerSecond!.value);
  const text = (cell: CellSummary) => `${name(cell)}, ${formatInterval(cell.rowsPerSecond!)} ${unit}`;
  if (others.length === 0) return `${name(first!)}: ${formatInterval(first!.rowsPerSecond!)} ${unit}.`;
  const { variant, target } = first!;
  const verdicts = new Map(
    ratios(model, { variant, target }, levelOfEach(others.length)).map((ratio) => [keyOf(ratio), ratio.verdict]),
  );
  const [rival, ...more] = others.filter((cell) => verdicts.get(keyOf(cell)) === 'noDifferenceShown');
  if (rival !== undefined)
    return `No highest throughput shown among ${text(first!)}; ${text(rival)}${more.length === 0 ? '' : `; and ${more.length} more`}.`;
  const few = others.some((cell) => verdicts.get(keyOf(cell)) === 'notEnoughRepeats');
  return `Highest throughput: ${text(first!)}${few ? ', with too few repeats for a verdict' : ''}.`;
}

/**
 * One sentence for every other target: in how many variants it is ahead, by how much at most, and the one number over
 * all of them.
 */
function againstTarget(
  { plan }: RunModel,
  all: readonly Ratio[],
  means: readonly MeanRatio[],
  baseline: string,
): readonly string[] {
  const label = (variant: string) => variantLabel(plan, variant);
  return plan.targets.flatMap(({ name }) => {
    const own = all.filter(({ target }) => target === name);
    if (own.length === 0) return [];
    const prefix = plan.variants.length === 1 ? '' : `${label(own[0]!.variant)}: `;
    if (own.length === 1) return [sentence(`${prefix}${describeRatio(own[0]!, name, baseline)}.`)];
    const sorted = own.toSorted((a, b) => b.ratio.value - a.ratio.value);
    const [faster, slower] = [
      sorted.filter(({ verdict }) => verdict === 'faster'),
      sorted.filter(({ verdict }) => verdict === 'slower').toReversed(),
    ];
    const open = own.length - faster.length - slower.length;
    const extreme = (list: readonly Ratio[], word: string) =>
      list.length === 0
        ? []
        : [`${word} in ${list.length} (most in ${label(list[0]!.variant)}: ${formatRatioInterval(list[0]!.ratio)})`];
    const parts = [
      ...extreme(faster, 'faster'),
      ...extreme(slower, 'slower'),
      ...(open === 0 ? [] : [`no difference shown in ${open}`]),
    ];
    const mean = means.find(({ target }) => target === name);
    const whole = mean === undefined ? '' : ` Overall ${formatMeanRatio(mean)}.`;
    return [`${name} against ${baseline}, ${own.length} variants: ${parts.join(', ')}.${whole}`];
  });
}

/** The five largest ratios to one cell or variant. */
function againstCell(all: readonly Ratio[], name: (cell: Ratio) => string): readonly string[] {
  return all
    .toSorted((a, b) => Math.abs(Math.log(b.ratio.value)) - Math.abs(Math.log(a.ratio.value)))
    .slice(0, 5)
    .map((ratio) => {
      const words = describeRatio(ratio, name(ratio), 'the baseline');
      // The others begin with a name.
      return `${ratio.verdict === 'noDifferenceShown' ? sentence(words) : words}.`;
    });
}

/**
 * What the choice of variant is worth on each target: the best against the worst. These two are picked by looking at
 * the results, so the interval must hold for every pair that could have been picked: of many equal variants, two will
 * lie far apart.
 */
function withinTargets(model: RunModel, cells: readonly CellSummary[]): readonly string[] {
  return model.plan.targets.flatMap(({ name }) => {
    const own = cells
      .filter(({ target }) => target === name)
      .toSorted((a, b) => b.rowsPerSecond!.value - a.rowsPerSecond!.value);
    const [best, worst] = [own[0], own.at(-1)];
    if (best === undefined || worst === undefined || best === worst) return [];
    const pairs = (own.length * (own.length - 1)) / 2;
    const ratio = ratios(model, { variant: worst.variant, target: name }, levelOfEach(pairs)).find(
      ({ variant, target }) => variant === best.variant && target === name,
    );
    const label = (variant: string) => variantLabel(model.plan, variant);
    if (ratio === undefined) return [];
    if (pairs > 1 && ratio.verdict === 'noDifferenceShown')
      return [
        `On ${name}: no difference shown among its ${own.length} variants by an interval for all ${pairs} pairs; more repeats would narrow it.`,
      ];
    const together = pairs > 1 && ratio.ratio.low !== null ? `, with an interval for all ${pairs} pairs` : '';
    return [`On ${name}: ${describeRatio(ratio, label(best.variant), label(worst.variant))}${together}.`];
  });
}

/** "A is 41.2× (38.9–43.7) as fast as B", or what can be said instead. */
function describeRatio({ ratio, verdict }: Ratio, subject: string, reference: string): string {
  switch (verdict) {
    case 'faster':
    case 'slower':
      return `${subject} is ${formatRatioInterval(ratio)} as fast as ${reference}`;
    case 'noDifferenceShown':
      return `no difference shown between ${subject} and ${reference}: ${formatRatioInterval(ratio)}`;
    case 'notEnoughRepeats':
      return `${subject} ran at ${formatRatioInterval(ratio)} of ${reference}, with too few repeats for a verdict`;
    case 'baseline':
      return `${subject} is the baseline`;
  }
}
