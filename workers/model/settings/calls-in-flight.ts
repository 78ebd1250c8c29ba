import type { Settings } from './settings.ts';

/** The largest number of calls that one connection has in flight: those of a pipeline or of a batch. */
export function callsInFlight({
  method,
  pipelineDepth,
  callsPerBatch,
}: Pick<Settings, 'method' | 'pipelineDepth' | 'callsPerBatch'>): number {
  if (method === 'pipelined') return pipelineDepth;
  return method === 'batch' ? callsPerBatch : 1;
}
