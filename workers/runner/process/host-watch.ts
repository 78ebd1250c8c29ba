import { Worker } from 'node:worker_threads';

export interface HostWatch {
  /** File descriptor of a pipe whose other end only the host holds. */
  readonly pipe: number;
  /** Time in ms that the process may live after its host has ended. */
  readonly graceMs: number;
}

/**
 * Kills this process some time after its host has ended. A worker ends by itself on 'disconnect', but its event loop
 * gets no events during a synchronous call (node:sqlite). A thread waits for the end of a pipe, which the system closes
 * however the host ends. The thread does not wake up before, so it costs the measured loop nothing.
 */
export function watchHost(watch: HostWatch): void {
  new Worker(new URL('./host-watch-thread.ts', import.meta.url), { workerData: watch }).unref();
}
