import { cpus, hostname, platform, release, totalmem } from 'node:os';
import type { ProcessorTimes } from './load-host.ts';
import { readProcessors } from './machine/processors.ts';

/** The operating system, by Node's name and the release: "linux 6.12.0". */
export const machineSystem = (): string => `${platform()} ${release()}`.slice(0, 200);

/** The facts about this machine that an agent reports. */
export const machineFacts = () => ({
  host: hostname().slice(0, 200),
  os: machineSystem(),
  cpu: (cpus()[0]?.model ?? 'unknown').slice(0, 200),
  cores: Math.max(1, cpus().length),
  memoryBytes: totalmem(),
  node: process.version,
});

/** Processor time of all cores together since the machine started, ms. */
export function processorTimes(): ProcessorTimes {
  const { userMs, systemMs, idleMs, ioWaitMs } = readProcessors();
  return { busyMs: userMs + systemMs, idleMs: idleMs + (ioWaitMs ?? 0) };
}
