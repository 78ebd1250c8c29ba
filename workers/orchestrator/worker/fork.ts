import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineConfig } from '#engine-api/config.ts';
import type { LoadHost } from '#load-hosts/load-host.ts';
import { endSpareWorkers, localHost } from '#load-hosts/local-host.ts';
import { DynoError, toErrorData } from '#model/error.ts';
import { within } from '#platform/worker-errors.ts';
import { attachWorker, type WorkerOptions, type WorkerProcess, workerPatienceMs } from './worker-link.ts';

const helloWithinMs = 20_000;
const loadedWithinMs = 60_000;
/** Time limit of a login whose target sets none. */
const usualLoginMs = 60_000;
/** A working driver reports its own time limit first, with a better message. */
const loginGraceMs = 3_000;
/** A killed worker ends at once, unless a program that it has started keeps its output open. */
const goneWithinMs = 2_000;

/** The workers that have not ended yet, with their roles. */
const living = new Map<WorkerProcess, WorkerOptions['role']>();
/** True if this process is about to exit, so no worker is started any more. */
let exiting = false;

/**
 * Ends all workers, by force if they do not end in time, and starts no new ones, because the process is about to exit
 * and waits for nobody without limit.
 */
export async function endAllWorkers(patienceMs = workerPatienceMs): Promise<void> {
  exiting = true;
  const gone = Promise.all([endSpareWorkers(), ...[...living.keys()].map((worker) => worker.end(patienceMs))]);
  await Promise.race([gone, sleep(patienceMs + goneWithinMs)]);
}

/** Kills all workers of this process, or those of a role. Pending requests reject. */
export async function killWorkers(only?: WorkerOptions['role']): Promise<void> {
  const chosen = [...living].filter(([, role]) => only === undefined || role === only);
  await Promise.all(chosen.map(([worker]) => worker.kill()));
}

/** Starts a worker and sends it the engine and its configuration. Returns when its target is open. */
export async function startWorker(options: WorkerOptions, host: LoadHost = localHost): Promise<WorkerProcess> {
  options.signal?.throwIfAborted();
  if (exiting) throw new DynoError('cancelled', 'Dyno is about to exit.');
  const worker = attachWorker(host, options);
  living.set(worker, options.role);
  void worker.gone.then(() => living.delete(worker));
  const abandon = () => void worker.kill();
  options.signal?.addEventListener('abort', abandon, { once: true });
  try {
    await within(helloWithinMs, worker.hello, 'The worker process did not start');
    worker.post({ type: 'init', role: options.role, engine: options.engine, config: options.config, tag: options.tag });
    await within(loadedWithinMs, worker.loaded, 'The driver was not loaded');
    const identities = await within(loginMs(options.config), worker.ready, 'The login was not complete');
    options.admit?.(identities);
    if (options.role === 'control') await firstAnswer(worker, options.config);
    options.signal?.throwIfAborted();
    return worker;
  } catch (thrown) {
    await worker.kill();
    if (options.signal?.aborted) throw new DynoError('cancelled', 'Cancelled while connecting.');
    throw thrown;
  } finally {
    options.signal?.removeEventListener('abort', abandon);
  }
}

/** A server that has accepted the login may still answer nothing, so it gets the time limit of a login. */
async function firstAnswer(worker: WorkerProcess, { connectTimeoutMs }: EngineConfig): Promise<void> {
  const ms = typeof connectTimeoutMs === 'number' && connectTimeoutMs > 0 ? connectTimeoutMs : usualLoginMs;
  try {
    await within(
      ms,
      worker.request({ call: 'ping' }),
      'The login is complete, and the first statement was not answered',
    );
  } catch (thrown) {
    if (toErrorData(thrown).kind !== 'timeout') throw thrown;
    throw new DynoError('timeout', toErrorData(thrown).message, {
      hint: 'The server is there but does not react: is it stopped, out of memory or disk, or is it another product?',
    });
  }
}

/**
 * Time limit of a login, after which the worker is killed, because a driver in an endless loop does not notice its own
 * time limit. Some engines log in twice, the second time to be able to cancel.
 */
const loginMs = ({ connectTimeoutMs }: EngineConfig): number =>
  typeof connectTimeoutMs === 'number' && connectTimeoutMs > 0 ? 2 * connectTimeoutMs + loginGraceMs : usualLoginMs;
