import type { OperationPlan } from '#engine-api/operation.ts';
import { widestRowBytes } from '../values/values.ts';

/** The blocks in which rows come in. */
export interface Blocks {
  /** QRYBLKSZ */
  readonly blockBytes: number;
  /** True if all rows come with the first reply. */
  readonly whole: boolean;
}

const smallestBlock = 512;
const usualBlock = 32_767;
const largestBlock = 10 * 1024 * 1024;

/**
 * The protocol bounds a block in bytes, not in rows, and a server puts in as many as fit: fetchSize becomes bytes by
 * the widest row that the columns allow. By key a row comes in one block, however wide.
 */
export function blocksOf({ table, operation, method, settings }: OperationPlan): Blocks {
  const row = widestRowBytes(table.columns.map(({ type }) => type));
  const rows = operation === 'readByKey' ? settings.rowsPerCall : settings.fetchSize;
  const least = operation === 'readByKey' ? usualBlock : smallestBlock;
  return {
    blockBytes: Math.min(Math.max(row * rows, least), largestBlock),
    whole: operation === 'readByKey' && method !== 'multiRow',
  };
}
