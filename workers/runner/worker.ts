import { setPriority } from 'node:os';

// Children inherit the raised priority of Electron's main process; a measurement must not. Not allowed everywhere, and then as it is.
try {
  setPriority(0);
} catch {}
// Ctrl-C in a terminal reaches us as well, but it is the host that cancels: by a message, so that tables are dropped and rows counted.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

// Imported only now: static imports would run before.
const { startWorkerProcess } = await import('./worker-process.ts');
const hostPipe = process.argv[2];
startWorkerProcess(hostPipe === undefined ? null : Number(hostPipe));
