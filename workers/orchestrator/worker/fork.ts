import { type ChildProcess, fork } from 'node:child_process';
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
/** Workers that were forked ahead and have nothing to do yet. */
const spare = new Set<Forked>();
/** This process is about to exit: no worker is started any more. */
let exiting = false;

/** Ends all workers, by force where they do not leave in time, and starts none any more: the process will exit. */
export async function endAllWorkers(patienceMs = workerPatienceMs): Promise<void> {
  exiting = true;
  await Promise.all([endSpareWorkers(), ...[...living.keys()].map((worker) => worker.end(patienceMs))]);
}

/** Kills all workers of this process, or those of a role; whoever waits for them learns it. */
export async function killWorkers(only?: WorkerOptions['role']): Promise<void> {
  const chosen = [...living].filter(([, role]) => only === undefined || role === only);
  await Promise.all(chosen.map(([worker]) => worker.kill()));
}

interface Forked {
  readonly child: ChildProcess;
  /** The worker's first message. */
  readonly hello: Promise<void>;
  readonly gone: Promise<void>;
}

function forkWorker(): Forked {
  const child = fork(workerFile, [String(hostPipe)], {
    serialization: 'advanced',
    execPath: nodeProgram(),
    execArgv: [],
    env: childEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
  });
  const first = (...events: readonly string[]) =>
    new Promise<void>((done) => {
      for (const event of events) child.once(event, () => done());
    });
  // Not 'close', which waits until somebody has read what it said.
  return { child, hello: first('message'), gone: first('exit', 'error') };
}

/**
 * Forks workers ahead of their use until there are `count`, and resolves when each is ready to be given its engine, so
 * that their start takes no processor from what comes then. Never rejects: who wants a worker that could not start
 * forks it again, and learns why.
 */
export async function forkAhead(count: number): Promise<void> {
  try {
    while (!exiting && spare.size < count) {
      const forked = forkWorker();
      spare.add(forked);
      void forked.gone.then(() => {
        if (spare.delete(forked)) forked.child.stderr?.destroy();
      });
    }
  } catch {}
  await Promise.all([...spare].map(({ hello, gone }) => Promise.race([hello, gone])));
}

/** Ends the workers that were forked ahead and that nobody has wanted. */
export async function endSpareWorkers(): Promise<void> {
  await Promise.all(
    [...spare].map(({ child, gone }) => {
      child.kill('SIGKILL');
      return gone;
    }),
  );
}

function takeSpare(): Forked | null {
  const [forked] = spare;
  if (forked === undefined) return null;
  spare.delete(forked);
  return forked.child.connected ? forked : takeSpare();
}

/** Hands a worker, forked now or ahead, the engine and its configuration; returns when its target is open. */
export async function startWorker(options: WorkerOptions): Promise<WorkerProcess> {
  options.signal?.throwIfAborted();
  if (exiting) throw new DynoError('cancelled', 'Dyno is about to exit.');
  const { child, hello } = takeSpare() ?? forkWorker();
  const worker = attachWorker(child, options);
  living.set(worker, options.role);
  child.once('close', () => living.delete(worker));
  const abandon = () => void worker.kill();
  options.signal?.addEventListener('abort', abandon, { once: true });
  try {
    await within(helloWithinMs, Promise.race([hello, worker.ready]), 'The worker process did not start');
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
