import type { EngineConfig } from '#engine-api/config.ts';
import type { ToWorker } from '#protocol/messages.ts';

interface OrderedTarget {
  readonly engine: string;
  readonly config: EngineConfig;
}

/** The targets of each order to a worker process; an order without an entry is a compile error. */
const targetsOf: {
  readonly [T in ToWorker['type']]: (order: ToWorker & { readonly type: T }) => readonly OrderedTarget[];
} = {
  init: (order) => [order],
  prepare: ({ job }) => (job.sourceTarget ? [job.sourceTarget] : []),
  request: () => [],
  warmup: () => [],
  measure: () => [],
  counted: () => [],
  nextCall: () => [],
  stop: () => [],
  exit: () => [],
};

/** The targets to which an order has a worker process connect. */
export const targetsIn = <T extends ToWorker['type']>(
  order: ToWorker & { readonly type: T },
): readonly OrderedTarget[] => targetsOf[order.type as T](order);
