import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { performance } from 'node:perf_hooks';
import type { MachineUse } from '#protocol/measurement.ts';

/** Running totals of the whole machine at one moment, ms. */
export interface MachineReading {
  readonly atMs: number;
  readonly cores: number;
  readonly busyMs: number;
  readonly stealMs: number | null;
  readonly pressureMs: number | null;
  readonly throttledMs: number | null;
  readonly frequencyMhz: number | null;
  /** By process id; null: the system does not list them. */
  readonly processes: ReadonlyMap<number, ProcessReading> | null;
}

interface ProcessReading {
  readonly name: string;
  readonly parent: number;
  /** Ticks from the start of the system: tells a process from a later one with its id. */
  readonly startedAt: number;
  readonly cpuMs: number;
}

/** The unit of times in /proc: USER_HZ, 100 a second on every architecture that Node runs on. */
const msPerTick = 10;
/** Less than a hundredth of a core is what every idle machine has. */
const leastShare = 0.01;
const mostNamed = 5;

/** Reads the machine's counters. It reads one small file for each process, outside the measured phase. */
export function readMachine(): MachineReading {
  const all = cpus();
  const stat = /^cpu +(.+)$/m.exec(textOf('/proc/stat') ?? '')?.[1];
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, steal = 0] = stat?.split(' ').map(Number) ?? [];
  const speeds = all.map(({ speed }) => speed).filter((mhz) => mhz > 0);
  return {
    atMs: performance.now(),
    cores: all.length,
    busyMs: stat
      ? (user + nice + system + irq + softIrq) * msPerTick
      : all.reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0),
    stealMs: stat ? steal * msPerTick : null,
    pressureMs: pressureMs(textOf('/proc/pressure/cpu')),
    throttledMs: throttledMs(textOf(cpuStatFile())),
    frequencyMhz: speeds.length > 0 ? speeds.reduce((sum, mhz) => sum + mhz, 0) / speeds.length : null,
    processes: readProcesses(),
  };
}

/** What the machine did between two readings. `own`: the process whose descendants, and itself, are Dyno's. */
export function machineUse(from: MachineReading, to: MachineReading, own: number): MachineUse {
  const wallMs = Math.max(0, to.atMs - from.atMs);
  const passed = (before: number | null, after: number | null) =>
    before === null || after === null ? null : Math.max(0, after - before);
  return {
    wallMs,
    cores: to.cores,
    busyMs: Math.max(0, to.busyMs - from.busyMs),
    stealMs: passed(from.stealMs, to.stealMs),
    pressureMs: passed(from.pressureMs, to.pressureMs),
    throttledMs: passed(from.throttledMs, to.throttledMs),
    frequencyMhz: to.frequencyMhz,
    others: from.processes && to.processes && otherPrograms(from.processes, to.processes, own, wallMs * leastShare),
  };
}

function otherPrograms(
  from: ReadonlyMap<number, ProcessReading>,
  to: ReadonlyMap<number, ProcessReading>,
  own: number,
  leastMs: number,
): NonNullable<MachineUse['others']> {
  const isOwn = (pid: number): boolean => {
    for (let at = pid; at > 1; at = to.get(at)?.parent ?? 0) if (at === own) return true;
    return false;
  };
  const used = [...to].flatMap(([pid, { name, cpuMs, startedAt }]) => {
    const before = from.get(pid);
    const ms = before?.startedAt === startedAt ? cpuMs - before.cpuMs : cpuMs;
    return ms > 0 && !isOwn(pid) ? [{ name, pid, ms }] : [];
  });
  return [...Map.groupBy(used, ({ name }) => name)]
    .map(([name, all]) => ({
      name,
      processes: all.length,
      pid: all.toSorted((a, b) => b.ms - a.ms)[0]!.pid,
      cpuMs: all.reduce((sum, { ms }) => sum + ms, 0),
    }))
    .filter(({ cpuMs }) => cpuMs >= leastMs)
    .toSorted((a, b) => b.cpuMs - a.cpuMs)
    .slice(0, mostNamed);
}

function readProcesses(): ReadonlyMap<number, ProcessReading> | null {
  if (process.platform !== 'linux') return null;
  try {
    const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return new Map(
      ids.flatMap((id): [number, ProcessReading][] => {
        const read = processReading(textOf(`/proc/${id}/stat`));
        return read ? [[Number(id), read]] : [];
      }),
    );
  } catch {
    return null;
  }
}

/** proc_pid_stat(5). The name is in parentheses and may have any character, these included. Null: it has ended. */
export function processReading(stat: string | null): ProcessReading | null {
  const [, name, rest] = /^\d+ \((.*)\) (.*)/s.exec(stat ?? '') ?? [];
  if (name === undefined || rest === undefined) return null;
  const fields = rest.split(' ');
  const [parent, userTicks, systemTicks, startedAt] = [1, 11, 12, 19].map((at) => Number(fields[at]));
  const cpuMs = (userTicks! + systemTicks!) * msPerTick;
  return Number.isFinite(cpuMs) ? { name, parent: parent!, startedAt: startedAt!, cpuMs } : null;
}

/** docs.kernel.org/accounting/psi.html: "some avg10=… total=µs". */
export function pressureMs(text: string | null): number | null {
  const total = /^some .*total=(\d+)/m.exec(text ?? '')?.[1];
  return total === undefined ? null : Number(total) / 1_000;
}

/** docs.kernel.org/admin-guide/cgroup-v2.html, cpu.stat; version 1 counts ns as throttled_time. */
export function throttledMs(text: string | null): number | null {
  const [, v2] = /^throttled_usec (\d+)/m.exec(text ?? '') ?? [];
  const [, v1] = /^throttled_time (\d+)/m.exec(text ?? '') ?? [];
  return v2 !== undefined ? Number(v2) / 1e3 : v1 !== undefined ? Number(v1) / 1e6 : null;
}

/** This process' own control group: of version 2, else of version 1. */
function cpuStatFile(): string {
  const groups = textOf('/proc/self/cgroup') ?? '';
  const [, v2] = /^0::(.+)$/m.exec(groups) ?? [];
  const [, v1] = /^\d+:(?:[^:]*,)?cpu(?:,[^:]*)?:(.+)$/m.exec(groups) ?? [];
  return v1 === undefined ? `/sys/fs/cgroup${v2 ?? ''}/cpu.stat` : `/sys/fs/cgroup/cpu${v1}/cpu.stat`;
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return null; // another system, a kernel without it, or a process that has ended
  }
}
