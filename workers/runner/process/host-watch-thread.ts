import { Socket } from 'node:net';
import { workerData } from 'node:worker_threads';
import type { HostWatch } from './host-watch.ts';

const { pipe, graceMs } = workerData as HostWatch;

// An event loop of its own, not a blocking read: process.exit() would wait for that in vain.
const host = new Socket({ fd: pipe, readable: true, writable: false });
host.on('error', () => {}); // 'close' follows.
host.on('close', () => setTimeout(() => process.kill(process.pid, 'SIGKILL'), graceMs));
host.resume();
