import type { JudgedTime } from '#planning/judged/judged-times.ts';
import { explainedGap } from '#planning/rates/baseline.ts';
import { isContender } from '#planning/rates/contenders.ts';
import { ratesByCell } from '#planning/rates/rates-by-cell.ts';
import { variantOf } from '#planning/variant-of.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { Cell, Plan, Variant } from '#protocol/plan.ts';
import { isDifference } from '#stats/intervals/compare-means.ts';
import { confidence, holm, inverse, ratioChance } from '#stats/intervals/intervals.ts';
import { ratios } from '../compare/compare.ts';
import { judgedOf } from '../compare/judged.ts';
import { chanceBothWays } from '../compare/late-starts.ts';
import { latencyRatiosOf, resultsByCell } from '../compare/latency-ratios.ts';
import { measuresOf } from '../compare/tournament.ts';
import type { Interval, RunModel } from '../run-model/run-model.ts';
import { type Difference, differencesOf, partKey } from './differences.ts';

/** The ratio between two steps of a gap. */
export interface GapEffect {
  /** Above 1 in the direction of the gap: 2.9 is 2.9 times as fast for a gain, and as slow for a loss. */
  readonly ratio: Interval;
  /** True if the ratio differs from 1 when all comparisons of the gap are considered. */
  readonly isCertain: boolean;
}

/** Differences that the variants of the run change together: one, or a group. */
export interface GapPart {
  readonly differences: readonly Difference[];
  /** The first variant with this part changed, against the first variant. Null: the run has no such ratio. */
  readonly alone: GapEffect | null;
  /** The second variant against itself with this part taken back. */
  readonly back: GapEffect | null;
  /** The second variant against the first one with this part changed: the part of the gap that is left. */
  readonly left: GapEffect | null;
  /** The reason why the part was not measured alone, or taken back, as a sentence. */
  readonly why: { readonly alone: string | null; readonly back: string | null };
}

/** The explanation of the gap between two variants on one target. */
export interface Gap {
  readonly target: string;
  readonly from: Variant;
  readonly to: Variant;
  /** The compared quantity; null: the throughput. */
  readonly time: JudgedTime | null;
  /** True if the second variant is the faster one. */
  readonly isGain: boolean;
  /** Null: one of the two variants has no result that can be compared. */
  readonly gap: GapEffect | null;
  readonly parts: readonly GapPart[];
  /**
   * one: the part makes a gap alone, and taking it back removes it. oneSided: only one of the two is certain. several:
   * more than one part makes a part of the gap. together: no part makes a gap alone, and taking any of these back
   * removes it. either: each makes the gap alone, and taking one back changes nothing that is certain. cannotTell: no
   * part has a certain effect in the direction of the gap, or several have one only when they are taken back, and it is
   * not certain that more than one is needed. noGap: the gap itself is not certain. noResult: `gap` is null.
   */
  readonly outcome: 'one' | 'oneSided' | 'several' | 'together' | 'either' | 'cannotTell' | 'noGap' | 'noResult';
  /** The parts of which the outcome speaks, the largest effect first. */
  readonly guilty: readonly GapPart[];
  /** The number of comparisons, over all targets, that share the level. */
  readonly comparisons: number;
}

type GapRun = Pick<RunModel, 'plan' | 'cells' | 'targets' | 'trials'>;

/** A comparison of two variants on a target, before its level is shared with others. */
interface Pair {
  readonly ratio: Interval;
  readonly chance: number;
}

/**
 * Explains the gap between the variants that the file names (`baseline`, `explain`) on each target, by the variants of
 * the run that lie between them. Each outcome is a claim about several ratios, so that all ratios of a target share the
 * level stepwise (Holm 1979) with those of other targets. The gap itself comes first, at the whole level of its target:
 * where it is not certain, nothing is claimed. Empty: the file asks for no explanation.
 */
export function gapsOf(model: GapRun): readonly Gap[] {
  const { plan } = model;
  const asked = explainedGap(plan);
  const from = asked && variantOf(plan, asked.from);
  const to = asked && variantOf(plan, asked.to);
  if (!from || !to) return [];
  const parts = partsBetween(plan, from, to);
  const targets = plan.targets.map(({ name }) => name).filter((name) => isContender(model, name));
  return targets.map((target) => gapOn(model, target, from, to, parts, targets.length));
}

/** The variants of a part. */
interface PartVariants {
  readonly differences: readonly Difference[];
  readonly alone: Variant | null;
  readonly back: Variant | null;
}

/** The differences of two variants, in the groups in which the variants of the plan change them. */
function partsBetween(plan: Plan, from: Variant, to: Variant): readonly PartVariants[] {
  const differences = differencesOf(plan, from, to);
  const keys = new Set(differences.map(({ path }) => partKey(path)));
  // A variant lies between the two if each difference has the value of one of them, and all else is equal.
  const between = plan.variants.flatMap((variant) => {
    const has = new Set(differencesOf(plan, from, variant).map(({ path }) => partKey(path)));
    const lacks = new Set(differencesOf(plan, variant, to).map(({ path }) => partKey(path)));
    const isBetween = has.size + lacks.size === keys.size && [...keys].every((key) => has.has(key) !== lacks.has(key));
    return isBetween ? [{ variant, has, lacks }] : [];
  });
  const groups = Map.groupBy(differences, ({ path }) =>
    between.map(({ has }) => (has.has(partKey(path)) ? '1' : '0')).join(''),
  );
  const withKeys = (side: 'has' | 'lacks', own: ReadonlySet<string>) =>
    between.find((one) => one[side].size === own.size && [...own].every((key) => one[side].has(key)))?.variant ?? null;
  return [...groups.values()].map((group) => {
    const own = new Set(group.map(({ path }) => partKey(path)));
    return { differences: group, alone: withKeys('has', own), back: withKeys('lacks', own) };
  });
}

function gapOn(
  model: GapRun,
  target: string,
  from: Variant,
  to: Variant,
  variants: readonly PartVariants[],
  targets: number,
): Gap {
  const time = timeOf(model, target, from, to);
  const known = new Map<string, Pair | null>();
  /** The ratio of speeds, own ÷ base. */
  const pair = (own: Variant | null, base: Variant | null): Pair | null => {
    if (own === null || base === null) return null;
    const key = JSON.stringify([own.id, base.id]);
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = pairOf(model, cellOf(model, own, target), cellOf(model, base, target), time);
    known.set(key, made);
    return made;
  };
  const whole = pair(to, from);
  const isGain = (whole?.ratio.value ?? 1) >= 1;
  const pairs = variants.map((part) => ({
    part,
    alone: pair(part.alone, from),
    back: pair(to, part.back),
    left: pair(to, part.alone),
  }));
  const steps = new Map(
    [...known].flatMap(([key, one]) => (one === null || one === whole ? [] : [[key, one] as const])),
  );
  const chance = (1 - confidence) / targets;
  const isCertainGap = whole !== null && whole.chance <= chance;
  const certain = isCertainGap
    ? holm(new Map([...steps.values()].map((one) => [one, one.chance] as const)), chance)
    : new Set<Pair>();
  const effect = (one: Pair | null): GapEffect | null =>
    one && {
      ratio: isGain ? one.ratio : inverse(one.ratio),
      isCertain: one === whole ? isCertainGap : certain.has(one),
    };
  const parts = pairs.map(
    ({ part, alone, back, left }): GapPart => ({
      differences: part.differences,
      ...{ alone: effect(alone), back: effect(back), left: effect(left) },
      why: {
        alone: alone === null ? whyNot(model, part.alone, target) : null,
        back: back === null ? whyNot(model, part.back, target) : null,
      },
    }),
  );
  return {
    ...{ target, from, to, time, isGain, gap: effect(whole), parts },
    ...outcomeOf(effect(whole), parts),
    comparisons: (steps.size + (whole === null ? 0 : 1)) * targets,
  };
}

/** The cell that measures a variant: another one where both do the same on the target. */
function cellOf({ plan }: GapRun, { id }: Variant, target: string): Cell {
  const twin = plan.skipped.find((one) => one.variant === id && one.target === target)?.sameAs;
  return { variant: twin ?? id, target };
}

/**
 * The compared quantity: the first one of the tournament of these variants in which the two have a ratio, so that both
 * speak of the same. Null: the throughput.
 */
function timeOf(model: GapRun, target: string, from: Variant, to: Variant): JudgedTime | null {
  const record = model.targets.find(({ name }) => name === target);
  if (record === undefined) return null;
  const baseline = { variant: from.id };
  const measures = measuresOf(model.plan, record, judgedOf(model, baseline, ratios(model, baseline)));
  const times = measures.map(({ work, figure }): JudgedTime | null =>
    figure === 'throughput' ? null : { work, figure },
  );
  const [own, base] = [cellOf(model, to, target), cellOf(model, from, target)];
  return times.find((time) => pairOf(model, own, base, time) !== null) ?? times[0] ?? null;
}

/** The ratio of the speeds of two cells; null: there is none, or their answers are not comparable. */
function pairOf(model: GapRun, own: Cell, base: Cell, time: JudgedTime | null): Pair | null {
  const keys = [keyOf(own), keyOf(base)];
  const cells = model.cells.filter((cell) => keys.includes(keyOf(cell)));
  const [part, baseline] = [{ ...model, cells }, { ...base }];
  if (keys[0] === keys[1]) {
    const [cell] = cells;
    const n = cell?.ok ?? 0;
    // Two variants that do the same are measured once, and differ by nothing.
    return n === 0 ? null : { ratio: { value: 1, low: 1, high: 1, n }, chance: 1 };
  }
  if (time === null) {
    const one = ratios(part, baseline).find((ratio) => keyOf(ratio) === keys[0]);
    if (one === undefined || one.verdict === 'notComparable' || one.verdict === 'setByLoad') return null;
    const rates = ratesByCell(model.trials);
    const chance = isDifference(one.verdict) ? ratioChance(rates.get(keys[0]!) ?? [], rates.get(keys[1]!) ?? []) : null;
    return { ratio: one.ratio, chance: chance ?? 1 };
  }
  const results = resultsByCell(model);
  const one = latencyRatiosOf(part, baseline, [time], results).find((ratio) => keyOf(ratio) === keys[0]);
  if (!one?.ratio || one.verdict === 'notComparable' || one.verdict === 'lateStarts') return null;
  const repeats = [results.get(keys[0]!) ?? [], results.get(keys[1]!) ?? []] as const;
  const chance = isDifference(one.verdict) ? chanceBothWays(model, one, repeats) : null;
  return { ratio: inverse(one.ratio), chance: chance ?? 1 };
}

/** The reason why the run has no ratio of a variant, as a sentence. */
function whyNot(model: GapRun, variant: Variant | null, target: string): string {
  if (variant === null) return 'The run has no variant with this change.';
  const cell = cellOf(model, variant, target);
  const skipped = model.plan.skipped.find((one) => keyOf(one) === keyOf(cell));
  if (skipped) return skipped.reason;
  const own = model.trials.filter(({ trial }) => keyOf(trial) === keyOf(cell));
  const error = own.flatMap(({ result }) => result?.error ?? [])[0];
  if (error) return error.message;
  return own.some(({ result }) => result?.status === 'ok')
    ? 'Its results cannot be compared.'
    : 'No trial of it has ended.';
}

const isCertain = (effect: GapEffect | null): effect is GapEffect =>
  effect?.isCertain === true && effect.ratio.value > 1;

function outcomeOf(gap: GapEffect | null, parts: readonly GapPart[]): Pick<Gap, 'outcome' | 'guilty'> {
  if (gap === null) return { outcome: 'noResult', guilty: [] };
  if (!gap.isCertain) return { outcome: 'noGap', guilty: [] };
  const guilty = parts
    .filter(({ alone, back }) => isCertain(alone) || isCertain(back))
    .toSorted((a, b) => sizeOf(b) - sizeOf(a));
  const [first, ...others] = guilty;
  if (first === undefined) return { outcome: 'cannotTell', guilty };
  if (others.length === 0) {
    const isBothWays = [first.alone, first.back].every((one) => one === null || isCertain(one));
    return { outcome: isBothWays ? 'one' : 'oneSided', guilty };
  }
  if (!guilty.some(({ alone }) => isCertain(alone)))
    return guilty.every(({ left }) => left === null || isCertain(left))
      ? { outcome: 'together', guilty }
      : { outcome: 'cannotTell', guilty: [] };
  return { outcome: guilty.some(({ back }) => isCertain(back)) ? 'several' : 'either', guilty };
}

const sizeOf = ({ alone, back }: GapPart): number => Math.max(...[alone, back].map((one) => one?.ratio.value ?? 0));
