import type { ResourceClass } from '#model/resource.ts';

/** Classes of server time in words, as charts and tables name them. */
export const resourceLabels: Readonly<Record<ResourceClass, string>> = {
  cpu: 'processor',
  log: 'log and commit',
  lock: 'locks',
  latch: 'latches and buffers',
  dataIo: 'data files',
  network: 'network',
  client: 'waiting for the client',
  other: 'other waits',
};
