import type { DiskSecond, HostFacts, HostSecond } from '#protocol/host-second.ts';

/** A figure of a host or a disk in each second. */
interface Figure<Second> {
  /** The meaning, as a phrase with a full stop. The name of the figure ends with its unit. */
  readonly about: string;
  readonly of: (second: Second) => number | null;
}

/** The figures of a host in each second. */
export const hostFigures = {
  userShare: {
    about: 'Share (0 to 1) of the time of all processors that programs used.',
    of: ({ processors }) => processors.userShare,
  },
  systemShare: {
    about: 'Share that the kernel used, with interrupts.',
    of: ({ processors }) => processors.systemShare,
  },
  ioWaitShare: {
    about: 'Share without work while a request to a disk was open (iowait).',
    of: ({ processors }) => processors.ioWaitShare,
  },
  stealShare: {
    about: 'Share that the hypervisor gave to others (steal).',
    of: ({ processors }) => processors.stealShare,
  },
  totalBytes: { about: 'The memory of the machine.', of: ({ memory }) => memory.totalBytes },
  availableBytes: {
    about: 'Memory that programs can get without swapping; outside of Linux, the free memory.',
    of: ({ memory }) => memory.availableBytes,
  },
  cachedBytes: { about: 'Files in memory (page cache).', of: ({ memory }) => memory.cachedBytes },
  dirtyBytes: { about: 'Changed pages of files that wait for their disk.', of: ({ memory }) => memory.dirtyBytes },
  swapUsedBytes: { about: 'Memory that was swapped out.', of: ({ memory }) => memory.swapUsedBytes },
  receivedBytesPerSecond: {
    about: 'Bytes that the network interfaces received, without the loopback interface.',
    of: ({ network }) => network?.receivedBytesPerSecond ?? null,
  },
  sentBytesPerSecond: {
    about: 'Bytes that the network interfaces sent, without the loopback interface.',
    of: ({ network }) => network?.sentBytesPerSecond ?? null,
  },
  limitCores: {
    about: 'The lowest limit of processors among the control groups of Dyno’s processes, in cores.',
    of: ({ group }) => group.limitCores,
  },
  throttledMsPerSecond: {
    about: 'Processor time of all cores that this limit withheld (throttling).',
    of: ({ group }) => group.throttledMsPerSecond,
  },
  memoryLimitBytes: {
    about: 'The lowest limit of memory among the control groups of Dyno’s processes.',
    of: ({ group }) => group.memoryLimitBytes,
  },
  memoryBytes: { about: 'The memory of the group with this limit.', of: ({ group }) => group.memoryBytes },
} as const satisfies Readonly<Record<string, Figure<HostSecond>>>;
export type HostFigure = keyof typeof hostFigures;

/** The figures of a disk in each second. */
export const diskFigures = {
  readsPerSecond: { about: 'Reads.', of: (disk) => disk.readsPerSecond },
  writesPerSecond: { about: 'Writes.', of: (disk) => disk.writesPerSecond },
  flushesPerSecond: {
    about: 'Flushes of the disk’s cache; before Linux 5.5, they are not counted.',
    of: (disk) => disk.flushesPerSecond,
  },
  readBytesPerSecond: { about: 'Bytes that were read.', of: (disk) => disk.readBytesPerSecond },
  writtenBytesPerSecond: { about: 'Bytes that were written.', of: (disk) => disk.writtenBytesPerSecond },
  readAwaitMs: {
    about: 'Mean time of a read with its wait in the queue. Empty: none has ended.',
    of: (disk) => disk.readAwaitMs,
  },
  writeAwaitMs: { about: 'Mean time of a write, likewise.', of: (disk) => disk.writeAwaitMs },
  flushAwaitMs: { about: 'Mean time of a flush, likewise.', of: (disk) => disk.flushAwaitMs },
  busyShare: { about: 'Share (0 to 1) of the time with at least one open request.', of: (disk) => disk.busyShare },
} as const satisfies Readonly<Record<string, Figure<DiskSecond>>>;
export type DiskFigure = keyof typeof diskFigures;

/** Values by figure, each with one value for each entry of HostTimeline.atMs; null: not reported. */
type Columns<Name extends string> = Readonly<Record<Name, readonly (number | null)[]>>;

/** The use of a host during a trial, second by second. */
export interface HostTimeline extends HostFacts {
  /** The end of each second, in ms since the start of the measured phase. */
  readonly atMs: readonly number[];
  /** The time that each entry covers. Between entries that are further apart, the use is not known. */
  readonly lengthMs: readonly number[];
  readonly figures: Columns<HostFigure>;
  readonly disks: readonly { readonly name: string; readonly figures: Columns<DiskFigure> }[];
}

/** The memory that was in use in each second: programs could not get it without swapping. */
export const memoryInUse = ({ figures: { totalBytes, availableBytes } }: Pick<HostTimeline, 'figures'>) =>
  totalBytes.map((total, i) => (total === null ? null : total - (availableBytes[i] ?? 0)));
