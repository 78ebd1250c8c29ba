import * as v from 'valibot';
import { amount, ms, ordinal, type Read, whole } from './read-values.ts';

/** A share from 0 to 1 of a time. */
const part = v.pipe(v.number(), v.minValue(0), v.maxValue(1));

/** The most disks with values of their own. */
export const mostDisks = 8;

/** The name under which further disks are added up. */
export const otherDisks = 'others';

const disk = v.object({
  name: v.pipe(v.string(), v.maxLength(64)),
  readsPerSecond: amount,
  writesPerSecond: amount,
  readBytesPerSecond: amount,
  writtenBytesPerSecond: amount,
  /** The mean time of a request from its begin, with waits in the queue, to its end; null: none has ended. */
  readAwaitMs: v.nullable(ms),
  writeAwaitMs: v.nullable(ms),
  /** Flushes of the disk's cache, as after a commit. Null: the kernel does not count them (before Linux 5.5). */
  flushesPerSecond: v.nullable(amount),
  flushAwaitMs: v.nullable(ms),
  /** Share of the time with at least one open request. */
  busyShare: part,
});
/** The use of one disk in a second. */
export type DiskSecond = Read<typeof disk>;

/** The schema of HostSecond. */
export const hostSecondSchema = v.object({
  /** The time since the reading before. */
  lengthMs: ms,
  /** Shares of the time of all processors. The rest was idle. Null: only Linux reports them. */
  processors: v.object({
    userShare: part,
    systemShare: part,
    ioWaitShare: v.nullable(part),
    stealShare: v.nullable(part),
  }),
  memory: v.object({
    totalBytes: amount,
    /** Memory that programs can get without swapping; outside of Linux, the free memory. */
    availableBytes: amount,
    /** Files in memory, without memory that processes share. Null: only Linux reports it, and the others. */
    cachedBytes: v.nullable(amount),
    /** Changed pages of files that wait for their disk. */
    dirtyBytes: v.nullable(amount),
    swapUsedBytes: v.nullable(amount),
  }),
  /** Without disks whose totals went back. Null: the system does not list its disks. */
  disks: v.nullable(v.pipe(v.array(disk), v.maxLength(mostDisks + 1))),
  /** Traffic that enters and leaves the machine. Null: the system does not list its interfaces. */
  network: v.nullable(v.object({ receivedBytesPerSecond: amount, sentBytesPerSecond: amount })),
  /**
   * The control groups of Dyno's processes: the lowest limits among the group and its parents. Null: no limit, or not
   * reported. throttledMsPerSecond: processor time that the limit withheld, over all cores.
   */
  group: v.object({
    limitCores: v.nullable(amount),
    throttledMsPerSecond: v.nullable(amount),
    memoryLimitBytes: v.nullable(amount),
    memoryBytes: v.nullable(amount),
  }),
});
/** The use of a host in one second. */
export type HostSecond = Read<typeof hostSecondSchema>;

/** The schema of HostFacts. */
export const hostFactsSchema = v.object({
  /** Its name as a load host; “local”: the machine that runs Dyno. */
  name: v.string(),
  /** Its operating system, by Node's name and the release: "linux 6.12.0". */
  os: v.string(),
  cores: ordinal,
  /** Number of its client processes in the trial. */
  workers: whole,
  /** The targets whose connections end on this machine: at the server, or at a proxy before it. */
  serverOf: v.array(v.string()),
});
/** A machine whose use is measured second by second during a trial. */
export type HostFacts = Read<typeof hostFactsSchema>;

/** The schema of UnmeasuredServer. */
export const unmeasuredServerSchema = v.object({
  target: v.string(),
  /**
   * elsewhere: on a machine without an agent of the trial; tunnel: connections end at a tunnel; unknown: the driver
   * shows no connection.
   */
  why: v.picklist(['elsewhere', 'tunnel', 'unknown']),
});
/** A server whose machine nobody measures during a trial. */
export type UnmeasuredServer = Read<typeof unmeasuredServerSchema>;
