import { type DiskSecond, type HostSecond, mostDisks, otherDisks } from '#protocol/host-second.ts';
import { type GroupReading, groupUse, readGroups } from './control-groups.ts';
import { growth } from './counter.ts';
import { bytesPerSector, type DiskCounters, readDisks } from './disks.ts';
import { readMemory } from './memory.ts';
import { type InterfaceCounters, readNetwork } from './network.ts';
import { type ProcessorTotals, readProcessors } from './processors.ts';

/** The running totals of a machine at one moment. */
export interface HostReading {
  /** The monotonic clock (process.hrtime). */
  readonly atNs: bigint;
  /** The wall clock (Date.now()). */
  readonly wallMs: number;
  readonly processors: ProcessorTotals;
  readonly memory: HostSecond['memory'];
  readonly disks: ReadonlyMap<string, DiskCounters> | null;
  readonly network: ReadonlyMap<string, InterfaceCounters> | null;
  readonly groups: ReadonlyMap<string, GroupReading>;
}

/** Reads this machine: some ten small files that the system makes from its counters. */
export const readHost = (): HostReading => ({
  atNs: process.hrtime.bigint(),
  wallMs: Date.now(),
  processors: readProcessors(),
  memory: readMemory(),
  disks: readDisks(),
  network: readNetwork(),
  groups: readGroups(),
});

/** A mean over a longer time would hide what it is drawn for. */
const longestMs = 5_000;
/** The wall clock goes on while a machine is suspended, and the monotonic clock of Linux and macOS does not. */
const suspendedFromMs = 2_000;

/**
 * The use of a machine between two readings. Null: they are too far apart, or the machine was suspended in between, so
 * that the totals cover another time.
 */
export function hostSecond(before: HostReading, after: HostReading): HostSecond | null {
  const lengthMs = Number(after.atNs - before.atNs) / 1e6;
  const suspendedMs = after.wallMs - before.wallMs - lengthMs;
  if (lengthMs <= 0 || lengthMs > longestMs || suspendedMs > suspendedFromMs) return null;
  const seconds = lengthMs / 1_000;
  const { throttledMs, ...limits } = groupUse(before.groups, after.groups);
  return {
    lengthMs: rounded(lengthMs),
    processors: processorShares(before.processors, after.processors),
    memory: after.memory,
    disks: after.disks && before.disks && shownDisks(before.disks, after.disks, lengthMs),
    network: after.network && before.network && traffic(before.network, after.network, seconds),
    group: { ...limits, throttledMsPerSecond: throttledMs === null ? null : rounded(throttledMs / seconds) },
  };
}

/** The values go into the run file every second; five digits are more than the counters have. */
const rounded = (value: number): number => Number(value.toPrecision(5));

const grown = (before: number, after: number): number => Math.max(0, after - before);

/**
 * Shares of the sum of all times, because the system counts them in ticks at other moments than the clock. A time may
 * go back by some ticks: the kernel corrects the idle time and the wait for disks.
 */
function processorShares(before: ProcessorTotals, after: ProcessorTotals): HostSecond['processors'] {
  const of = (key: keyof ProcessorTotals): number | null => {
    const [from, to] = [before[key], after[key]];
    return from === null || to === null ? null : grown(from, to);
  };
  const [user, system, idle] = [of('userMs'), of('systemMs'), of('idleMs')].map((ms) => ms ?? 0) as [
    number,
    number,
    number,
  ];
  const [ioWait, steal] = [of('ioWaitMs'), of('stealMs')];
  const all = user + system + idle + (ioWait ?? 0) + (steal ?? 0);
  const share = (ms: number) => (all > 0 ? rounded(ms / all) : 0);
  return {
    userShare: share(user),
    systemShare: share(system),
    ioWaitShare: ioWait === null ? null : share(ioWait),
    stealShare: steal === null ? null : share(steal),
  };
}

/** The growth of a disk's totals. */
interface DiskGrowth {
  readonly name: string;
  readonly lengthMs: number;
  readonly grown: DiskCounters;
}

/** Disks that were ever used; beyond the most, the least used ones of this second are added up. */
function shownDisks(
  before: ReadonlyMap<string, DiskCounters>,
  after: ReadonlyMap<string, DiskCounters>,
  lengthMs: number,
): readonly DiskSecond[] {
  const all = [...after].flatMap(([name, to]): readonly DiskGrowth[] => {
    const from = before.get(name);
    const one = from && to.reads + to.writes > 0 ? diskGrowth(from, to) : null;
    return one === null ? [] : [{ name, lengthMs, grown: one }];
  });
  const byUse = all.toSorted((a, b) => operations(b) - operations(a));
  const rest = byUse.slice(mostDisks);
  const shown = byUse.slice(0, mostDisks).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return [...shown, ...(rest.length > 0 ? [addedUp(rest)] : [])].map(diskSecond);
}

const operations = ({ grown: { reads, writes } }: DiskGrowth): number => reads + writes;

const totals = ['reads', 'readSectors', 'readMs', 'writes', 'writtenSectors', 'writeMs', 'busyMs'] as const;
const flushTotals = ['flushes', 'flushMs'] as const;

/** Null: a total went back. */
function diskGrowth(from: DiskCounters, to: DiskCounters): DiskCounters | null {
  const grownTotals = totals.map((key) => [key, growth(from[key], to[key])] as const);
  if (grownTotals.some(([, value]) => value === null)) return null;
  const flushes = flushTotals.map((key) => {
    const [before, after] = [from[key], to[key]];
    return [key, before === null || after === null ? null : growth(before, after)] as const;
  });
  return Object.fromEntries([...grownTotals, ...flushes]) as unknown as DiskCounters;
}

function addedUp(disks: readonly DiskGrowth[]): DiskGrowth {
  const sum = (key: keyof DiskCounters) => disks.reduce((all, { grown: one }) => all + (one[key] ?? 0), 0);
  const known = disks.every(({ grown: { flushes } }) => flushes !== null);
  return {
    name: otherDisks,
    lengthMs: disks[0]!.lengthMs,
    grown: {
      ...(Object.fromEntries(totals.map((key) => [key, sum(key)])) as Record<(typeof totals)[number], number>),
      // The busiest one: shares of several disks do not add up.
      busyMs: Math.max(...disks.map(({ grown: { busyMs } }) => busyMs)),
      flushes: known ? sum('flushes') : null,
      flushMs: known ? sum('flushMs') : null,
    },
  };
}

function diskSecond({ name, lengthMs, grown: one }: DiskGrowth): DiskSecond {
  const perSecond = (value: number) => rounded((value * 1_000) / lengthMs);
  const mean = (sumMs: number | null, count: number | null) =>
    sumMs === null || count === null || count === 0 ? null : rounded(sumMs / count);
  return {
    name,
    readsPerSecond: perSecond(one.reads),
    writesPerSecond: perSecond(one.writes),
    readBytesPerSecond: perSecond(one.readSectors * bytesPerSector),
    writtenBytesPerSecond: perSecond(one.writtenSectors * bytesPerSector),
    readAwaitMs: mean(one.readMs, one.reads),
    writeAwaitMs: mean(one.writeMs, one.writes),
    flushesPerSecond: one.flushes === null ? null : perSecond(one.flushes),
    flushAwaitMs: mean(one.flushMs, one.flushes),
    busyShare: Math.min(1, rounded(one.busyMs / lengthMs)),
  };
}

/** Null: the totals of an interface went back. Interfaces that are new have no totals before. */
function traffic(
  before: ReadonlyMap<string, InterfaceCounters>,
  after: ReadonlyMap<string, InterfaceCounters>,
  seconds: number,
): HostSecond['network'] {
  let received = 0;
  let sent = 0;
  for (const [name, to] of after) {
    const from = before.get(name);
    if (from === undefined) continue;
    const more = [growth(from.receivedBytes, to.receivedBytes), growth(from.sentBytes, to.sentBytes)] as const;
    if (more[0] === null || more[1] === null) return null;
    received += more[0];
    sent += more[1];
  }
  return { receivedBytesPerSecond: rounded(received / seconds), sentBytesPerSecond: rounded(sent / seconds) };
}
