import { Worker } from 'node:worker_threads';

export interface HostWatch {
  /** File descriptor of a pipe whose other end only the host holds. */
  readonly pipe: number;
  /** The time that the process may still live once the host is gone, ms. */
  readonly graceMs: number;
}

/**
 * Kills this process some time after its host is gone. A worker leaves by itself on 'disconnect', but its event loop
 * gets no events while a synchronous call (node:sqlite) runs. A thread waits for the end of a pipe, which the system
 * closes however the host ends. It does not wake up before, so it costs the measured loop nothing.
 */
export function watchHost(watch: HostWatch): void {
  new Worker(new URL('./host-watch-thread.ts', import.meta.url), { workerData: watch }).unref();
}
