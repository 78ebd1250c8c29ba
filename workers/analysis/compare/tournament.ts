import { textFor } from '#experiment/statements/statement-mix.ts';
import type { Settings } from '#model/settings/settings.ts';
import { readsOnly } from '#model/statements/reads-only.ts';
import { statementsIn } from '#model/statements/steps.ts';
import type { Judged } from '#planning/judged/judged-times.ts';
import type { TimedWork, TimeFigure } from '#planning/judged/trial-times.ts';
import { type Baseline, baselineOf, compareOf } from '#planning/rates/baseline.ts';
import { isContender } from '#planning/rates/contenders.ts';
import { changesFile, comparesChanges, planOf, variantOf } from '#planning/variant-of.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { TargetRecord } from '#protocol/journal.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import type { Cell, Plan } from '#protocol/plan.ts';
import { type Interval, inverse } from '#stats/intervals/intervals.ts';
import { meanOrNull } from '#stats/intervals/summary.ts';
import type { CellSummary, IndexCost, Ratio, RunModel } from '../run-model/run-model.ts';
import { ratios } from './compare.ts';
import { type PlanComparison, plansBeside } from './compare-plans.ts';
import { type HeadlineClaims, headlineClaims } from './headline-claims.ts';
import { judgedOf } from './judged.ts';
import { type LatencyRatio, latencyRatiosOf, resultsByCell } from './latency-ratios.ts';

/** A quantity by which the variants are compared: the times of a statement or transaction, or the throughput. */
export interface TournamentMeasure {
  /** Null: all units of work together. */
  readonly work: TimedWork;
  readonly figure: TimeFigure | 'throughput';
  /** True if the statement, or a step of the transaction, may write. Null for all units of work together. */
  readonly isWrite: boolean | null;
}

/** A variant's ratio of one measure to that of the baseline. */
export type TournamentRatio =
  | (LatencyRatio & { readonly of: 'time'; readonly isCertain: boolean })
  | (Ratio & { readonly of: 'throughput'; readonly isCertain: boolean });

/** The ratio of the times, also for throughput: on scales, faster variants are on the left. */
export const timeRatio = ({ of, ratio }: TournamentRatio): Interval | null =>
  ratio === null || of === 'time' ? ratio : inverse(ratio);

/** The indexes, besides the primary key, that one variant has and another variant lacks. */
interface IndexSum {
  readonly names: readonly string[];
  /** Null: the server did not tell the size of one of them. */
  readonly bytes: number | null;
  /** Null: they were created before the rows. */
  readonly buildMs: number | null;
}

/** A variant on the target of a tournament. */
export interface TournamentRow extends Cell {
  /**
   * disqualified: its calls found nothing, or a statement answers otherwise than the baseline's. failed: no trial went
   * well. skipped: the target cannot run it. pending: no trial has ended.
   */
  readonly state: 'baseline' | 'compared' | 'disqualified' | 'failed' | 'skipped' | 'pending';
  /** The reason of the plan or the first error, as a sentence; null for other states. */
  readonly why: string | null;
  /** In the order of the measures; null: the variant or the baseline has no value of the measure. */
  readonly ratios: readonly (TournamentRatio | null)[];
  /** Null where no size is known. */
  readonly indexes: IndexSum | null;
  readonly addedIndexes: IndexSum | null;
  readonly removedIndexes: IndexSum | null;
  /** Size of all tables at the end, a mean over the repeats; null: not known, or the variant deletes rows. */
  readonly tableBytes: number | null;
  /** Size of all tables per row at the end, because the faster of two variants may have inserted more rows. */
  readonly tableBytesPerRow: number | null;
  /** The plans of its statements beside those of the baseline. */
  readonly plans: readonly PlanComparison[];
}

/** The variants of a run, whose levels change the file or have names, on one target, against the baseline variant. */
export interface Tournament {
  readonly target: string;
  /** Id of the baseline variant. */
  readonly baseline: string;
  /** All units of work together first, then calls that read, then calls that write. */
  readonly measures: readonly TournamentMeasure[];
  /** False if nothing that runs on the target may write, so that nobody knows what an index costs writes. */
  readonly hasWrites: boolean;
  /** The fastest by the first measure first; those without a ratio last. */
  readonly rows: readonly TournamentRow[];
  /** The number of comparisons, over all targets, among which a ratio is called certain. */
  readonly comparisons: number;
}

type TournamentRun = Pick<RunModel, 'plan' | 'cells' | 'targets' | 'trials' | 'skipped'>;

/** The baseline of a tournament: the variant of `baseline`, or else of the file, on each target. */
const tournamentBaseline = (model: TournamentRun, baseline: Baseline): Baseline =>
  baseline.variant === undefined ? baselineOf(model, 'levels') : { variant: baseline.variant };

/**
 * True if the changes of a run are compared as a tournament: its levels change the file, or have names and are compared
 * with each other. Where targets are compared, named settings of the load are told apart by the results alone.
 */
export const hasTournament = (model: Pick<RunModel, 'plan' | 'targets'>, baseline: Baseline): boolean =>
  changesFile(model.plan) || (comparesChanges(model.plan) && compareOf(model, baseline) === 'levels');

/**
 * Compares the variants of each target where the run has a tournament. Every figure is one that other
 * tables have: the ratios are those of latency-ratios.ts and compare.ts, with their verdicts, and a ratio is certain
 * where a headline may say so. Empty for other runs.
 */
export function tournamentsOf(model: TournamentRun, chosen: Baseline): readonly Tournament[] {
  if (!hasTournament(model, chosen)) return [];
  const baseline = tournamentBaseline(model, chosen);
  const { variant } = baseline;
  if (variant === undefined) return [];
  const rates = ratios(model, baseline);
  const judged = judgedOf(model, baseline, rates);
  const claims = headlineClaims(model, baseline);
  const times = claims.latency?.ratios ?? latencyRatiosOf(model, baseline, judged.times);
  const comparisons = (claims.latency?.comparisons ?? 0) + (claims.judgesThroughput ? claims.comparisons : 0);
  const results = resultsByCell(model);
  const plans = Map.groupBy(plansBeside(model, variant), ({ after }) => keyOf(after));
  return model.targets
    .filter(({ name }) => isContender(model, name) && model.plan.targets.some((one) => one.name === name))
    .map((target): Tournament => {
      const measures = measuresOf(model.plan, target, judged);
      const base = model.cells.find((cell) => cell.variant === variant && cell.target === target.name);
      const rows = model.plan.variants.map(({ id }): TournamentRow => {
        const cell = { variant: id, target: target.name };
        const own = model.cells.find((one) => keyOf(one) === keyOf(cell));
        return {
          ...cell,
          ...stateOf(model, cell, own, variant),
          ratios: measures.map((measure) => ratioOf(cell, measure, rates, times, claims)),
          ...indexSums(own, base),
          tableBytes: tableBytesOf(model.plan, cell, results.get(keyOf(cell)) ?? []),
          tableBytesPerRow: own?.storedBytesPerRow?.table ?? null,
          plans: plans.get(keyOf(cell)) ?? [],
        };
      });
      return {
        ...{ target: target.name, baseline: variant, measures, comparisons },
        hasWrites: hasWrites(model.plan, target),
        rows: rows.toSorted((a, b) => placeOf(a) - placeOf(b)),
      };
    });
}

/** The measures of a target in their order: throughput and all units of work first, then calls that read. */
export function measuresOf(plan: Plan, target: TargetRecord, judged: Judged): readonly TournamentMeasure[] {
  const timed = judged.times.map((time) => ({ ...time, isWrite: isWrite(plan, target, time.work) }));
  return [
    ...(judged.throughput ? [{ work: null, figure: 'throughput', isWrite: null } as const] : []),
    ...timed.toSorted((a, b) => rankOf(a) - rankOf(b)),
  ];
}

const rankOf = ({ isWrite: writes }: TournamentMeasure): number => (writes === null ? 0 : writes ? 2 : 1);

const reading: readonly Settings['operation'][] = ['readByKey', 'readRange', 'scan'];

/** True if an operation or a text that any variant runs on the target may write. */
const hasWrites = (plan: Plan, target: TargetRecord): boolean =>
  plan.variants.some((variant) => {
    const { operation } = variant.settings;
    if (operation !== 'statement') return !reading.includes(operation);
    const { statements = {} } = planOf(plan, variant).experiment;
    return Object.keys(statements).some((name) => isWrite(plan, target, name));
  });

/** True if any text that the variants run on the target may write. */
function isWrite(plan: Plan, { name, descriptor }: TargetRecord, work: TimedWork): boolean | null {
  if (work === null) return null;
  const language = descriptor.statements;
  return plan.variants.some((variant) => {
    const { statements = {}, transactions = {} } = planOf(plan, variant).experiment;
    const steps = transactions[work] ? statementsIn(transactions[work].steps) : [work];
    return steps.some((step) => {
      const spec = statements[step];
      const text = spec && textFor(spec.text, { target: name, engine: descriptor.id });
      if (!text || !language) return false;
      return !(spec.isRead ?? readsOnly(text, language));
    });
  });
}

function stateOf(
  { skipped: all }: TournamentRun,
  cell: Cell,
  own: CellSummary | undefined,
  baseline: string,
): Pick<TournamentRow, 'state' | 'why'> {
  // The plan knows the engine, and the first trial the version of the server.
  const skipped = all.find((one) => keyOf(one) === keyOf(cell));
  if (skipped && !own?.ok) return { state: 'skipped', why: skipped.reason };
  if (own !== undefined && own.ok === 0 && own.failed > 0)
    return { state: 'failed', why: own.firstError?.message ?? null };
  if (own === undefined || own.ok === 0) return { state: 'pending', why: null };
  if (cell.variant === baseline) return { state: 'baseline', why: null };
  return { state: own.rowProblems.length > 0 ? 'disqualified' : 'compared', why: null };
}

function ratioOf(
  cell: Cell,
  { work, figure }: TournamentMeasure,
  rates: readonly Ratio[],
  times: readonly LatencyRatio[],
  claims: HeadlineClaims,
): TournamentRatio | null {
  if (figure === 'throughput') {
    const own = rates.find((one) => keyOf(one) === keyOf(cell));
    return own ? { ...own, of: 'throughput', isCertain: claims.certain.has(keyOf(cell)) } : null;
  }
  const own = times.find((one) => keyOf(one) === keyOf(cell) && one.work === work && one.figure === figure);
  return own ? { ...own, of: 'time', isCertain: claims.latency?.certain.has(own) ?? false } : null;
}

/** How many times as long the variant takes as the baseline, by the first measure. */
function placeOf({ state, ratios: [first] }: TournamentRow): number {
  if (state === 'skipped' || state === 'failed' || state === 'pending') return Number.MAX_VALUE;
  const value = state === 'baseline' ? 1 : first && timeRatio(first)?.value;
  return state === 'disqualified' || value == null ? Number.MAX_VALUE / 2 : value;
}

function indexSums(
  own: CellSummary | undefined,
  base: CellSummary | undefined,
): Pick<TournamentRow, 'indexes' | 'addedIndexes' | 'removedIndexes'> {
  const [mine, others] = [own?.indexCosts ?? [], base?.indexCosts ?? []];
  const without = (all: readonly IndexCost[], these: readonly IndexCost[]) =>
    all.filter(({ index }) => !these.some((one) => one.index === index));
  return {
    indexes: sumOf(mine),
    addedIndexes: base === undefined ? null : sumOf(without(mine, others)),
    removedIndexes: own === undefined || own.ok === 0 ? null : sumOf(without(others, mine)),
  };
}

function sumOf(all: readonly IndexCost[]): IndexSum | null {
  if (all.length === 0) return null;
  const built = all.flatMap(({ buildMs }) => buildMs ?? []);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    names: all.map(({ index }) => index),
    bytes: all.some(({ bytes }) => bytes === null) ? null : sum(all.flatMap(({ bytes }) => bytes ?? [])),
    buildMs: built.length === 0 ? null : sum(built),
  };
}

/** Deletes leave free space, whose size says nothing about the variant. */
function tableBytesOf(plan: Plan, { variant }: Cell, results: readonly TrialResult[]): number | null {
  if (variantOf(plan, variant)?.settings.operation === 'delete') return null;
  return meanOrNull(results.flatMap(({ storedBytes }) => storedBytes?.tableBytes ?? []));
}
