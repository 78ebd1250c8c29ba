import type { BestRatio } from '#analysis/compare/best-of-each.ts';
import { isJudged, ratios } from '#analysis/compare/compare.ts';
import type { HeadlineClaims } from '#analysis/compare/headline-claims.ts';
import type { MeasuredCell } from '#analysis/compare/ranked-cells.ts';
import type { Ratio, RunModel } from '#analysis/run-model/run-model.ts';
import { rateUnit } from '#analysis/run-model/select-cells.ts';
import { verdictWords } from '#analysis/text/verdict-text.ts';
import { formatCount, formatInterval, formatNumber, formatRatioInterval } from '#model/format/format.ts';
import { sentence } from '#model/format/sentence.ts';
import { lazyList } from '#model/text/lazy-list.ts';
import { type Baseline, variedFactors } from '#planning/rates/baseline.ts';
import { isContender } from '#planning/rates/contenders.ts';
import { formatLevel, variantOf, variantText } from '#planning/variant-of.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { Fact } from './fact.ts';
import { mostTargets } from './sentences.ts';
import { targetText } from './version-text.ts';

/** The answer of a run that compares targets. */
interface TargetAnswer {
  readonly headline: string;
  /** The certainty of the headline, and whether the client limits it. Null if there is nothing to add. */
  readonly certainty: string | null;
  readonly facts: readonly Fact[];
  /** The throughput of the best cells, for a terminal. */
  readonly sentence: string;
}

const list = lazyList('en', 'conjunction');

/**
 * Compares the best of each target: "PostgreSQL is 1.6× (1.2–2.1) as fast as MariaDB, both at 16 connections". Null if
 * the run compares levels, or if no target has a comparable cell.
 */
export function targetAnswer(model: RunModel, baseline: Baseline, claims: HeadlineClaims): TargetAnswer | null {
  const { best } = claims;
  if (best === null) return null;
  const shown = [best.fastest, ...best.others.slice(0, mostTargets).map((one) => one.best)];
  const rates = shown.map((cell) => [cell.target, bestText(model, cell)] as const);
  return {
    headline: headlineOf(model, best.fastest, best.others),
    certainty: certaintyOf(model, claims, best.others),
    facts: [
      ...rates.map(
        ([target, text], i): Fact =>
          i === 0 ? [`Best of ${target}`, text] : [`Best of ${target}`, text, ...aboutInterval(model)],
      ),
      ...byVariant(model, baseline, claims),
    ],
    sentence: `Best of each: ${rates.map(([target, text]) => `${target} ${text}`).join('; ')}.`,
  };
}

/** The tooltip about the interval of the answer. Without a choice of variants, the interval needs no explanation. */
const aboutInterval = ({ plan }: RunModel): readonly [about?: string] =>
  plan.variants.length === 1
    ? []
    : [
        'The best variants were chosen by their results. The interval of the ratio in the answer allows for this choice, and holds together with the other claims of the answer. It is therefore wider than the interval of the same two cells in the table.',
      ];

function headlineOf(model: RunModel, fastest: MeasuredCell, others: readonly BestRatio[]): string {
  if (others.length === 0) return `Only ${fastest.target} has comparable results: ${bestText(model, fastest)}`;
  // A variant that all best cells have in common is named once.
  const isSame = others.every(({ best }) => best.variant === fastest.variant);
  const isPair = others.length === 1;
  const own = isSame ? '' : placeText(model, fastest.variant);
  const place = ({ variant }: MeasuredCell) => {
    const words = isSame && !isPair ? '' : placeText(model, variant);
    return isSame && words !== '' ? `, both${words}` : words;
  };
  // A doubt about all targets is stated once, at the beginning.
  const isNothingCertain = others.every(({ verdict }) => verdict === 'notSignificant');
  const isCrowd = isNothingCertain && others.length > mostTargets;
  const parts = others
    .slice(0, isCrowd ? 1 : mostTargets)
    .map(({ best, ratio, verdict }) =>
      verdict === 'setByLoad'
        ? `${formatRatioInterval(ratio)} the throughput of ${targetText(model, best.target)}${place(best)}, ${verdictWords[verdict]}`
        : `${formatRatioInterval(ratio)} as fast as ${targetText(model, best.target)}${place(best)}${verdict === 'faster' || isNothingCertain ? '' : `, ${verdictWords[verdict]}`}`,
    );
  // Many targets without a certain difference are counted: only the nearest one is compared.
  const more = isCrowd ? 0 : others.length - parts.length;
  const isPlain = more === 0 && (isNothingCertain || others.every(({ verdict }) => verdict === 'faster'));
  const all = isPlain ? list.format(parts) : [...parts, ...(more > 0 ? [`${more} more in the table`] : [])].join('; ');
  const first = isSame && !isPair ? placeText(model, fastest.variant).trimStart() : '';
  const told = `${first === '' ? '' : `${first}, `}${targetText(model, fastest.target)}${own} is ${all}`;
  if (isNothingCertain)
    return `No certain difference${isCrowd ? ` among ${formatCount(others.length + 1)} targets` : ''}: ${told}`;
  return first === '' ? told : sentence(told);
}

/** " at 16 connections", " with prepared · Rows per call: 10"; empty for the only variant. */
function placeText({ plan }: RunModel, variant: string): string {
  if (plan.variants.length === 1) return '';
  const factors = variedFactors(plan);
  const connections = variantOf(plan, variant)?.levels.connections;
  return factors.size === 1 && factors.has('connections') && connections !== undefined
    ? ` at ${formatLevel('connections', connections)} ${connections === 1 ? 'connection' : 'connections'}`
    : ` with ${variantText(plan, variant)}`;
}

/** "Connections: 16, 20.1k (19.4k–20.8k) rows/s". */
const bestText = (model: RunModel, { variant, rowsPerSecond }: MeasuredCell): string =>
  `${model.plan.variants.length === 1 ? '' : `${variantText(model.plan, variant)}, `}${formatInterval(rowsPerSecond)} ${rateUnit(model)}`;

function certaintyOf(model: RunModel, { lead }: HeadlineClaims, others: readonly BestRatio[]): string | null {
  const { fastest, rivals, heldBack, byLoad } = lead!;
  const hasFewRepeats = others.some(({ verdict }) => verdict === 'notEnoughRepeats');
  const doubts = [
    ...(rivals.length > 0
      ? [`Uncertain: ${hasFewRepeats ? 'with so few repeats, ' : ''}${targetsText(rivals)} may be as fast`]
      : []),
    ...(byLoad.length > 0 ? [`The offered load limited ${targetsText(byLoad)}, which may be faster`] : []),
    ...(heldBack.length > 0 ? [`The client limited ${targetsText(heldBack)}, which may be faster`] : []),
    ...(fastest.clientSaturated ? [`The client limited ${fastest.target}, which may be faster than measured`] : []),
    ...missingText(model),
  ];
  if (doubts.length > 0) return doubts.join('. ');
  if (others.length === 0) return null;
  return `Certain at 95 %${model.plan.variants.length > 1 ? ' for the best variant of each target' : ''}`;
}

/** "SQLite and MariaDB", "4 other targets". */
const targetsText = (cells: readonly MeasuredCell[]): string =>
  cells.length > mostTargets ? `${cells.length} other targets` : list.format(cells.map(({ target }) => target));

/** Names targets whose best variant may be a variant without a result. */
function missingText(model: RunModel): readonly string[] {
  const { variants, targets, skipped } = model.plan;
  const measured = new Set(model.cells.filter(({ rowsPerSecond }) => rowsPerSecond !== null).map(keyOf));
  const isSkipped = new Set(skipped.map(keyOf));
  return targets.flatMap(({ name: target }) => {
    const planned = variants.map(({ id }) => keyOf({ variant: id, target })).filter((key) => !isSkipped.has(key));
    const missing = planned.filter((key) => !measured.has(key)).length;
    if (missing === 0 || !isContender(model, target)) return [];
    return missing === planned.length
      ? [`${target} has no result`]
      : [`${target} has no result for ${missing} of ${planned.length} variants`];
  });
}

/** Each other target against the baseline's target, variant by variant. */
function byVariant(model: RunModel, { variant, target: reference }: Baseline, claims: HeadlineClaims): readonly Fact[] {
  if (variant !== undefined || model.plan.variants.length === 1) return [];
  const judged = ratios(model, { target: reference! }).filter(isJudged);
  return [...Map.groupBy(judged, ({ target }) => target)]
    .slice(0, mostTargets)
    .map(
      ([target, own]): Fact => [
        `${target} against ${reference}, by variant`,
        spreadText(own, claims),
        'Ratios of the same variant on both targets. The differences that are counted are certain among all comparisons of this run.',
      ],
    );
}

/** "0.53–0.91×: slower in 5 of 6 variants, no certain difference in 1"; "0.62×: slower in all 6 variants". */
function spreadText(own: readonly Ratio[], { certain }: HeadlineClaims): string {
  const values = own.map(({ ratio }) => ratio.value);
  const [low, high] = [Math.min(...values), Math.max(...values)].map((value) => formatNumber(value, 2));
  const sideOf = (one: Ratio) =>
    !certain.has(keyOf(one)) ? 'no certain difference' : one.ratio.value > 1 ? 'faster' : 'slower';
  const counts = [...Map.groupBy(own, sideOf)].toSorted(([, a], [, b]) => b.length - a.length);
  const parts = counts.map(([side, { length }], i) => {
    if (length < own.length) return `${side} in ${length}${i === 0 ? ` of ${own.length} variants` : ''}`;
    return side === 'no certain difference' ? `${side} in any variant` : `${side} in all ${length} variants`;
  });
  const range = low === high ? `${low}×` : `${low}–${high}×`;
  return `${range}: ${own.length === 1 ? counts[0]![0] : parts.join(', ')}`;
}
