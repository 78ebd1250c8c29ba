import type { OperationPlan } from '#engine-api/operation.ts';
import { widestRowBytes } from '../values/values.ts';

/** The size of the blocks in which rows arrive. */
export interface Blocks {
  /** QRYBLKSZ in bytes. */
  readonly blockBytes: number;
  /** True if all rows come with the first reply. */
  readonly whole: boolean;
}

const smallestBlock = 512;
const usualBlock = 32_767;
const largestBlock = 10 * 1024 * 1024;

/**
 * The protocol limits a block in bytes and not in rows, and a server fills it. So fetchSize is converted to bytes by
 * the widest row that the columns allow. A read by key takes one block, however wide the row is.
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
