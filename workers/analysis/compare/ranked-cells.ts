import { answeringOtherwise } from '#planning/rates/answers-between.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { CellSummary, Interval, RunModel } from '../run-model/run-model.ts';
import { isComparable } from './comparable.ts';

/** A cell with a throughput. */
export type MeasuredCell = CellSummary & { readonly rowsPerSecond: Interval };

/** The cells whose throughputs can be compared with each other, the fastest first. */
export function rankedCells(model: Pick<RunModel, 'cells' | 'targets'>): readonly MeasuredCell[] {
  const otherwise = new Set(answeringOtherwise(model.cells).map(({ cell }) => keyOf(cell)));
  return model.cells
    .filter(
      (cell): cell is MeasuredCell =>
        cell.rowsPerSecond !== null && isComparable(model, cell) && !otherwise.has(keyOf(cell)),
    )
    .toSorted((a, b) => b.rowsPerSecond.value - a.rowsPerSecond.value);
}
