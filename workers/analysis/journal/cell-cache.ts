import { errorText } from '#model/error-text.ts';
import { answersBetween, sampledBesideBaseline } from '#planning/rates/answers-between.ts';
import { rowProblems } from '#planning/rates/row-problems.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { TargetRecord } from '#protocol/journal.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import type { Cell, Plan, SkippedCell } from '#protocol/plan.ts';
import { summariseCell } from '../cells/cell-summary.ts';
import type { CellSummary, TrialView } from '../run-model/run-model.ts';

/** The cells of a run. A cell is summarised again only after a change of its trials. */
export class CellCache {
  readonly #changed = new Set<string>();
  readonly #summaries = new Map<string, CellSummary>();
  /** Cells that the plan considered possible and the server refused. */
  readonly #refused = new Map<string, SkippedCell | null>();

  constructor(plan: Plan) {
    for (const cell of plannedCells(plan)) this.#changed.add(keyOf(cell));
  }

  markChanged(cell: Cell): void {
    this.#changed.add(keyOf(cell));
  }

  get isStale(): boolean {
    return this.#changed.size > 0;
  }

  /** Summarises changed cells. `isInProcess`: true if a target works inside the client process. */
  update(plan: Plan, views: readonly TrialView[], isInProcess: (target: string) => boolean): void {
    const byCell = Map.groupBy(
      views.flatMap(({ result }) => result ?? []),
      keyOf,
    );
    for (const cell of plannedCells(plan)) {
      const key = keyOf(cell);
      if (!this.#changed.has(key)) continue;
      const results = byCell.get(key) ?? [];
      this.#summaries.set(key, summariseCell(cell, plan, results, isInProcess(cell.target)));
      this.#refused.set(key, refusedCell(cell, results));
    }
    this.#changed.clear();
  }

  /** The summaries of the cells, with their rows and answers compared to those of the other cells. */
  summaries(plan: Plan, targets: readonly TargetRecord[], views: readonly TrialView[]): readonly CellSummary[] {
    const results = views.flatMap(({ result }) => result ?? []);
    const beside = sampledBesideBaseline({ plan, targets }, results);
    const problems = rowProblems({ plan, targets }, results, beside);
    const answers = answersBetween({ plan, targets }, results);
    return plannedCells(plan).flatMap((cell) => {
      const key = keyOf(cell);
      if (this.#refused.get(key)) return [];
      const summary = this.#summaries.get(key)!;
      const [own, other, sampled] = [problems.get(key), answers.get(key), beside.get(key)];
      if (!own && !other && !sampled) return summary;
      const sampledAnswers = (sampled ?? []).map(({ compared }) => compared);
      return { ...summary, rowProblems: own ?? [], otherAnswers: other ?? [], sampledAnswers };
    });
  }

  skipped(plan: Plan): readonly SkippedCell[] {
    return [...plan.skipped, ...[...this.#refused.values()].filter((cell) => cell !== null)];
  }
}

function refusedCell(cell: Cell, results: readonly TrialResult[]): SkippedCell | null {
  const error = results.find(({ status }) => status === 'cannot')?.error;
  return error ? { ...cell, reason: errorText(error) } : null;
}

/** Cells in the order of variants, then targets, without skipped cells. */
function plannedCells(plan: Plan): readonly Cell[] {
  const planned = new Set(plan.trials.map(keyOf));
  return plan.variants.flatMap((variant) =>
    plan.targets
      .map((target) => ({ variant: variant.id, target: target.name }))
      .filter((cell) => planned.has(keyOf(cell))),
  );
}
