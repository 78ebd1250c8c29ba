import { setPriority } from 'node:os';

// A child inherits the raised priority of Electron's main process, and a measurement must not. Not every system allows
// to lower it.
try {
  setPriority(0);
} catch {}
// Ctrl-C in a terminal reaches workers, too, but the host cancels them by a message, so that tables are dropped and
// rows counted.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
// Node's globals are getters, which each reading of the clock and each message would call.
Object.defineProperties(globalThis, { performance: { value: performance }, Buffer: { value: Buffer } });

// Static imports would run before the lines above.
const [{ startWorkerProcess }, { loadEngine }] = await Promise.all([
  import('#runner/process/worker-process.ts'),
  import('#engines/load.ts'),
]);
const [, , engine] = process.argv;
// Before the first message, for which the host waits: loading takes no processor from what comes after it. If it fails,
// it fails again where the host asks for the engine, and is told there.
if (engine !== undefined) await loadEngine(engine).catch(() => {});
startWorkerProcess(loadEngine);
