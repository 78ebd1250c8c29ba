import { many } from '#model/format/plural.ts';
import { isEmulator } from '#planning/rates/contenders.ts';
import type { RunModel } from '../run-model/run-model.ts';
import { cellsApart } from './row-text.ts';

/**
 * The reason why a run supports no statement about a product, if no target that takes part in verdicts has a result.
 */
export function noResultText(model: Pick<RunModel, 'plan' | 'status' | 'cells' | 'targets'>): string {
  const { status, cells, targets } = model;
  const [apart, ...others] = cellsApart(model);
  if (apart !== undefined)
    return `No cell is comparable: ${apart.reason}${others.length === 0 ? '' : `, and ${many(others.length, 'more reason')}`}.`;
  const hasResult = (name: string) => cells.some((cell) => cell.target === name && cell.rowsPerSecond !== null);
  if (targets.some((target) => isEmulator(target) && hasResult(target.name)))
    return 'Only an emulator has results: its numbers say nothing about the product.';
  return status === 'running' ? 'No trial has a result yet.' : 'No trial on a database has a result.';
}

/** The reason why a cell without a trial has no value. A run that is over makes no more trials. */
export const noTrialText = ({ status }: Pick<RunModel, 'status'>): string =>
  status === 'running' ? 'No trial has finished yet.' : 'No trial has finished.';
