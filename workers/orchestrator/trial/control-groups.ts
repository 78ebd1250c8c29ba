import { textOf } from './system-file.ts';

/** A control group's limit of processor time, and the time that it has withheld from the group's processes so far. */
export interface GroupReading {
  /** Null if there is no limit, or the system does not report it. */
  readonly limitCores: number | null;
  /** Running total over all cores; null if not reported. */
  readonly throttledMs: number | null;
}

const mount = '/sys/fs/cgroup';

/** This process' own control group and its parents, up to the root that the process sees, by their folders. */
export function readGroups(): ReadonlyMap<string, GroupReading> {
  const folders = groupFolders(textOf('/proc/self/cgroup') ?? '');
  return new Map(
    folders.map((folder) => [
      folder,
      {
        limitCores:
          limitCores(textOf(`${folder}/cpu.max`)) ??
          // Version 1 has separate files for both values; a quota of -1 is no limit.
          limitCores(`${textOf(`${folder}/cpu.cfs_quota_us`) ?? ''} ${textOf(`${folder}/cpu.cfs_period_us`) ?? ''}`),
        throttledMs: throttledMs(textOf(`${folder}/cpu.stat`)),
      },
    ]),
  );
}

/**
 * The folders of the groups that /proc/self/cgroup names, the process' own first: of version 1 if it has the controller
 * of processors, otherwise of version 2. In a container, the file may name paths that do not exist under the
 * container's mount; the last folder is always the root of the mount.
 */
export function groupFolders(groups: string): readonly string[] {
  const [, v1] = /^\d+:(?:[^:]*,)?cpu(?:,[^:]*)?:(.+)$/m.exec(groups) ?? [];
  const [, v2] = /^0::(.+)$/m.exec(groups) ?? [];
  const root = v1 === undefined ? mount : `${mount}/cpu`;
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
