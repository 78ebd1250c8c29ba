import type { Phase } from '#protocol/measurement.ts';

/** The work of a trial's phases, as the head, the rows and the terminal of a live run show it. */
export const phaseText: Readonly<Record<Phase, string>> = {
  schema: 'creating the table',
  load: 'loading rows',
  build: 'building key and indexes',
  settle: 'settling the server',
  emptyCache: 'emptying the server’s cache',
  prepare: 'preparing the clients',
  warmup: 'warming up',
  measure: 'measuring',
  drain: 'draining',
  verify: 'checking the rows',
};
