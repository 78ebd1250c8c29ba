import { expect, test } from 'vitest';
import type { DiskCounters } from './disks.ts';
import { type HostReading, hostSecond, readHost } from './host-reading.ts';
import { HostSampler } from './host-sampler.ts';

const gib = 2 ** 30;
const memory = { totalBytes: 8 * gib, availableBytes: 6 * gib, cachedBytes: gib, dirtyBytes: 0, swapUsedBytes: 0 };

const disk = (more: Partial<DiskCounters> = {}): DiskCounters => ({
  ...{ reads: 10, readSectors: 80, readMs: 5, writes: 10, writtenSectors: 80, writeMs: 10, busyMs: 8 },
  ...{ flushes: 2, flushMs: 4 },
  ...more,
});

const reading = (atMs: number, more: Partial<HostReading> = {}): HostReading => ({
  atNs: BigInt(Math.round(atMs * 1e6)),
  wallMs: 1e12 + atMs,
  processors: { userMs: 0, systemMs: 0, idleMs: 0, ioWaitMs: 0, stealMs: 0 },
  memory,
  disks: null,
  network: null,
  groups: new Map(),
  ...more,
});

test('shares of the processors add up with the idle time to all of their time', () => {
  const processors = { userMs: 900, systemMs: 500, idleMs: 300, ioWaitMs: 200, stealMs: 100 };
  const second = hostSecond(reading(0), reading(1_000, { processors }));
  expect(second?.processors).toEqual({ userShare: 0.45, systemShare: 0.25, ioWaitShare: 0.1, stealShare: 0.05 });
});

test('a time that the kernel corrects downwards counts as none, and a time that is not reported as unknown', () => {
  const before = { userMs: 100, systemMs: 100, idleMs: 100, ioWaitMs: 50, stealMs: null };
  const after = { userMs: 200, systemMs: 100, idleMs: 200, ioWaitMs: 40, stealMs: null };
  expect(hostSecond(reading(0, { processors: before }), reading(1_000, { processors: after }))?.processors).toEqual({
    ...{ userShare: 0.5, systemShare: 0, ioWaitShare: 0, stealShare: null },
  });
});

test('operations, bytes and times of a disk are those of the second', () => {
  const before = new Map([['sda', disk()]]);
  const after = new Map([
    [
      'sda',
      disk({ reads: 110, readSectors: 880, readMs: 55, writes: 210, writtenSectors: 2_080, writeMs: 410, busyMs: 508 }),
    ],
  ]);
  const second = hostSecond(reading(0, { disks: before }), reading(2_000, { disks: after }));
  expect(second?.disks).toEqual([
    {
      name: 'sda',
      readsPerSecond: 50,
      writesPerSecond: 100,
      readBytesPerSecond: 204_800,
      writtenBytesPerSecond: 512_000,
      readAwaitMs: 0.5,
      writeAwaitMs: 2,
      flushesPerSecond: 0,
      flushAwaitMs: null,
      busyShare: 0.25,
    },
  ]);
});

test('a disk whose totals went back is left out, and one whose times wrapped is not', () => {
  const before = new Map([
    ['gone', disk({ reads: 500 })],
    ['wraps', disk({ readMs: 2 ** 32 - 5 })],
    ['idle', disk({ reads: 0, writes: 0 })],
  ]);
  const after = new Map([
    ['gone', disk({ reads: 3 })],
    ['wraps', disk({ reads: 20, readMs: 15 })],
    ['idle', disk({ reads: 0, writes: 0 })],
    ['new', disk()],
  ]);
  const disks = hostSecond(reading(0, { disks: before }), reading(1_000, { disks: after }))?.disks;
  expect(disks?.map(({ name }) => name)).toEqual(['wraps']);
  expect(disks?.[0]?.readAwaitMs).toBe(2);
});

test('of many disks the most used have values of their own, and the others are added up', () => {
  const disks = (busy: number) =>
    new Map(Array.from({ length: 12 }, (_, i) => [`sd${'abcdefghijkl'[i]}`, disk({ reads: 100 + busy * (i + 1) })]));
  const second = hostSecond(reading(0, { disks: disks(0) }), reading(1_000, { disks: disks(10) }));
  expect(second?.disks?.map(({ name }) => name)).toEqual([
    ...['sde', 'sdf', 'sdg', 'sdh', 'sdi', 'sdj', 'sdk', 'sdl', 'others'],
  ]);
  expect(second?.disks?.at(-1)?.readsPerSecond).toBe(10 + 20 + 30 + 40);
});

test('traffic is the sum of the interfaces that both readings have', () => {
  const before = new Map([['eth0', { receivedBytes: 2 ** 32 - 1_000, sentBytes: 0 }]]);
  const after = new Map([
    ['eth0', { receivedBytes: 1_000, sentBytes: 500 }],
    ['eth1', { receivedBytes: 1e9, sentBytes: 1e9 }],
  ]);
  expect(hostSecond(reading(0, { network: before }), reading(500, { network: after }))?.network).toEqual({
    receivedBytesPerSecond: 4_000,
    sentBytesPerSecond: 1_000,
  });
});

test('time withheld by a control group is per second', () => {
  const groups = (throttledMs: number) =>
    new Map([['', { limitCores: 1.5, throttledMs, memoryLimitBytes: gib, memoryBytes: gib / 2 }]]);
  const second = hostSecond(reading(0, { groups: groups(100) }), reading(2_000, { groups: groups(500) }));
  expect(second?.group).toEqual({
    limitCores: 1.5,
    throttledMsPerSecond: 200,
    memoryLimitBytes: gib,
    memoryBytes: gib / 2,
  });
});

test('nothing is told of a time in which the machine was suspended, or this process stood still', () => {
  expect(hostSecond(reading(0), reading(1_000, { wallMs: 1e12 + 3_600_000 }))).toBeNull();
  expect(hostSecond(reading(0), reading(20_000))).toBeNull();
  // A clock that is set back is no suspension.
  expect(hostSecond(reading(0), reading(1_000, { wallMs: 1e12 - 60_000 }))).not.toBeNull();
});

test('a sample that comes too soon leaves its time to the next one', () => {
  const times = [0, 1_000, 1_150, 2_000];
  const sampler = new HostSampler(() => reading(times.shift()!));
  expect([sampler.next(), sampler.next(), sampler.next()].map((second) => second?.lengthMs ?? null)).toEqual([
    ...[1_000, null, 1_000],
  ]);
});

test('this machine can be read, and its values are in their bounds', () => {
  const before = readHost();
  const second = hostSecond(before, {
    ...readHost(),
    atNs: before.atNs + 1_000_000_000n,
    wallMs: before.wallMs + 1_000,
  });
  const { userShare, systemShare } = second!.processors;
  expect(userShare + systemShare).toBeLessThanOrEqual(1);
  expect(second!.memory.totalBytes).toBeGreaterThan(second!.memory.availableBytes);
});
