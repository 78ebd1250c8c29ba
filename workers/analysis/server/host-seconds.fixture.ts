import type { DiskSecond, HostFacts, HostSecond } from '#protocol/host-second.ts';

const gib = 2 ** 30;

/** A host on which the server of a target and two client processes run. */
export const hostFactsOf = (more: Partial<HostFacts> = {}): HostFacts => ({
  ...{ name: 'local', os: 'linux 6.12.0', cores: 4, workers: 2, serverOf: ['postgres'] },
  ...more,
});

export const diskSecondOf = (more: Partial<DiskSecond> = {}): DiskSecond => ({
  ...{ name: 'sda', readsPerSecond: 10, writesPerSecond: 400, readBytesPerSecond: 81_920 },
  ...{ writtenBytesPerSecond: 4_000_000, readAwaitMs: 0.2, writeAwaitMs: 0.8, flushesPerSecond: 120 },
  ...{ flushAwaitMs: 1.5, busyShare: 0.4 },
  ...more,
});

/** A second of a half busy host. */
export const hostSecondOf = (more: Partial<HostSecond> = {}): HostSecond => ({
  lengthMs: 1_000,
  processors: { userShare: 0.4, systemShare: 0.1, ioWaitShare: 0.05, stealShare: 0 },
  memory: {
    ...{ totalBytes: 16 * gib, availableBytes: 12 * gib, cachedBytes: 3 * gib, dirtyBytes: 1e6 },
    swapUsedBytes: 0,
  },
  disks: [diskSecondOf()],
  network: { receivedBytesPerSecond: 2_000, sentBytesPerSecond: 1_000 },
  group: { limitCores: null, throttledMsPerSecond: null, memoryLimitBytes: null, memoryBytes: null },
  ...more,
});
