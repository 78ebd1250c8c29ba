import { pgbouncer } from './pgbouncer.ts';
import type { PoolerKind } from './pooler-kind.ts';

const poolers: readonly PoolerKind[] = [pgbouncer];

/** The pooler for servers of an engine; null: Dyno starts none. */
export const poolerFor = (engine: string): PoolerKind | null => poolers.find((one) => one.engine === engine) ?? null;
