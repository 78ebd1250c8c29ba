import { textOf } from './system-file.ts';

/** Running totals of one disk. */
export interface DiskCounters {
  readonly reads: number;
  readonly readSectors: number;
  readonly readMs: number;
  readonly writes: number;
  readonly writtenSectors: number;
  readonly writeMs: number;
  /** Time with at least one open request. */
  readonly busyMs: number;
  /** Null: kernels before 5.5 do not count flushes. */
  readonly flushes: number | null;
  readonly flushMs: number | null;
}

/** The unit of sectors in /proc/diskstats on all devices. */
export const bytesPerSector = 512;

/** The disks of this machine by name. Null: the system does not list them. */
export const readDisks = (): ReadonlyMap<string, DiskCounters> | null => procDisks(textOf('/proc/diskstats'));

/** Memory, files and media that are no disks of a server, and hidden paths of an NVMe disk with several. */
const noDisk = /^(?:loop|ram|zram|fd|sr)\d+$|^nvme\d+c\d+n\d+/;
/** Devices that pass their requests on to other disks of the list: LVM and encryption, RAID, caches, replicas. */
const onOthers = /^(?:dm-\d+|md\d+|md_\w+|bcache\d+|drbd\d+)(?:p\d+)?$/;

/**
 * docs.kernel.org/admin-guide/iostats.html. Each request counts once: partitions, and devices on top of other disks,
 * are left out. Devices on top of other disks stay if the list has no other disk.
 */
export function procDisks(text: string | null): ReadonlyMap<string, DiskCounters> | null {
  const lines = (text ?? '').split('\n').flatMap((line) => {
    const [, , name, ...fields] = line.trim().split(/\s+/);
    // Kernels before 2.6.25 have four fields for partitions.
    return name === undefined || fields.length < 11 || noDisk.test(name) ? [] : [{ name, fields: fields.map(Number) }];
  });
  const names = new Set(lines.map(({ name }) => name));
  const whole = lines.filter(({ name }) => !isPartition(name, names));
  const below = whole.filter(({ name }) => !onOthers.test(name));
  const disks = (below.length > 0 ? below : whole).map(({ name, fields }) => [name, countersOf(fields)] as const);
  return disks.length > 0 ? new Map(disks) : null;
}

/** "sda1" of "sda", "nvme0n1p2" of "nvme0n1": a p separates the number from a name that ends with a digit. */
function isPartition(name: string, names: ReadonlySet<string>): boolean {
  const before = name.replace(/\d+$/, '');
  if (before === name) return false;
  return names.has(before) || (/\dp$/.test(before) && names.has(before.slice(0, -1)));
}

function countersOf(fields: readonly number[]): DiskCounters {
  const [reads, , readSectors, readMs, writes, , writtenSectors, writeMs, , busyMs] = fields as [
    ...[number, number, number, number, number],
    ...[number, number, number, number, number],
  ];
  const [flushes = null, flushMs = null] = fields.slice(15);
  return { reads, readSectors, readMs, writes, writtenSectors, writeMs, busyMs, flushes, flushMs };
}
