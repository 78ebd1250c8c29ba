import { enableCompileCache } from 'node:module';
import { setPriority } from 'node:os';

// Children inherit the raised priority of Electron's main process; a measurement must not. Not allowed everywhere, and then as it is.
try {
  setPriority(0);
} catch {}
enableCompileCache();

// Imported only now, so that the cache serves them.
const { startWorkerProcess } = await import('./worker-process.ts');
startWorkerProcess();
