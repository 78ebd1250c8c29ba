import { Socket } from 'node:net';
import { workerData } from 'node:worker_threads';
import type { HostWatch } from './host-watch.ts';

const { pipe, graceMs } = workerData as HostWatch;

// The thread has an event loop and makes no blocking read, for which process.exit() would wait in vain.
const host = new Socket({ fd: pipe, readable: true, writable: false });
host.on('error', () => {}); // 'close' follows.
host.on('close', () => setTimeout(() => process.kill(process.pid, 'SIGKILL'), graceMs));
host.resume();
