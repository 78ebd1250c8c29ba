import { isEmulator, isReference } from '#planning/rates/contenders.ts';
import type { RowProblem } from '#planning/rates/row-problems.ts';
import type { CellSummary, RunModel } from '../run-model/run-model.ts';

/** A reason why a cell is excluded from comparisons. */
type NotComparable = { readonly kind: 'reference' } | { readonly kind: 'emulator' } | RowProblem;

/**
 * All reasons that exclude a cell from comparisons; empty if it is comparable. A ratio to or from an excluded cell has
 * no verdict, and the cell is never called the fastest.
 */
export function notComparableText(
  model: Pick<RunModel, 'targets'>,
  { target, rowProblems }: Pick<CellSummary, 'target' | 'rowProblems'>,
): readonly NotComparable[] {
  const emulated = model.targets.some((one) => one.name === target && isEmulator(one));
  return [
    ...(isReference(model, target) ? [{ kind: 'reference' } as const] : []),
    ...(emulated ? [{ kind: 'emulator' } as const] : []),
    ...rowProblems,
  ];
}

export const isComparable = (
  model: Pick<RunModel, 'targets'>,
  cell: Pick<CellSummary, 'target' | 'rowProblems'>,
): boolean => notComparableText(model, cell).length === 0;
