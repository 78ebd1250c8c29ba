import { isEmulator } from '#planning/rates/contenders.ts';
import type { RunModel } from '../run-model/run-model.ts';

/** Why a run tells nothing of any product, where no target that takes part in verdicts has a result. */
export function whyNoResult({ status, cells, targets }: Pick<RunModel, 'status' | 'cells' | 'targets'>): string {
  const hasResult = (name: string) => cells.some((cell) => cell.target === name && cell.rowsPerSecond !== null);
  if (targets.some((target) => isEmulator(target) && hasResult(target.name)))
    return 'Only an emulator has results: its numbers say nothing about the product.';
  return status === 'running' ? 'No trial has a result yet.' : 'No trial on a database has a result.';
}
