import { cpus } from 'node:os';
import { textOf } from './system-file.ts';

/** Processor time of all cores together since the machine started, ms. */
export interface ProcessorTotals {
  /** Time of programs, with low priority, too. */
  readonly userMs: number;
  /** Time of the kernel, with interrupts. */
  readonly systemMs: number;
  readonly idleMs: number;
  /** Time without work while a request to a disk was open; null: only Linux reports it. */
  readonly ioWaitMs: number | null;
  /** Time that the hypervisor gave to others although this machine wanted it; null: only Linux reports it. */
  readonly stealMs: number | null;
}

/** The unit of times in /proc: USER_HZ, 100 a second on every architecture that Node runs on. */
export const msPerTick = 10;

/** Reads the processor times of this machine. */
export const readProcessors = (): ProcessorTotals => procTimes(textOf('/proc/stat')) ?? nodeTimes();

/** proc_stat(5). Guests are part of user time. Null if it is no such text. */
export function procTimes(text: string | null): ProcessorTotals | null {
  const line = /^cpu +(.+)$/m.exec(text ?? '')?.[1];
  if (line === undefined) return null;
  const [user = 0, nice = 0, system = 0, idle = 0, ioWait, irq = 0, softIrq = 0, steal] = line
    .trim()
    .split(/ +/)
    .map((ticks) => Number(ticks) * msPerTick);
  return {
    userMs: user + nice,
    systemMs: system + irq + softIrq,
    idleMs: idle,
    ioWaitMs: ioWait ?? null,
    // Kernels before 2.6.11 do not count it.
    stealMs: steal ?? null,
  };
}

function nodeTimes(): ProcessorTotals {
  const all = cpus();
  const sum = (of: (times: (typeof all)[number]['times']) => number) =>
    all.reduce((total, { times }) => total + of(times), 0);
  return {
    userMs: sum(({ user, nice }) => user + nice),
    systemMs: sum(({ sys, irq }) => sys + irq),
    idleMs: sum(({ idle }) => idle),
    ioWaitMs: null,
    stealMs: null,
  };
}
