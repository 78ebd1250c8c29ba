import { type ChildProcess, fork } from 'node:child_process';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { DynoError } from '#model/error.ts';
import { localHostName } from '#model/load-hosts.ts';
import { childEnvironment } from '#platform/child-environment.ts';
import { guard, type StopSignals } from '#platform/guard.ts';
import { nodeProgram } from '#platform/node-program.ts';
import type { ToHost, ToWorker } from '#protocol/messages.ts';
import type { LoadHost, WorkerChannel, WorkerListener } from './load-host.ts';
import { watchThisMachine } from './machine/host-sampler.ts';
import { machineSystem, processorTimes } from './machine-facts.ts';
import { watchWorkerMemory } from './worker-memory.ts';

const workerFile = fileURLToPath(new URL('../worker.ts', import.meta.url));
/**
 * A worker ends by itself when this process has ended, but its event loop gets no events during a synchronous call
 * (node:sqlite). It has this time to roll back and to close its sessions; SIGTERM alone does not end it. A shell does
 * this for a tenth of what a thread of the worker would cost at each start.
 */
const afterThisProcess: StopSignals = [
  ['SIGTERM', 5_000],
  ['SIGKILL', 1_000],
];
const stderrTail = 4_000;

/** This machine: workers are forked processes, which end with this one. */
export const localHost: LoadHost = {
  name: localHostName,
  cores: Math.max(1, cpus().length),
  os: machineSystem(),
  clock: null,
  get processors() {
    return processorTimes();
  },
  watchMachine: watchThisMachine,
  startWorker: (listener, engine) => (takeSpare(engine) ?? forkWorker(engine)).use(listener),
};

/** A process that waits for its user. */
interface Forked {
  /** The module that it loads before its first message; undefined: none. */
  readonly engine: string | undefined;
  readonly child: ChildProcess;
  /** Settles with its first message. */
  readonly hello: Promise<void>;
  readonly gone: Promise<void>;
  use(listener: WorkerListener): WorkerChannel;
}

/** Processes that were forked ahead and have no work yet. */
const spare = new Set<Forked>();

/**
 * Forks workers ahead of their use until there are `count`, and resolves when each has loaded its engine, so that their
 * start takes no processor time later. Workers of other engines end. Never rejects: a worker that could not start is
 * forked again at its use, and then reports why.
 */
export async function forkAhead(count: number, engine: string): Promise<void> {
  await Promise.all([...spare].filter((one) => one.engine !== engine).map(endSpare));
  try {
    while (spare.size < count) {
      const forked = forkWorker(engine);
      spare.add(forked);
      void forked.gone.then(() => {
        if (spare.delete(forked)) forked.child.stderr?.destroy();
      });
    }
  } catch {}
  await Promise.all([...spare].map(({ hello, gone }) => Promise.race([hello, gone])));
}

/** Ends the unused workers that were forked ahead. */
export async function endSpareWorkers(): Promise<void> {
  await Promise.all([...spare].map(endSpare));
}

function endSpare({ child, gone }: Forked): Promise<void> {
  child.kill('SIGKILL');
  return gone;
}

/** A worker that was forked for another engine would also contain that engine's driver. */
function takeSpare(engine: string | undefined): Forked | null {
  const forked = [...spare].find((one) => one.engine === engine);
  if (forked === undefined) return null;
  spare.delete(forked);
  return forked.child.connected ? forked : takeSpare(engine);
}

function forkWorker(engine?: string): Forked {
  const child = fork(workerFile, engine === undefined ? [] : [engine], {
    serialization: 'advanced',
    execPath: nodeProgram(),
    execArgv: [],
    env: childEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  if (child.pid !== undefined) child.once('exit', guard(child.pid, afterThisProcess));
  const unheard: ((listener: WorkerListener) => void)[] = [];
  let heardBy: WorkerListener | null = null;
  const tell = (what: (listener: WorkerListener) => void) => {
    if (heardBy) what(heardBy);
    else unheard.push(what);
  };
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-stderrTail);
  });
  child.on('error', (error) =>
    tell((listener) => listener.failed(new DynoError('workerGone', `The worker process failed: ${error.message}`))),
  );
  const memory = watchWorkerMemory(child.pid ?? 0, (reason) => {
    tell((listener) => listener.failed(reason));
    child.kill('SIGKILL');
  });
  child.on('message', (raw) => {
    const message = raw as ToHost;
    memory.message(message);
    tell((listener) => listener.message(message));
  });
  child.once('exit', memory.close);
  // 'close' comes after stderr is drained, and so includes the last output.
  child.on('close', (code, signal) => tell((listener) => listener.closed({ code, signal, stderr })));
  const first = (...events: readonly string[]) =>
    new Promise<void>((done) => {
      for (const event of events) child.once(event, () => done());
    });
  return {
    engine,
    child,
    hello: first('message'),
    // The event is not 'close', which comes only after the output was read.
    gone: first('exit', 'error'),
    use(listener) {
      // Messages that it has sent so far are delivered after this returns, as if they came only then.
      setImmediate(() => {
        heardBy = listener;
        for (const what of unheard.splice(0)) what(listener);
      });
      return channelOf(child, memory.told);
    },
  };
}

const channelOf = (child: ChildProcess, told: (message: ToWorker) => void): WorkerChannel => ({
  pid: child.pid ?? 0,
  get hasEnded() {
    return child.exitCode !== null || child.signalCode !== null;
  },
  send(message) {
    told(message);
    // send() fails if the worker has just died; its 'close' has the reason, so this error adds nothing.
    if (child.connected) child.send(message, () => {});
  },
  kill: () => void child.kill('SIGKILL'),
});
