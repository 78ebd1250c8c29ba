import type { BestOfEach } from '#analysis/compare/best-of-each.ts';
import { type CellCost, costOfCell, pricesOf } from '#analysis/compare/costs.ts';
import type { HeadlineClaims } from '#analysis/compare/headline-claims.ts';
import { type MeasuredCell, rankedCells } from '#analysis/compare/ranked-cells.ts';
import type { Interval, Ratio, RunModel } from '#analysis/run-model/run-model.ts';
import { countsRows } from '#analysis/run-model/select-cells.ts';
import { verdictWords } from '#analysis/text/verdict-text.ts';
import { formatInterval, formatMoney, formatRatioInterval } from '#model/format/format.ts';
import { lazyList } from '#model/text/lazy-list.ts';
import { isContender } from '#planning/rates/contenders.ts';
import { mostTargets, sentences } from './sentences.ts';

/** The operations that a run counts: "rows", or "calls" if no rows move. */
export const operationsOf = (model: Pick<RunModel, 'trials'>): string => (countsRows(model) ? 'rows' : 'calls');

/** The unit of money of a run's prices: "EUR". */
export const moneyOf = ({ plan }: Pick<RunModel, 'plan'>): string =>
  plan.experiment.prices?.currency ?? 'unit of money';

/** "0.0342 EUR (0.0331–0.0354)". */
const formatCost = ({ plan }: Pick<RunModel, 'plan'>, cost: Interval): string =>
  formatInterval(cost, (value, digits) => formatMoney(value, plan.experiment.prices?.currency, digits));

/** "0.0342 EUR (0.0331–0.0354) per million rows, 29.2M (28.2M–30.2M) rows per EUR". */
export const costText = (
  model: RunModel,
  { perMillion, perMoney }: Pick<CellCost, 'perMillion' | 'perMoney'>,
): string =>
  `${formatCost(model, perMillion)} per million ${operationsOf(model)}, ${formatInterval(perMoney)} ${operationsOf(model)} per ${moneyOf(model)}`;

/** The words for the ratio of operations for one unit of money. */
const costWords: Readonly<Record<Ratio['verdict'], string>> = {
  ...verdictWords,
  faster: 'significantly more',
  slower: 'significantly fewer',
};

/** "1.82× (1.71–1.94), significantly more"; "baseline". */
export function costRatioText({ ratio, isSetByLoad }: CellCost): string {
  if (ratio === null) return '–';
  const byLoad = isSetByLoad && ratio.verdict !== 'setByLoad' ? `, ${verdictWords.setByLoad}` : '';
  if (ratio.otherRows) return verdictWords.notComparable;
  if (ratio.verdict === 'baseline') return `${verdictWords.baseline}${byLoad}`;
  return `${formatRatioInterval(ratio.ratio)}, ${costWords[ratio.verdict]}${byLoad}`;
}

const list = lazyList('en', 'conjunction');

/**
 * The cost in the answer: "For one EUR, MariaDB completes 1.8× (1.7–1.9) as many rows as PostgreSQL. A million rows
 * cost 0.021 EUR (0.020–0.022) on MariaDB and 0.038 EUR (0.036–0.040) on PostgreSQL." Empty without prices.
 */
export function costSentence(model: RunModel, { cheapest }: HeadlineClaims): string {
  const price = pricesOf(model);
  if (price === null) return '';
  const best = cheapest ? [cheapest.fastest, ...cheapest.others.map((one) => one.best)] : bestOfTargets(model);
  const priced = best.flatMap(({ target, rowsPerSecond, load }) => {
    const cost = costOfCell({ target, rowsPerSecond }, price);
    return cost === null ? [] : [{ target, cost, load }];
  });
  const without = model.plan.targets.filter(({ name }) => isContender(model, name) && price(name) === null);
  if (priced.length === 0) return '';
  const several = model.plan.variants.length > 1;
  const each = several ? `, ${priced.length > 1 ? 'each with its fastest variant' : 'with its fastest variant'}` : '';
  const shown = priced.slice(0, mostTargets).map(({ target, cost, load }) => {
    const byLoad = load?.setsThroughput ? ` (${verdictWords.setByLoad})` : '';
    return `${formatCost(model, cost.perMillion)} on ${target}${byLoad}`;
  });
  const more = priced.length - shown.length;
  const parts = [...shown, ...(more > 0 ? [`${more} more in the table`] : [])];
  return sentences(
    cheapest === null || cheapest.others.length === 0 ? '' : cheapestText(model, cheapest),
    `A million ${operationsOf(model)} cost ${list.format(parts)}${each}.`,
    without.length === 0
      ? ''
      : `${list.format(without.map(({ name }) => name))} ${without.length === 1 ? 'has' : 'have'} no price.`,
  );
}

/** The fastest cell of each target, the fastest first. */
const bestOfTargets = (model: RunModel): readonly MeasuredCell[] =>
  [...Map.groupBy(rankedCells(model), ({ target }) => target).values()].map(([best]) => best!);

/** The target with the most operations for its price, against each other target. */
function cheapestText(model: RunModel, { fastest, others }: BestOfEach): string {
  const parts = others.slice(0, mostTargets).map(({ best, ratio, verdict }) => {
    const doubt = verdict === 'faster' ? '' : `, ${costWords[verdict]}`;
    return `${formatRatioInterval(ratio)} as many ${operationsOf(model)} as ${best.target}${doubt}`;
  });
  const more = others.length - parts.length;
  const all = [...parts, ...(more > 0 ? [`${more} more in the table`] : [])];
  return `For one ${moneyOf(model)}, ${fastest.target} completes ${all.join('; ')}.`;
}
