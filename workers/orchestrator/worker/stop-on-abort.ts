import type { WorkerProcess } from './worker-link.ts';

/** A server that has been told to stop may still undo what the request did. */
const abortPatienceMs = 5_000;
/** A worker that has not even told the server within this time hangs in its driver, or its server is silent. */
const tellMs = 2_000;

/** Asks the worker on abort to stop its request at the server, and kills it (`killed`) where it does not. */
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
    // The request that is aborted says how it went.
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
