import type { GuardedConfig } from '#engine-api/config.ts';
import type { LoadHost, WorkerChannel } from '#load-hosts/load-host.ts';
import { assertNever, type DynoError } from '#model/error.ts';
import { redact } from '#platform/redact.ts';
import { cleaned, goneError } from '#platform/worker-errors.ts';
import type { Phase, Snapshot, TimedCall, WorkerResult } from '#protocol/measurement.ts';
import type { ClientJob, ControlAnswers, ControlRequest, ToHost, ToWorker } from '#protocol/messages.ts';
import type { AskedPlan, PlanMoment } from '#protocol/query-plans.ts';

export interface WorkerOptions {
  readonly role: 'control' | 'client';
  readonly engine: string;
  readonly config: GuardedConfig;
  /** Marks every session at the server. */
  readonly tag: string;
  /** Values that no message may contain. */
  readonly secrets: readonly string[];
  readonly signal?: AbortSignal;
  /** Called with the server's reported identity before any other request. Throws if the server may not be used. */
  readonly admit?: (identities: readonly string[]) => void;
  readonly onSnapshot?: (snapshot: Snapshot) => void;
  /** Called with a call that is reported on its own; the next call waits until this resolves. */
  readonly onCall?: (call: TimedCall) => Promise<void>;
  readonly onQueryPlans?: (plans: readonly AskedPlan[], when: PlanMoment) => void;
  readonly onProgress?: (phase: Phase, rows: number, of: number, what?: string) => void;
}

/** One worker process, from start to exit. If it ends early, every pending promise rejects with the reason. */
export interface WorkerProcess extends AsyncDisposable {
  readonly pid: number;
  /** Time of the last message, in monotonic ms (performance.now). Silence during the measurement is checked. */
  readonly heardAt: number;
  /**
   * True if its connections end on its own machine, at the server or at a proxy or tunnel before it. Null: it has not
   * logged in, or no connection could be observed.
   */
  readonly endsHere: boolean | null;
  /** Sends a request to a control worker; rejects with the engine's error. */
  request<R extends ControlRequest>(request: R): Promise<ControlAnswers[R['call']]>;
  prepare(job: ClientJob): Promise<void>;
  warmUp(): Promise<void>;
  /** Begins the measured phase. `atNs`: at this time of this machine's clock (process.hrtime); null: at once. */
  measure(atNs: string | null): void;
  /** Tells the worker that the server's counters are read, so it may send other requests to the server. */
  counted(): void;
  /** Settles when its calls have ended, with the end of the last one (WorkerResult.lastEndNs). */
  readonly measured: Promise<string>;
  /** Settles once, with the worker's part of the trial, or the reason why there is none. */
  readonly result: Promise<WorkerResult>;
  stop(cancel: boolean): void;
  /** Asks the worker to end, then kills it. Returns when it has ended. */
  end(patienceMs?: number): Promise<void>;
  kill(): Promise<void>;
}

/** A worker process with the steps of its start, which startWorker (fork.ts) executes. */
interface AttachedWorker extends WorkerProcess {
  readonly hello: Promise<void>;
  readonly loaded: Promise<void>;
  /** The server's reported identity (Database.identities). */
  readonly ready: Promise<readonly string[]>;
  /** Settles when the process has ended. */
  readonly gone: Promise<void>;
  post(message: ToWorker): void;
}

export const workerPatienceMs = 3_000;

/** Starts a worker process on a load host, and exchanges messages with it. */
export const attachWorker = (host: LoadHost, options: WorkerOptions): AttachedWorker => new Link(host, options);

class Link implements AttachedWorker {
  readonly #channel: WorkerChannel;
  readonly #options: WorkerOptions;
  readonly #hello = milestone<void>();
  readonly hello = this.#hello.promise;
  readonly #loaded = milestone<void>();
  readonly loaded = this.#loaded.promise;
  readonly #ready = milestone<readonly string[]>();
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
  #endsHere: boolean | null = null;
  #failed: DynoError | null = null;
  /** True if this process wants the worker to end. */
  #endExpected = false;

  constructor(host: LoadHost, options: WorkerOptions) {
    this.#options = options;
    this.#channel = host.startWorker(
      {
        message: (message) => {
          this.#heardAt = performance.now();
          this.#receive(message);
        },
        failed: (error) => this.#fail(error),
        closed: ({ code, signal, stderr }) => {
          this.#fail(goneError(this.pid, code, signal, this.#endExpected, redact(stderr, options.secrets)));
          this.#gone.resolve();
        },
      },
      options.engine,
    );
  }

  get pid(): number {
    return this.#channel.pid;
  }

  get gone(): Promise<void> {
    return this.#gone.promise;
  }

  get heardAt(): number {
    return this.#heardAt;
  }

  get endsHere(): boolean | null {
    return this.#endsHere;
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

  measure(atNs: string | null): void {
    this.post({ type: 'measure', atNs });
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
    const timer = setTimeout(() => this.#channel.kill(), patienceMs);
    await this.#gone.promise;
    clearTimeout(timer);
  }

  async kill(): Promise<void> {
    this.#expectEnd();
    this.#channel.kill();
    await this.#gone.promise;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.end();
  }

  post(message: ToWorker): void {
    this.#channel.send(message);
  }

  #receive(message: ToHost): void {
    const { onSnapshot, onCall, onQueryPlans, onProgress, secrets } = this.#options;
    switch (message.type) {
      case 'hello':
        this.#hello.resolve();
        break;
      case 'loaded':
        this.#loaded.resolve();
        break;
      case 'ready':
        this.#endsHere = message.endsHere;
        this.#ready.resolve(message.identities);
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
    for (const one of [
      this.#hello,
      this.#loaded,
      this.#ready,
      this.#prepared,
      this.#warm,
      this.#measured,
      this.#result,
    ])
      one.reject(this.#failed);
    for (const one of this.#requests.values()) one.reject(this.#failed);
    this.#requests.clear();
  }

  /** A worker that has died before all of its messages were read did not end on Dyno's request. */
  #expectEnd(): void {
    this.#endExpected ||= !this.#channel.hasEnded;
  }
}

function milestone<T>(): PromiseWithResolvers<T> {
  const one = Promise.withResolvers<T>();
  one.promise.catch(() => {}); // Possibly nobody waits for this promise when the worker dies.
  return one;
}
