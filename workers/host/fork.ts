import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { EngineConfig } from '#engine-api/engine.ts';
import { assertNever, DynoError } from '#model/error.ts';
import type { Phase, Snapshot, TimedCall, WorkerResult } from '#protocol/measurement.ts';
import type { ClientJob, ControlAnswers, ControlRequest, ToHost, ToWorker } from '#protocol/messages.ts';
import { childEnvironment } from './child-environment.ts';
import { nodeProgram } from './node-program.ts';
import { redact } from './redact.ts';
import { cleaned, goneError, within } from './worker-errors.ts';

export interface WorkerOptions {
  readonly role: 'control' | 'client';
  readonly engine: string;
  readonly config: EngineConfig;
  /** Marks every session at the server. */
  readonly tag: string;
  /** Never shown. */
  readonly secrets: readonly string[];
  readonly signal?: AbortSignal;
  readonly onSnapshot?: (snapshot: Snapshot) => void;
  /** A call that is told apart; the next one waits until this is done. */
  readonly onCall?: (call: TimedCall) => Promise<void>;
  readonly onProgress?: (phase: Phase, rows: number, of: number, what?: string) => void;
}

/** One worker process, from fork to exit. Whatever ends it early makes every pending promise reject with the reason. */
export interface WorkerProcess extends AsyncDisposable {
  readonly pid: number;
  /** Monotonic ms (performance.now) of the last message: silence while measuring is worth a look. */
  readonly heardAt: number;
  /** Asks a control worker; rejects with what the engine said. */
  request<R extends ControlRequest>(request: R): Promise<ControlAnswers[R['call']]>;
  prepare(job: ClientJob): Promise<void>;
  warmUp(): Promise<void>;
  measure(): void;
  /** Settles once: the worker's part of the trial, or why there is none. */
  readonly result: Promise<WorkerResult>;
  stop(cancel: boolean): void;
  /** Asks it to leave, then kills it. Returns when it is gone. */
  end(patienceMs?: number): Promise<void>;
  kill(): Promise<void>;
}

const workerFile = fileURLToPath(new URL('../worker.ts', import.meta.url));
/** Descriptor of the pipe by which a worker knows that this process is gone, however it went (runner/process/host-watch.ts). */
const hostPipe = 4;
const helloWithinMs = 20_000;
const readyWithinMs = 60_000;
const patienceMs = 3_000;
const stderrTail = 4_000;

/** Those that are not gone yet. */
const living = new Set<WorkerProcess>();
/** This process is about to exit: whoever asks for a worker now comes too late. */
let exiting = false;

/** For a process that is about to exit: asks all its workers to leave, kills those that have not done so in time, and starts none any more. */
export async function endAllWorkers(patience = patienceMs): Promise<void> {
  exiting = true;
  await Promise.all([...living].map((worker) => worker.end(patience)));
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
  const worker = attach(child, options);
  living.add(worker);
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

interface Attached extends WorkerProcess {
  readonly hello: Promise<void>;
  readonly ready: Promise<void>;
  post(message: ToWorker): void;
}

function attach(child: ChildProcess, options: WorkerOptions): Attached {
  const hello = milestone<void>();
  const ready = milestone<void>();
  const prepared = milestone<void>();
  const warm = milestone<void>();
  const result = milestone<WorkerResult>();
  const requests = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let stderr = '';
  let failed: DynoError | null = null;
  let expected = false;
  let heardAt = performance.now();
  let nextRequest = 1;

  const fail = (error: DynoError) => {
    failed ??= error;
    for (const one of [hello, ready, prepared, warm, result]) one.reject(failed);
    for (const one of requests.values()) one.reject(failed);
    requests.clear();
  };
  const gone = Promise.withResolvers<void>();
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-stderrTail);
  });
  child.stdio[hostPipe]?.on('error', () => {}); // It breaks when the worker dies; 'close' says why.
  child.on('error', (error) => fail(new DynoError('workerGone', `The worker process failed: ${error.message}`)));
  child.on('message', (raw) => {
    heardAt = performance.now();
    receive(raw as ToHost);
  });
  // 'close' comes after stderr is drained, so that the last words are in the error.
  child.on('close', (code, signal) => {
    fail(goneError(child.pid ?? 0, code, signal, expected, redact(stderr, options.secrets)));
    gone.resolve();
  });

  function receive(message: ToHost): void {
    switch (message.type) {
      case 'hello':
        hello.resolve();
        break;
      case 'ready':
        ready.resolve();
        break;
      case 'prepared':
        prepared.resolve();
        break;
      case 'warm':
        warm.resolve();
        break;
      case 'result':
        result.resolve(message.result);
        break;
      case 'snapshot':
        options.onSnapshot?.(message.snapshot);
        break;
      case 'called':
        void options.onCall?.(message.call).finally(() => post({ type: 'nextCall' }));
        break;
      case 'progress':
        options.onProgress?.(message.phase, message.rows, message.of, message.what);
        break;
      case 'failed':
        fail(cleaned(message.error, options.secrets));
        break;
      case 'response': {
        const request = requests.get(message.id);
        requests.delete(message.id);
        if (message.result.ok) request?.resolve(message.result.value);
        else request?.reject(cleaned(message.result.error, options.secrets));
        break;
      }
      default:
        assertNever(message);
    }
  }
  const post = (message: ToWorker) => {
    // A worker that just died makes send() fail; its 'close' tells why, so the failed send says nothing new.
    if (child.connected) child.send(message, () => {});
  };
  const expectEnd = () => {
    // One that has died already, though not all of its last words have been read, did not end because we want it to.
    expected ||= child.exitCode === null && child.signalCode === null;
  };
  const kill = async () => {
    expectEnd();
    child.kill('SIGKILL');
    await gone.promise;
  };
  const end = async (patience = patienceMs) => {
    expectEnd();
    post({ type: 'exit' });
    const timer = setTimeout(() => child.kill('SIGKILL'), patience);
    await gone.promise;
    clearTimeout(timer);
  };
  return {
    pid: child.pid ?? 0,
    get heardAt() {
      return heardAt;
    },
    hello: hello.promise,
    ready: ready.promise,
    result: result.promise,
    post,
    request<R extends ControlRequest>(request: R) {
      if (failed) return Promise.reject(failed);
      const answer = Promise.withResolvers<unknown>();
      requests.set(nextRequest, answer);
      post({ type: 'request', id: nextRequest++, request });
      return answer.promise as Promise<ControlAnswers[R['call']]>;
    },
    prepare(job) {
      post({ type: 'prepare', job });
      return prepared.promise;
    },
    warmUp() {
      post({ type: 'warmup' });
      return warm.promise;
    },
    measure: () => post({ type: 'measure' }),
    stop: (cancel) => post({ type: 'stop', cancel }),
    end,
    kill,
    [Symbol.asyncDispose]: () => end(),
  };
}

function milestone<T>() {
  const one = Promise.withResolvers<T>();
  one.promise.catch(() => {}); // Nobody may be waiting for this one when the worker dies.
  return one;
}
