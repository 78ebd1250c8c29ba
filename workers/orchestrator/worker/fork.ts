import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { DynoError } from '#model/error.ts';
import { childEnvironment } from '#platform/child-environment.ts';
import { nodeProgram } from '#platform/node-program.ts';
import { within } from '#platform/worker-errors.ts';
import { attachWorker, hostPipe, type WorkerOptions, type WorkerProcess, workerPatienceMs } from './worker-link.ts';

const workerFile = fileURLToPath(new URL('../../worker.ts', import.meta.url));
const helloWithinMs = 20_000;
const readyWithinMs = 60_000;

/** The workers that are not gone yet, with their roles. */
const living = new Map<WorkerProcess, WorkerOptions['role']>();
/** This process is about to exit: no worker is started any more. */
let exiting = false;

/** Ends all workers, by force where they do not leave in time, and starts none any more: the process will exit. */
export async function endAllWorkers(patienceMs = workerPatienceMs): Promise<void> {
  exiting = true;
  await Promise.all([...living.keys()].map((worker) => worker.end(patienceMs)));
}

/** Kills all workers of this process, or those of a role; whoever waits for them learns it. */
export async function killWorkers(only?: WorkerOptions['role']): Promise<void> {
  const chosen = [...living].filter(([, role]) => only === undefined || role === only);
  await Promise.all(chosen.map(([worker]) => worker.kill()));
}

/** Forks a worker and hands it the engine and its configuration; returns when its target is open. */
export async function startWorker(options: WorkerOptions): Promise<WorkerProcess> {
  options.signal?.throwIfAborted();
  if (exiting) throw new DynoError('cancelled', 'Dyno is about to exit.');
  const child = fork(workerFile, [String(hostPipe)], {
    serialization: 'advanced',
    execPath: nodeProgram(),
    execArgv: [],
    env: childEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
  });
  const worker = attachWorker(child, options);
  living.set(worker, options.role);
  child.once('close', () => living.delete(worker));
  const abandon = () => void worker.kill();
  options.signal?.addEventListener('abort', abandon, { once: true });
  try {
    await within(helloWithinMs, worker.hello, 'The worker process did not start');
    worker.post({ type: 'init', role: options.role, engine: options.engine, config: options.config, tag: options.tag });
    await within(readyWithinMs, worker.ready, 'The target did not answer');
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
