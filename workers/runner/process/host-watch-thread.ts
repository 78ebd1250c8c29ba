import { Socket } from 'node:net';
import { workerData } from 'node:worker_threads';
import type { HostWatch } from './host-watch.ts';

const { pipe, graceMs } = workerData as HostWatch;

// The thread has an event loop instead of a blocking read, because process.exit() would wait for a blocking read
// forever.
const host = new Socket({ fd: pipe, readable: true, writable: false });
host.on('error', () => {}); // The event 'close' follows.
host.on('close', () => setTimeout(() => process.kill(process.pid, 'SIGKILL'), graceMs));
host.resume();
