import type { ResourceClass } from '#model/resource.ts';

/** Labels of the classes of server time in charts and tables. */
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
