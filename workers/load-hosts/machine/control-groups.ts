import { textOf } from './system-file.ts';

/** The limits of a control group, and what its processes have used of them. Null: not limited, or not reported. */
export interface GroupReading {
  readonly limitCores: number | null;
  /** Running total, over all cores, of processor time that the limit has withheld from the processes. */
  readonly throttledMs: number | null;
  readonly memoryLimitBytes: number | null;
  readonly memoryBytes: number | null;
}

const mount = '/sys/fs/cgroup';

/** This process' own control groups and their parents, up to the root that the process sees, by their folders. */
export function readGroups(): ReadonlyMap<string, GroupReading> {
  const groups = textOf('/proc/self/cgroup') ?? '';
  const folders = new Set([...groupFolders(groups, 'cpu'), ...groupFolders(groups, 'memory')]);
  return new Map(
    [...folders].map((folder) => [
      folder,
      {
        limitCores:
          limitCores(read(`${folder}/cpu.max`)) ??
          // Version 1 has separate files for both values; a quota of -1 is no limit.
          limitCores(`${read(`${folder}/cpu.cfs_quota_us`) ?? ''} ${read(`${folder}/cpu.cfs_period_us`) ?? ''}`),
        throttledMs: throttledMs(read(`${folder}/cpu.stat`)),
        memoryLimitBytes: limitBytes(read(`${folder}/memory.max`) ?? read(`${folder}/memory.limit_in_bytes`)),
        memoryBytes: bytesIn(read(`${folder}/memory.current`) ?? read(`${folder}/memory.usage_in_bytes`)),
      },
    ]),
  );
}

/**
 * Files that do not exist, because the kernel has the other version, or the folder is no part of this container's
 * mount. A failed attempt takes longer than reading a file, and the files are read every second.
 */
const missing = new Set<string>();

function read(file: string): string | null {
  if (missing.has(file)) return null;
  const text = textOf(file);
  if (text === null) missing.add(file);
  return text;
}

/**
 * The folders of the groups that /proc/self/cgroup names, the process' own first: of version 1 if it has the
 * controller, otherwise of version 2. In a container, the file may name paths that do not exist under the container's
 * mount; the last folder is always the root of the mount.
 */
export function groupFolders(groups: string, controller: 'cpu' | 'memory'): readonly string[] {
  const [, v1] = new RegExp(String.raw`^\d+:(?:[^:]*,)?${controller}(?:,[^:]*)?:(.+)$`, 'm').exec(groups) ?? [];
  const [, v2] = /^0::(.+)$/m.exec(groups) ?? [];
  const root = v1 === undefined ? mount : `${mount}/${controller}`;
  const parts = (v1 ?? v2 ?? '/').split('/').filter((part) => part !== '');
  return Array.from({ length: parts.length + 1 }, (_, up) => [root, ...parts.slice(0, parts.length - up)].join('/'));
}

/** docs.kernel.org/admin-guide/cgroup-v2.html, cpu.max: "quota period" in µs, "max period" without a limit. */
export function limitCores(text: string | null): number | null {
  const [, quota, period] = /^(\d+)\s+(\d+)\s*$/.exec(text ?? '') ?? [];
  return quota === undefined || Number(period) === 0 ? null : Number(quota) / Number(period);
}

/** cpu.stat on the same page has sums over the cores; version 1 counts ns as throttled_time. */
export function throttledMs(text: string | null): number | null {
  const [, v2] = /^throttled_usec (\d+)/m.exec(text ?? '') ?? [];
  const [, v1] = /^throttled_time (\d+)/m.exec(text ?? '') ?? [];
  return v2 !== undefined ? Number(v2) / 1e3 : v1 !== undefined ? Number(v1) / 1e6 : null;
}

const bytesIn = (text: string | null): number | null => (/^\d+\s*$/.test(text ?? '') ? Number(text) : null);

/** Version 2 writes "max" without a limit, version 1 the largest number of pages. */
const unlimitedFrom = 2 ** 60;

/** A limit of memory; null: there is none. */
export function limitBytes(text: string | null): number | null {
  const bytes = bytesIn(text);
  return bytes === null || bytes >= unlimitedFrom ? null : bytes;
}

/** The figures of a process' control groups that limit it. */
interface GroupUse {
  /** The lowest limit among the groups. */
  readonly limitCores: number | null;
  /** The largest loss of processor time among the groups, ms. */
  readonly throttledMs: number | null;
  /** The lowest limit of memory among the groups, and the memory of that group. */
  readonly memoryLimitBytes: number | null;
  readonly memoryBytes: number | null;
}

type Groups = ReadonlyMap<string, GroupReading>;

/** The use of the control groups between two readings. */
export function groupUse(from: Groups, to: Groups): GroupUse {
  const all = [...to.values()];
  const withheld = [...to].flatMap(([folder, { throttledMs: after }]) => {
    const before = from.get(folder)?.throttledMs ?? null;
    return before === null || after === null ? [] : [Math.max(0, after - before)];
  });
  const limits = all.flatMap((one) => one.limitCores ?? []);
  const [memory] = all
    .filter((one) => one.memoryLimitBytes !== null)
    .toSorted((a, b) => a.memoryLimitBytes! - b.memoryLimitBytes!);
  return {
    limitCores: limits.length > 0 ? Math.min(...limits) : null,
    throttledMs: withheld.length > 0 ? Math.max(...withheld) : null,
    memoryLimitBytes: memory?.memoryLimitBytes ?? null,
    memoryBytes: memory?.memoryBytes ?? null,
  };
}
