import type { WorkerProcess } from './worker-link.ts';

const abortPatienceMs = 5_000;

/** On abort: asks the worker to stop its request at the server, and kills it (`killed`) where it does not. */
export function stopOnAbort(worker: WorkerProcess, signal?: AbortSignal): Disposable & { readonly killed: boolean } {
  let timer: NodeJS.Timeout | undefined;
  let killed = false;
  const abort = () => {
    void worker.request({ call: 'abort' }).catch(() => {}); // The request that is aborted says how it went.
    timer = setTimeout(() => {
      killed = true;
      void worker.kill();
    }, abortPatienceMs);
  };
  signal?.addEventListener('abort', abort, { once: true });
  return {
    get killed() {
      return killed;
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    },
  };
}
