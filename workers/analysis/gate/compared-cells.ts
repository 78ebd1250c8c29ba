import { isContender } from '#planning/rates/contenders.ts';
import { ratesByCell } from '#planning/rates/rates-by-cell.ts';
import { cellOf, keyOf } from '#protocol/cell-key.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import type { Cell } from '#protocol/plan.ts';
import type { RunChange } from '#protocol/run-change.ts';
import { compareHardware, compareMachines } from '../compare/compare-machines.ts';
import { resultsByCell } from '../compare/latency-ratios.ts';
import { whatChanged } from '../compare/what-changed.ts';
import type { CellSummary, RunModel } from '../run-model/run-model.ts';
import { nameAmong } from './gate-text.ts';

/** The side of a gate that a run is compared with. */
export interface GateBaseline {
  /** Its run; the judged run itself where one run has measured both sides in turn. */
  readonly run: RunModel;
  /** The baseline's target for each judged target, where one run has measured both in turn; null for two runs. */
  readonly inTurn: ReadonlyMap<string, string> | null;
  /** Names it in sentences: "the baseline", "release 4.2". */
  readonly name: string;
  /**
   * Earlier runs that measured the same as the baseline, its own included, oldest first. Their mean is what the run is
   * compared with, and they show how much runs differ by themselves.
   */
  readonly earlier: readonly RunModel[];
}

/** A cell of the judged run, and its counterpart. */
export interface ComparedCell {
  readonly cell: Cell;
  readonly name: string;
  readonly own: CellSummary | null;
  /** Null: the baseline lacks the cell. Undefined: there is no baseline. */
  readonly base: CellSummary | null | undefined;
  /** The counterpart (keyOf). */
  readonly baseKey: string;
}

/** The values of the repeats of one run, by cell (keyOf). */
export interface Values {
  readonly rates: ReadonlyMap<string, readonly number[]>;
  readonly results: ReadonlyMap<string, readonly TrialResult[]>;
}

/** Everything that the conditions of a gate read. */
export interface ComparedCells {
  readonly run: RunModel;
  readonly cells: readonly ComparedCell[];
  readonly own: Values;
  readonly base: Values | null;
  /** Null where one run has measured both sides in turn, so that drift meets both alike. */
  readonly earlier: readonly Values[] | null;
  /** The differences between the two runs, such as edits of the experiment and another server. */
  readonly changes: readonly RunChange[];
  /** The figures of the machine that differ between the two runs, as a list; null: none does. */
  readonly machine: string | null;
}

const valuesOf = (run: RunModel): Values => ({ rates: ratesByCell(run.trials), results: resultsByCell(run) });

/** Matches the cells of a run with those of its baseline. Earlier runs of other hardware are left out. */
export function comparedCells(run: RunModel, baseline: GateBaseline | null): ComparedCells {
  const isTwoRuns = baseline !== null && baseline.inTurn === null;
  const machine = isTwoRuns ? compareMachines(baseline.run, run).filter(({ differs }) => differs) : [];
  const hasSameHardware = (one: RunModel) => !compareHardware(one, run).some(({ differs }) => differs);
  return {
    run,
    cells: matched(run, baseline),
    own: valuesOf(run),
    base: baseline && valuesOf(baseline.run),
    earlier: isTwoRuns ? baseline.earlier.filter(hasSameHardware).map(valuesOf) : null,
    changes: isTwoRuns ? whatChanged(baseline.run, run) : [],
    machine: machine.length === 0 ? null : machine.map(({ what }) => what).join(', '),
  };
}

/** The cells of both runs; where one run has measured both sides, the cells of the judged targets. */
function matched(run: RunModel, baseline: GateBaseline | null): readonly ComparedCell[] {
  const inTurn = baseline?.inTurn ?? null;
  const owned = new Map(run.cells.map((cell) => [keyOf(cell), cell]));
  const others = new Map(baseline?.run.cells.map((cell) => [keyOf(cell), cell]));
  const judged = run.cells.filter(({ target }) => isContender(run, target) && (inTurn?.has(target) ?? true));
  const gone =
    baseline === null || inTurn !== null
      ? []
      : baseline.run.cells.filter((cell) => !owned.has(keyOf(cell)) && isContender(baseline.run, cell.target));
  const cells = [...judged, ...gone].map(cellOf);
  return cells.map((cell): ComparedCell => {
    const own = owned.get(keyOf(cell)) ?? null;
    const baseKey = keyOf({ ...cell, target: inTurn?.get(cell.target) ?? cell.target });
    const base = baseline === null ? undefined : (others.get(baseKey) ?? null);
    const { plan } = own === null && baseline !== null ? baseline.run : run;
    return { cell, name: nameAmong(plan, cell, cells), own, base, baseKey };
  });
}
