import { isPlainLoop, loadModel } from '#model/statements/load-model.ts';
import { havePauses } from '#model/statements/steps.ts';
import { isEmulator, isReference } from '#planning/rates/contenders.ts';
import { isTimed, throughputOf } from '#planning/rates/trial-rate.ts';
import { type Fitted, fitSweep, type LoadRepeat, tooFew } from '#planning/search/fit-sweep.ts';
import { formatLevels, planOf } from '#planning/variant-of.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import type { PlannedTarget, Variant } from '#protocol/plan.ts';
import { leastLoads } from '#stats/fits/usl.ts';
import type { Interval, RunModel, TrialView } from '../run-model/run-model.ts';
import { findCell, rateUnit } from '../run-model/select-cells.ts';

/** The factor that sets the load: a number of users, each in a closed loop on its own connection. */
export const loadFactor = 'connections';

/** The throughput of one target under rising loads, with all other factors equal. */
export interface Sweep extends Fitted {
  readonly factor: typeof loadFactor;
  readonly target: string;
  /** Levels of the other factors, and the same as text; empty without other factors. */
  readonly others: Variant['levels'];
  readonly label: string;
  readonly unit: string;
  /** Loads with results, in ascending order. */
  readonly points: readonly SweepPoint[];
}

export interface SweepPoint {
  readonly variant: string;
  readonly load: number;
  readonly repeats: readonly SweepRepeat[];
  /** Mean over all repeats of the cell, including repeats with a saturated client. */
  readonly mean: Interval;
  /** Percentiles of the cell's latency, with all repeats merged; null with too few calls. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
}

interface SweepRepeat extends LoadRepeat {
  readonly trial: number;
  readonly repeat: number;
  /**
   * Number of users derived from counts and times by Little's law, N = X·(R + Z); null if the law does not apply or the
   * data is too scarce.
   */
  readonly users: number | null;
}

const known = new WeakMap<RunModel, readonly Sweep[]>();

/**
 * Every sweep over connections: one for each target and combination of the other factors; empty if loads do not vary.
 * The result is cached per model, because headlines, charts, tables and findings use it.
 */
export function sweepsOf(model: RunModel): readonly Sweep[] {
  const sweeps = known.get(model) ?? findSweeps(model);
  known.set(model, sweeps);
  return sweeps;
}

function findSweeps(model: RunModel): readonly Sweep[] {
  const { plan, trials } = model;
  const loads = new Set(plan.variants.map(({ levels }) => levels[loadFactor]));
  if (loads.size < 2 || ![...loads].every((load) => typeof load === 'number')) return [];
  const byCell = Map.groupBy(trials, ({ trial }) => keyOf(trial));
  const unit = rateUnit(model);
  return [...Map.groupBy(plan.variants, (variant) => formatLevels(othersOf(variant, loadFactor)))].flatMap(
    ([label, variants]) =>
      plan.targets.flatMap((target) => {
        const points = variants
          .flatMap((variant) => pointOf(model, variant, target, byCell))
          .toSorted((one, other) => one.load - other.load);
        if (points.length === 0) return [];
        return [
          {
            factor: loadFactor,
            target: target.name,
            others: othersOf(variants[0]!, loadFactor),
            label,
            unit,
            points,
            ...fitSweep(points, whyNot(model, target, variants)),
          },
        ];
      }),
  );
}

/** Levels of the other factors. */
export const othersOf = ({ levels }: Variant, factor: string): Variant['levels'] =>
  Object.fromEntries(Object.entries(levels).filter(([name]) => name !== factor));

function pointOf(
  model: RunModel,
  variant: Variant,
  target: PlannedTarget,
  trials: ReadonlyMap<string, readonly TrialView[]>,
): SweepPoint[] {
  const cell = findCell(model, variant.id, target.name);
  if (cell?.rowsPerSecond == null) return [];
  const own = trials.get(keyOf({ variant: variant.id, target: target.name })) ?? [];
  const repeats = own.flatMap(({ trial, result }): SweepRepeat[] =>
    result?.status !== 'ok' || !isTimed(result)
      ? []
      : [
          {
            trial: trial.number,
            repeat: trial.repeat,
            throughput: throughputOf(result),
            saturated: result.clientSaturated,
            users: usersOf(result, variant.settings.connections),
          },
        ],
  );
  const { p50, p99 } = cell.latencyMs;
  return [
    {
      variant: variant.id,
      load: Number(variant.levels[loadFactor]),
      repeats,
      mean: cell.rowsPerSecond,
      p50Ms: p50,
      p99Ms: p99,
    },
  ];
}

const usersOf = ({ littleError }: TrialResult, connections: number): number | null =>
  littleError === null ? null : connections * (1 + littleError);

/** The reason why a sweep cannot be judged, whatever its points are; null if it can. */
function whyNot(model: RunModel, { name }: PlannedTarget, variants: readonly Variant[]): string | null {
  if (isReference(model, name)) return 'A reference does no work: what it shows is the client.';
  if (model.targets.some((one) => one.name === name && isEmulator(one)))
    return 'An emulator says nothing about how the product scales.';
  const own = new Set(variants.map(({ id }) => id));
  if (
    model.cells.some(
      ({ target, variant, rowProblems }) => target === name && own.has(variant) && rowProblems.length > 0,
    )
  )
    return 'Its calls found nothing, or other rows or answers than elsewhere, so that its loads are not judged.';
  if (variants.some((one) => havePauses(planOf(model.plan, one).experiment.scenarios)))
    return 'The law is about users in a closed loop, one a connection; here users pause in the steps of their scenarios.';
  if (model.plan.measure.stages || !variants.every(({ settings }) => isPlainLoop(loadModel(settings))))
    return 'The law is about users in a closed loop, one a connection; here connections are a pool.';
  return variants.length < leastLoads ? tooFew(variants.length, 'are in the experiment') : null;
}
