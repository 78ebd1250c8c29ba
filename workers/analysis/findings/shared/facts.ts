import type { Experiment } from '#experiment/schema/experiment.ts';
import type { Settings } from '#model/settings/settings.ts';
import { isContender } from '#planning/rates/contenders.ts';
import { isTimed, throughputOf } from '#planning/rates/trial-rate.ts';
import { planOf, variantOf } from '#planning/variant-of.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { TargetRecord } from '#protocol/journal.ts';
import type { CallTime, ClientHealth, Pauses, ProcessTime, SlowestCalls, TrialResult } from '#protocol/measurement.ts';
import type { Cell, Variant } from '#protocol/plan.ts';
import { busyMs } from '../../client/busy-time.ts';
import { waitedShare } from '../../client/machine.ts';
import { addPauses } from '../../client/pauses.ts';
import { isComparable } from '../../compare/comparable.ts';
import type { CellSummary, RunModel, StatementSummary, TrialView } from '../../run-model/run-model.ts';
import { rateUnit } from '../../run-model/select-cells.ts';
import { type CellSteadiness, cellSteadiness } from '../../run-model/steadiness.ts';
import { cellName } from './cell-name.ts';
import {
  plausibleCallTime,
  plausiblePauses,
  plausibleSlowest,
  plausibleStatements,
  plausibleTime,
} from './plausible.ts';
import { type ServerFacts, serverFacts } from './server-facts.ts';

/**
 * The facts that rules read, computed once for a run. Reference targets and emulators are left out, because they
 * support no finding about a product. Rules compute costly and rarely used facts (changesOf a trial, sweeps) from
 * `views` and `model`.
 */
export interface RunFacts {
  readonly model: RunModel;
  /** The unit of throughput: rows/s or calls/s. */
  readonly unit: string;
  /** Every cell of a contender with results, in the plan's order, including cells without a good trial. */
  readonly cells: readonly CellFacts[];
  /** Cells with a good trial. */
  readonly measured: readonly CellFacts[];
  readonly of: (cell: Cell) => CellFacts | undefined;
}

/** A variant on a target. Sums are over its good trials and all of their processes. */
export interface CellFacts {
  readonly cell: Cell;
  /** "bind · Connections: 4 on PostgreSQL". */
  readonly name: string;
  readonly variant: Variant;
  readonly settings: Settings;
  /** The experiment with the sections that the variant's levels change. */
  readonly experiment: Experiment;
  readonly target: TargetRecord;
  /** The engine works inside the client process: there is no server and no network. */
  readonly inProcess: boolean;
  readonly summary: CellSummary;
  /** Throughput: mean over the repeats, and each repeat. Null: no trial was good. */
  readonly throughput: number | null;
  readonly rates: readonly number[];
  /** All trials that have a result, including failed trials. */
  readonly results: readonly TrialResult[];
  /** Good trials in their order, and their sums. */
  readonly views: readonly TrialView[];
  /** Time in which connections were at work, without the time between calls that are reported one by one. */
  readonly elapsedMs: number;
  readonly isReportedPerCall: boolean;
  readonly calls: number;
  readonly rows: number;
  readonly commits: number;
  readonly health: Pick<ClientHealth, 'gcMs' | 'generateMs' | 'encodeMs' | 'inCallsMs' | 'cpuUserMs' | 'cpuSystemMs'>;
  /** Null: calls are reported one by one, or the numbers contradict each other. The same holds for the next members. */
  readonly processTime: ProcessTime | null;
  /** Time of the calls alone, and of begin, commit and rollback. Null: unknown, or calls are reported one by one. */
  readonly callTime: CallTime | null;
  readonly transactionTime: CallTime | null;
  /** Pauses of its client processes; null: they do not add up. */
  readonly pauses: Pauses | null;
  /**
   * The slowest calls, and the number that met pauses of their process; null: there were none, or they do not add up.
   */
  readonly slowest: SlowestCalls | null;
  /** Statements of the file; null: their times do not add up. */
  readonly statements: readonly StatementSummary[] | null;
  readonly server: ServerFacts;
  /** The steadiness over all trials of sufficient length; null without any. */
  readonly steadiness: CellSteadiness | null;
  /** Comparable cells on the same target that differ in the level of one factor only. */
  readonly neighbours: () => readonly Neighbour[];
}

export interface Neighbour {
  readonly factor: string;
  /** The factor's levels in this cell and in the neighbour. */
  readonly own: string | number | boolean;
  readonly level: string | number | boolean;
  readonly cell: CellFacts;
}

const knownFacts = new WeakMap<RunModel, RunFacts>();

/** The facts of a run; the result is kept for the same model. */
export function runFacts(model: RunModel): RunFacts {
  const before = knownFacts.get(model);
  if (before) return before;
  const facts = factsOf(model);
  knownFacts.set(model, facts);
  return facts;
}

function factsOf(model: RunModel): RunFacts {
  const views = Map.groupBy(model.trials, ({ trial }) => keyOf(trial));
  const known = new Map<string, CellFacts>();
  const neighboursOf = (cell: CellFacts): readonly Neighbour[] =>
    [...known.values()].flatMap((other) => {
      if (other.target.name !== cell.target.name || other === cell || !isComparable(model, other.summary)) return [];
      const factors = Object.keys({ ...cell.variant.levels, ...other.variant.levels });
      const [factor, ...more] = factors.filter((name) => cell.variant.levels[name] !== other.variant.levels[name]);
      if (factor === undefined || more.length > 0) return [];
      const [own, level] = [cell.variant.levels[factor], other.variant.levels[factor]];
      return own === undefined || level === undefined ? [] : [{ factor, own, level, cell: other }];
    });
  for (const summary of model.cells) {
    const variant = variantOf(model.plan, summary.variant);
    const target = model.targets.find(({ name }) => name === summary.target);
    if (!variant || !target || !isContender(model, summary.target)) continue;
    const own = views.get(keyOf(summary)) ?? [];
    if (own.every(({ result }) => result === null)) continue;
    const facts = cellFacts(model, summary, variant, target, own, neighboursOf);
    known.set(keyOf(summary), facts);
  }
  const cells = [...known.values()];
  return {
    model,
    unit: rateUnit(model),
    cells,
    measured: cells.filter(({ throughput }) => throughput !== null),
    of: (cell) => known.get(keyOf(cell)),
  };
}

function cellFacts(
  model: RunModel,
  summary: CellSummary,
  variant: Variant,
  target: TargetRecord,
  all: readonly TrialView[],
  neighboursOf: (cell: CellFacts) => readonly Neighbour[],
): CellFacts {
  const views = all.filter(({ result }) => result?.status === 'ok');
  const ok = views.flatMap(({ result }) => result ?? []);
  const alike = ok.filter(({ perCall }) => perCall === undefined);
  const sum = (of: (result: TrialResult) => number) => ok.reduce((total, result) => total + of(result), 0);
  const elapsedMs = sum(busyMs);
  const { settings } = variant;
  const callTime = plausibleCallTime(added(alike.map(({ health }) => health.callTime)), settings, elapsedMs);
  const ownTime = added(alike.map(({ health }) => health.processTime));
  const processTime = plausibleTime(ownTime, settings.connections === 1 ? callTime : null);
  let neighbours: readonly Neighbour[] | null = null;
  const facts: CellFacts = {
    cell: { variant: summary.variant, target: summary.target },
    name: cellName(model.plan, summary),
    variant,
    settings,
    experiment: planOf(model.plan, variant).experiment,
    target,
    inProcess: target.descriptor.inProcess === true,
    summary,
    throughput: summary.rowsPerSecond?.value ?? null,
    rates: ok.filter(isTimed).map(throughputOf),
    results: all.flatMap(({ result }) => result ?? []),
    views,
    elapsedMs,
    isReportedPerCall: alike.length < ok.length,
    calls: sum(({ totals }) => totals.calls),
    rows: sum(({ totals }) => totals.rows),
    commits: sum(({ totals }) => totals.commits),
    health: {
      gcMs: sum(({ health }) => health.gcMs),
      generateMs: sum(({ health }) => health.generateMs),
      encodeMs: sum(({ health }) => health.encodeMs),
      inCallsMs: sum(({ health }) => health.inCallsMs),
      cpuUserMs: sum(({ health }) => health.cpuUserMs),
      cpuSystemMs: sum(({ health }) => health.cpuSystemMs),
    },
    processTime,
    // If the call times contradict the process times, both are unknown.
    callTime: ownTime !== null && processTime === null ? null : callTime,
    transactionTime: added(alike.map(({ health }) => health.transactionTime)),
    pauses: plausiblePauses(
      addPauses(ok.map(({ health }) => health.pauses)),
      processTime,
      sum(({ health }) => health.gcMs),
    ),
    slowest: plausibleSlowest(added(alike.map(({ health }) => health.slowest))),
    statements: plausibleStatements(summary.statements ?? [], settings, elapsedMs),
    server: serverFacts(target, views, settings.connections, elapsedMs),
    steadiness: cellSteadiness(views),
    neighbours: () => {
      neighbours ??= neighboursOf(facts);
      return neighbours;
    },
  };
  return facts;
}

/** Sums field by field; null if a trial has no record. */
function added<T extends ProcessTime | CallTime | SlowestCalls>(all: readonly (T | null)[]): T | null {
  const known = all.filter((one) => one !== null);
  const [first] = known;
  if (first === undefined || known.length < all.length) return null;
  const entries = (Object.keys(first) as (keyof T)[]).map((key) => [
    key,
    known.reduce((total, one) => total + Number(one[key]), 0),
  ]);
  return Object.fromEntries(entries) as T;
}

/** The share of time (0…1) in which the client's processes were ready to run and had no processor; 0 if unknown. */
export const noProcessorShare = ({ views }: Pick<CellFacts, 'views'>): number =>
  waitedShare(views.flatMap(({ result }) => result ?? [])) ?? 0;
