import { setPriority } from 'node:os';

// A child inherits the raised priority of Electron's main process, and a measurement must not. Not every system allows
// to lower it.
try {
  setPriority(0);
} catch {}
// Ctrl-C in a terminal reaches workers, too, but the host cancels them by a message, so that tables are dropped and
// rows counted.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

// Static imports would run before the lines above.
const [{ startWorkerProcess }, { loadEngine }] = await Promise.all([
  import('#runner/process/worker-process.ts'),
  import('#engines/load.ts'),
]);
const hostPipe = process.argv[2];
startWorkerProcess(loadEngine, hostPipe === undefined ? null : Number(hostPipe));
