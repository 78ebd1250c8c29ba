import { Worker } from 'node:worker_threads';

export interface HostWatch {
  /** Number of the descriptor of a pipe that nobody but the host holds the other end of. */
  readonly pipe: number;
  /** How long the process may still live once the host is gone. */
  readonly graceMs: number;
}

/**
 * Kills this process some time after its host is gone. A worker leaves by itself on 'disconnect', but its event loop hears nothing of that
 * while a synchronous call (node:sqlite) runs. A thread waits at the end of a pipe, which the system closes however the host ends. It does
 * not wake up before that, so that it costs the measured loop nothing.
 */
export function watchHost(watch: HostWatch): void {
  new Worker(new URL('./host-watch-thread.ts', import.meta.url), { workerData: watch }).unref();
}
