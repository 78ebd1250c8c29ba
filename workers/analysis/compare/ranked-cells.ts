import type { CellSummary, Interval, RunModel } from '../run-model/run-model.ts';
import { isComparable } from './comparable.ts';

/** A cell with a throughput. */
export type MeasuredCell = CellSummary & { readonly rowsPerSecond: Interval };

/** Cells with a comparable throughput, the fastest first. */
export const rankedCells = (model: Pick<RunModel, 'cells' | 'targets'>): readonly MeasuredCell[] =>
  model.cells
    .filter((cell): cell is MeasuredCell => cell.rowsPerSecond !== null && isComparable(model, cell))
    .toSorted((a, b) => b.rowsPerSecond.value - a.rowsPerSecond.value);
