import type { WorkerProcess } from './worker-link.ts';

/** A server that was told to stop may still undo the work of the request. */
const abortPatienceMs = 5_000;
/** If a worker has not told the server within this time, its driver hangs, or its server is silent. */
const tellMs = 2_000;

/** On abort, asks the worker to stop its request at the server, and kills it (`killed`) if it does not. */
export function stopOnAbort(worker: WorkerProcess, signal: AbortSignal): Disposable & { readonly killed: boolean } {
  let timers: readonly NodeJS.Timeout[] = [];
  let killed = false;
  const kill = () => {
    killed = true;
    void worker.kill();
  };
  const abort = () => {
    const untold = setTimeout(kill, tellMs);
    timers = [untold, setTimeout(kill, abortPatienceMs)];
    // The aborted request itself reports the outcome.
    void worker.request({ call: 'abort' }).then(
      () => clearTimeout(untold),
      () => {},
    );
  };
  signal.addEventListener('abort', abort, { once: true });
  return {
    get killed() {
      return killed;
    },
    [Symbol.dispose]() {
      for (const timer of timers) clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    },
  };
}
