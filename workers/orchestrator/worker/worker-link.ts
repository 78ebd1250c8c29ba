import type { ChildProcess } from 'node:child_process';
import type { EngineConfig } from '#engine-api/config.ts';
import { assertNever, DynoError } from '#model/error.ts';
import { redact } from '#platform/redact.ts';
import { cleaned, goneError } from '#platform/worker-errors.ts';
import type { Phase, Snapshot, TimedCall, WorkerResult } from '#protocol/measurement.ts';
import type { ClientJob, ControlAnswers, ControlRequest, ToHost, ToWorker } from '#protocol/messages.ts';
import type { AskedPlan, PlanMoment } from '#protocol/query-plans.ts';

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
  /** A call that is reported on its own; the next call waits until this is done. */
  readonly onCall?: (call: TimedCall) => Promise<void>;
  readonly onQueryPlans?: (plans: readonly AskedPlan[], when: PlanMoment) => void;
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
  /** The server's counters are read: the worker may ask the server for more. */
  counted(): void;
  /** Settles when its calls have ended, with the end of the last one (WorkerResult.lastEndNs). */
  readonly measured: Promise<string>;
  /** Settles once: the worker's part of the trial, or why there is none. */
  readonly result: Promise<WorkerResult>;
  stop(cancel: boolean): void;
  /** Asks it to leave, then kills it. Returns when it is gone. */
  end(patienceMs?: number): Promise<void>;
  kill(): Promise<void>;
}

/** A worker process with the steps of its start, which startWorker (fork.ts) goes through. */
interface AttachedWorker extends WorkerProcess {
  readonly ready: Promise<void>;
  post(message: ToWorker): void;
}

/** Descriptor of the pipe whose end tells a worker that this process has ended (runner/process/host-watch.ts). */
export const hostPipe = 4;
export const workerPatienceMs = 3_000;
const stderrTail = 4_000;

/** Speaks with a worker process that was just forked. */
export const attachWorker = (child: ChildProcess, options: WorkerOptions): AttachedWorker => new Link(child, options);

class Link implements AttachedWorker {
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #options: WorkerOptions;
  readonly #ready = milestone<void>();
  readonly ready = this.#ready.promise;
  readonly #prepared = milestone<void>();
  readonly #warm = milestone<void>();
  readonly #measured = milestone<string>();
  readonly measured = this.#measured.promise;
  readonly #result = milestone<WorkerResult>();
  readonly result = this.#result.promise;
  readonly #gone = Promise.withResolvers<void>();
  readonly #requests = new Map<number, PromiseWithResolvers<unknown>>();
  #nextRequest = 1;
  #heardAt = performance.now();
  #failed: DynoError | null = null;
  /** This process wants the worker to end. */
  #endExpected = false;

  constructor(child: ChildProcess, options: WorkerOptions) {
    this.pid = child.pid ?? 0;
    this.#child = child;
    this.#options = options;
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-stderrTail);
    });
    child.stdio[hostPipe]?.on('error', () => {}); // It breaks when the worker dies; 'close' says why.
    child.on('error', (error) =>
      this.#fail(new DynoError('workerGone', `The worker process failed: ${error.message}`)),
    );
    child.on('message', (raw) => {
      this.#heardAt = performance.now();
      this.#receive(raw as ToHost);
    });
    // 'close' comes after stderr is drained, so that the last words are in the error.
    child.on('close', (code, signal) => {
      this.#fail(goneError(this.pid, code, signal, this.#endExpected, redact(stderr, options.secrets)));
      this.#gone.resolve();
    });
  }

  get heardAt(): number {
    return this.#heardAt;
  }

  request<R extends ControlRequest>(request: R): Promise<ControlAnswers[R['call']]> {
    if (this.#failed) return Promise.reject(this.#failed);
    const answer = Promise.withResolvers<unknown>();
    const id = this.#nextRequest++;
    this.#requests.set(id, answer);
    this.post({ type: 'request', id, request });
    return answer.promise as Promise<ControlAnswers[R['call']]>;
  }

  prepare(job: ClientJob): Promise<void> {
    this.post({ type: 'prepare', job });
    return this.#prepared.promise;
  }

  warmUp(): Promise<void> {
    this.post({ type: 'warmup' });
    return this.#warm.promise;
  }

  measure(): void {
    this.post({ type: 'measure' });
  }

  counted(): void {
    this.post({ type: 'counted' });
  }

  stop(cancel: boolean): void {
    this.post({ type: 'stop', cancel });
  }

  async end(patienceMs = workerPatienceMs): Promise<void> {
    this.#expectEnd();
    this.post({ type: 'exit' });
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), patienceMs);
    await this.#gone.promise;
    clearTimeout(timer);
  }

  async kill(): Promise<void> {
    this.#expectEnd();
    this.#child.kill('SIGKILL');
    await this.#gone.promise;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.end();
  }

  post(message: ToWorker): void {
    // A worker that just died makes send() fail; its 'close' tells why, so the failed send says nothing new.
    if (this.#child.connected) this.#child.send(message, () => {});
  }

  #receive(message: ToHost): void {
    const { onSnapshot, onCall, onQueryPlans, onProgress, secrets } = this.#options;
    switch (message.type) {
      case 'hello':
        break; // Whoever forks waits for it (fork.ts).
      case 'ready':
        this.#ready.resolve();
        break;
      case 'prepared':
        this.#prepared.resolve();
        break;
      case 'warm':
        this.#warm.resolve();
        break;
      case 'measured':
        this.#measured.resolve(message.lastEndNs);
        break;
      case 'result':
        this.#result.resolve(message.result);
        break;
      case 'snapshot':
        onSnapshot?.(message.snapshot);
        break;
      case 'queryPlans':
        onQueryPlans?.(message.plans, message.when);
        break;
      case 'called':
        void onCall?.(message.call).finally(() => this.post({ type: 'nextCall' }));
        break;
      case 'progress':
        onProgress?.(message.phase, message.rows, message.of, message.what);
        break;
      case 'failed':
        this.#fail(cleaned(message.error, secrets));
        break;
      case 'response': {
        const request = this.#requests.get(message.id);
        this.#requests.delete(message.id);
        if (message.result.ok) request?.resolve(message.result.value);
        else request?.reject(cleaned(message.result.error, secrets));
        break;
      }
      default:
        assertNever(message);
    }
  }

  #fail(error: DynoError): void {
    this.#failed ??= error;
    for (const one of [this.#ready, this.#prepared, this.#warm, this.#measured, this.#result]) one.reject(this.#failed);
    for (const one of this.#requests.values()) one.reject(this.#failed);
    this.#requests.clear();
  }

  /** A worker that has died already, though not all of its messages have been read, did not end because of us. */
  #expectEnd(): void {
    this.#endExpected ||= this.#child.exitCode === null && this.#child.signalCode === null;
  }
}

function milestone<T>(): PromiseWithResolvers<T> {
  const one = Promise.withResolvers<T>();
  one.promise.catch(() => {}); // Nobody may be waiting for this one when the worker dies.
  return one;
}
