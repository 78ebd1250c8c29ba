import { readdirSync, readlinkSync } from 'node:fs';
import { cpus } from 'node:os';
import { basename } from 'node:path';
import { performance } from 'node:perf_hooks';
import { type GroupReading, groupUse, readGroups } from '#load-hosts/machine/control-groups.ts';
import { msPerTick, readProcessors } from '#load-hosts/machine/processors.ts';
import { textOf } from '#load-hosts/machine/system-file.ts';
import type { MachineUse } from '#protocol/measurement.ts';
import { compileFixedCalculation, timeFixedCalculation } from './fixed-calculation.ts';
import { readFrequency } from './frequency.ts';

/** Running totals of the whole machine at one moment, ms. */
export interface MachineReading {
  readonly atMs: number;
  readonly cores: number;
  readonly busyMs: number;
  readonly stealMs: number | null;
  readonly pressureMs: number | null;
  /** Dyno's control group and its parents, by their folders. */
  readonly groups: ReadonlyMap<string, GroupReading>;
  /** The readings by process id; null if the system does not list them. */
  readonly processes: ReadonlyMap<number, ProcessReading> | null;
}

interface ProcessReading {
  readonly name: string;
  readonly parent: number;
  /** Ticks since the start of the system, which distinguish a process from a later one with the same id. */
  readonly startedAt: number;
  readonly cpuMs: number;
}

/** Processes that count, with all their descendants, as Dyno's own and as its managed servers. */
export interface OwnProcesses {
  readonly dyno: number;
  readonly managedServers: readonly number[];
}

/** Every idle machine uses less than a hundredth of a core. */
const leastShare = 0.01;
const mostNamed = 5;
/**
 * Time between two readings of the frequency during the phase. Outside of it, the processors rest and may be slower.
 */
const frequencyEveryMs = 1_000;

/**
 * Watches the machine over one measured phase: counters and the fixed calculation before and after it, and the
 * frequency during it.
 */
export class MachineWatch implements Disposable {
  readonly #frequenciesMhz: number[] = [];
  #begun: MachineReading | null = null;
  #calculationUs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    compileFixedCalculation();
  }

  begin(): void {
    this.#calculationUs = timeFixedCalculation();
    this.#begun = readMachine();
    this.#timer = setInterval(() => {
      const mhz = readFrequency();
      if (mhz !== null) this.#frequenciesMhz.push(mhz);
    }, frequencyEveryMs);
  }

  /** The use of the machine since the beginning; null if it has not begun. */
  end(own: OwnProcesses): MachineUse | null {
    clearInterval(this.#timer);
    if (this.#begun === null) return null;
    const use = machineUse(this.#begun, readMachine(), own, this.#frequenciesMhz);
    return { ...use, calculationUs: (this.#calculationUs + timeFixedCalculation()) / 2 };
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

/** Reads the machine's counters, with one small file per process, outside the measured phase. */
export function readMachine(): MachineReading {
  const { userMs, systemMs, stealMs } = readProcessors();
  return {
    atMs: performance.now(),
    cores: cpus().length,
    busyMs: userMs + systemMs,
    stealMs,
    pressureMs: pressureMs(textOf('/proc/pressure/cpu')),
    groups: readGroups(),
    processes: readProcesses(),
  };
}

/** The use of the machine between two readings. `frequenciesMhz`: frequencies read in between. */
export function machineUse(
  from: MachineReading,
  to: MachineReading,
  own: OwnProcesses,
  frequenciesMhz: readonly number[] = [],
): Omit<MachineUse, 'calculationUs'> {
  const wallMs = Math.max(0, to.atMs - from.atMs);
  const { throttledMs, limitCores } = groupUse(from.groups, to.groups);
  return {
    wallMs,
    cores: to.cores,
    busyMs: Math.max(0, to.busyMs - from.busyMs),
    stealMs: passed(from.stealMs, to.stealMs),
    pressureMs: passed(from.pressureMs, to.pressureMs),
    throttledMs,
    limitCores,
    frequencyMhz:
      frequenciesMhz.length > 0 ? frequenciesMhz.reduce((sum, mhz) => sum + mhz, 0) / frequenciesMhz.length : null,
    ...(from.processes && to.processes
      ? usedBy(from.processes, to.processes, own, wallMs * leastShare)
      : { dynoMs: null, managedServersMs: null, others: null }),
  };
}

const passed = (before: number | null, after: number | null): number | null =>
  before === null || after === null ? null : Math.max(0, after - before);

type Owner = 'dyno' | 'managedServers' | 'others';

function usedBy(
  from: ReadonlyMap<number, ProcessReading>,
  to: ReadonlyMap<number, ProcessReading>,
  own: OwnProcesses,
  leastMs: number,
): Pick<MachineUse, 'dynoMs' | 'managedServersMs' | 'others'> {
  const ownerOf = (pid: number): Owner => {
    for (let at = pid; at > 1; at = to.get(at)?.parent ?? 0) {
      // Dyno starts supervisors, which outlive it. A supervisor's descendants belong to its server, whatever their
      // parent is.
      if (own.managedServers.includes(at)) return 'managedServers';
      if (at === own.dyno) return 'dyno';
    }
    return 'others';
  };
  const used = [...to].flatMap(([pid, { name, cpuMs, startedAt }]) => {
    const before = from.get(pid);
    const ms = before?.startedAt === startedAt ? cpuMs - before.cpuMs : cpuMs;
    return ms > 0 ? [{ name, pid, ms, owner: ownerOf(pid) }] : [];
  });
  const sumOf = (owner: Owner) => used.reduce((sum, one) => sum + (one.owner === owner ? one.ms : 0), 0);
  return {
    dynoMs: sumOf('dyno'),
    managedServersMs: sumOf('managedServers'),
    others: [
      ...Map.groupBy(
        used.filter(({ owner }) => owner === 'others'),
        ({ name }) => name,
      ),
    ]
      .map(([name, all]) => ({
        name,
        processes: all.length,
        pid: all.toSorted((a, b) => b.ms - a.ms)[0]!.pid,
        cpuMs: all.reduce((sum, { ms }) => sum + ms, 0),
      }))
      .filter(({ cpuMs }) => cpuMs >= leastMs)
      .toSorted((a, b) => b.cpuMs - a.cpuMs)
      .slice(0, mostNamed),
  };
}

function readProcesses(): ReadonlyMap<number, ProcessReading> | null {
  if (process.platform !== 'linux') return null;
  try {
    const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return new Map(
      ids.flatMap((id): [number, ProcessReading][] => {
        const read = processReading(textOf(`/proc/${id}/stat`));
        return read ? [[Number(id), { ...read, name: programName(id, read.name) }]] : [];
      }),
    );
  } catch {
    return null;
  }
}

/** The name that Node gives to the main thread, and so to the process, of every program. */
const nodesThread = 'MainThread';

/**
 * The name of a process. A program may write its arguments into the name, after a blank (npm does), so only the first
 * word of a name is kept, or the name of the program's file, if it may be read: arguments may contain secrets.
 */
function programName(id: string, name: string): string {
  if (name !== nodesThread && !name.includes(' ')) return name;
  try {
    return basename(readlinkSync(`/proc/${id}/exe`)).split(' ')[0]!;
  } catch {
    return name.split(' ')[0]!;
  }
}

/**
 * proc_pid_stat(5). The name is in parentheses and may contain any character, also parentheses. Null if it has ended.
 */
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
