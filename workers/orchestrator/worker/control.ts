import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { Passwords } from '#model/connections.ts';
import { DynoError, type ErrorData, fromErrorData, toErrorData } from '#model/error.ts';
import { limitsOf, type ServerMark } from '#model/production.ts';
import type { AskedParameters, ServerParameter } from '#model/settings/server-parameters.ts';
import type { Home } from '#platform/paths.ts';
import { within } from '#platform/worker-errors.ts';
import type { Phase } from '#protocol/measurement.ts';
import type { ControlAnswers, ControlRequest } from '#protocol/messages.ts';
import type { PlannedTarget } from '#protocol/plan.ts';
import { builtInOf } from '#rules/targets/target-fields.ts';
import type { TrustedTarget } from '#workspace/trust/gate.ts';
import type { OwnParameters } from './built-in.ts';
import { startWorker } from './fork.ts';
import { type ReachedTarget, reachTarget } from './reach.ts';
import { stopOnAbort } from './stop-on-abort.ts';
import { catalogEntry, configureTarget, notItsOwn, type Variables } from './targets.ts';
import type { WorkerProcess } from './worker-link.ts';

interface ControlOptions {
  readonly target: TrustedTarget;
  /** The target in its plan. Default: there is no plan. */
  readonly planned?: PlannedTarget;
  readonly home: Home;
  readonly variables: Variables;
  /** Passwords of the target's connection. Default: none. */
  readonly passwords?: Passwords;
  readonly tag: string;
  /** The server is the run's own and has these parameters. Default: all runs share the server, if Dyno manages it. */
  readonly own?: OwnParameters;
  /**
   * Called if the server belongs to a production connection that the target does not name: by its address before the
   * login, otherwise when it has reported its identity. Throws if the server may not be used. Default: it may be used
   * if the plan knew of the production connection.
   */
  readonly onProduction?: (mark: ServerMark) => void;
  readonly onActivity: (text: string) => void;
  readonly onProgress: (phase: Phase, rows: number, of: number, what?: string) => void;
}

/**
 * The control connection of one target over a run. It is opened on demand, and reopened once per trial after a loss.
 */
export interface Control extends AsyncDisposable {
  readonly planned: PlannedTarget;
  readonly descriptor: EngineDescriptor;
  /** True if the server belongs to the run, which deletes it with everything on it. */
  readonly isOwn: boolean;
  /** True if Dyno keeps the target's files, if it has any, on this machine. */
  readonly isBuiltIn: boolean;
  /** Dyno's home, which has the files of the servers that Dyno starts. */
  readonly home: Home;
  /** Reports the progress of a phase: rows so far, and all rows. */
  readonly onProgress: (phase: Phase, rows: number, of: number) => void;
  /** Resolves the target and connects, unless it is connected. Fails fast: one attempt per call. */
  connect(signal: AbortSignal): Promise<ReachedTarget>;
  /**
   * Reads parameters of the server, as ServerParameter.value by name. Throws 'badInput' if the server has another value
   * than was asked for.
   */
  readParameters(asked: AskedParameters, signal: AbortSignal): Promise<Readonly<Record<string, string | null>>>;
  /** Empties the server's own cache by its command or a restart, and then reconnects the target. */
  emptyCache(signal: AbortSignal): Promise<void>;
  /**
   * Sends a request to the connected control worker. On `signal`, which also ends by time, the server's work is
   * stopped, and the worker too if it does not stop by itself.
   */
  ask<R extends ControlRequest>(request: R, signal: AbortSignal): Promise<ControlAnswers[R['call']]>;
  /**
   * Runs the commands that print the target's passwords again, and returns their passwords by field for later
   * connections. Null without commands. With `when` due: only if they expire soon or have expired; otherwise null.
   */
  renewPasswords(signal: AbortSignal, when: 'now' | 'due'): Promise<Readonly<Record<string, string>> | null>;
  /** The error of a connection to the target, or the tunnel's error if the tunnel failed. */
  explain(error: ErrorData): Promise<ErrorData>;
  /**
   * Resolves to true if the server still answers an idle connection, or if the connection is busy. Otherwise the worker
   * is killed and the connection given up, so that no later request waits for it.
   */
  answers(): Promise<boolean>;
  /** True if the server did not answer an idle connection, and nobody has connected since. */
  readonly isSilent: boolean;
  /**
   * True if the connection ends on this machine, at the server or at a proxy before it. Null: there is none, it goes
   * through a tunnel, or it could not be observed.
   */
  readonly endsHere: boolean | null;
  /** Closes the connection after an error that shows that it is unusable. */
  reportError(error: ErrorData): Promise<void>;
}

/** Passwords that expire within this time are printed again before a trial's clients log in with them. */
const dueWithinMs = 60_000;
/** Time limit of short requests. A server can accept connections and still answer nothing. */
const momentMs = 30_000;
/** After a cancel, nobody waits longer for a connection to drop objects; the next run drops them. */
const connectAfterCancelMs = 2_000;
/** Deadline for a connection that drops objects. `patienceMs`: the time if nothing was cancelled. */
export const dropLimitOf = (cancelled: AbortSignal, patienceMs: number): AbortSignal =>
  AbortSignal.timeout(cancelled.aborted ? Math.min(patienceMs, connectAfterCancelMs) : patienceMs);
/** A healthy server answers the cheapest statement at once, even while it undoes cancelled work. */
const answersWithinMs = 2_000;

/** `signal`, combined with the time limit of a short request. */
export const momentOf = (signal: AbortSignal): AbortSignal => AbortSignal.any([signal, AbortSignal.timeout(momentMs)]);

/** The answer if the server does not report a parameter. */
const unknownParameter: ServerParameter = { value: null, isAsked: false };

export const createControl = (options: ControlOptions): Control => new TargetControl(options);

class TargetControl implements Control {
  readonly planned: PlannedTarget;
  readonly descriptor: EngineDescriptor;
  readonly isOwn: boolean;
  readonly isBuiltIn: boolean;
  readonly home: Home;
  readonly onProgress: Control['onProgress'];
  readonly #options: ControlOptions;
  #target: ReachedTarget | null = null;
  #worker: WorkerProcess | null = null;
  /** The reason why the connection was closed. Later requests fail with this reason instead of a missing connection. */
  #lost: ErrorData | null = null;
  #isSilent = false;
  /** Requests without an answer yet. */
  #open = 0;

  constructor(options: ControlOptions) {
    const { name, engine, spec, connection } = options.target;
    this.planned = options.planned ?? { name, engine, index: 0 };
    this.descriptor = catalogEntry(engine).descriptor;
    this.isBuiltIn = !connection && builtInOf(spec, this.descriptor) !== null;
    this.home = options.home;
    this.onProgress = options.onProgress;
    this.isOwn = options.own !== undefined;
    this.#options = options;
  }

  async connect(signal: AbortSignal): Promise<ReachedTarget> {
    if (this.#worker && this.#target) return this.#target;
    const { home, variables, passwords, tag, own, onActivity, onProgress } = this.#options;
    const { name, engine } = this.#options.target;
    onActivity(`Connecting to ${name}`);
    const { target: trusted } = this.#options;
    const configured = await configureTarget(trusted, home, variables, onActivity, signal, passwords, own);
    let target: ReachedTarget | null = null;
    let mark = configured.mark;
    try {
      this.#requireKnown(mark);
      target = await reachTarget(engine, configured, signal);
      const { config, secrets } = target;
      const admit = (identities: readonly string[]) => {
        mark = configured.whoseServer(identities);
        this.#requireKnown(mark);
      };
      const worker = await startWorker({
        role: 'control',
        ...{ engine },
        ...{ config, tag, secrets, signal, onProgress, admit },
      });
      if (mark) await capped(worker, limitsOf(mark.production).maxPerSecond);
      this.#worker = worker;
    } catch (thrown) {
      const error = await explained(target, thrown);
      await target?.tunnel?.[Symbol.asyncDispose]();
      configured.release();
      throw error;
    }
    this.#target = { ...target, mark };
    this.#lost = null;
    this.#isSilent = false;
    return this.#target;
  }

  /**
   * Throws if the server belongs to a production connection, and nobody has checked the work there against its limits.
   */
  #requireKnown(mark: ServerMark | null): void {
    if (!mark || mark.of.length === 0) return;
    const { onProduction, planned, target } = this.#options;
    if (onProduction) onProduction(mark);
    else if (!planned?.production) throw notItsOwn(target.name, mark);
  }

  async renewPasswords(signal: AbortSignal, when: 'now' | 'due'): Promise<Readonly<Record<string, string>> | null> {
    const target = this.#target;
    if (!target?.renew) return null;
    if (when === 'due' && (target.expiresAt === null || target.expiresAt - Date.now() >= dueWithinMs)) return null;
    const { passwords, expiresAt } = await target.renew(signal);
    const secrets = [...target.secrets, ...Object.values(passwords)];
    this.#target = { ...target, config: { ...target.config, ...passwords }, secrets, expiresAt };
    return passwords;
  }

  async explain(error: ErrorData): Promise<ErrorData> {
    return (await this.#target?.tunnel?.explain(error)) ?? error;
  }

  async readParameters(asked: AskedParameters, signal: AbortSignal): Promise<Readonly<Record<string, string | null>>> {
    const answer = await this.ask({ call: 'serverParameters', asked }, momentOf(signal));
    const found = Object.keys(asked).map((name) => [name, answer[name] ?? unknownParameter] as const);
    const wrong = found.filter(([, { isAsked }]) => !isAsked);
    if (wrong.length > 0)
      throw new DynoError(
        'badInput',
        wrong
          .map(
            ([name, { value }]) =>
              `The server of ${this.planned.name} was given ${name} = ${asked[name]}, and has ${value ?? 'no such parameter'}.`,
          )
          .join(' '),
        {
          hint: 'Servers round and limit some values: write the value that the server takes, or leave the parameter out.',
        },
      );
    return Object.fromEntries(found.map(([name, { value }]) => [name, value]));
  }

  async emptyCache(signal: AbortSignal): Promise<void> {
    const { stop } = await this.connect(signal);
    if (!stop) return this.#emptyCacheByCommand(signal);
    try {
      await stop(signal);
    } catch (thrown) {
      // The user cancelled while it was stopping, so the server may be gone in a moment.
      if (signal.aborted) await this.#close();
      throw thrown;
    }
    await this.#close();
    await this.connect(signal);
  }

  async #emptyCacheByCommand(signal: AbortSignal): Promise<void> {
    try {
      await this.ask({ call: 'emptyCache' }, signal);
    } catch (thrown) {
      const data = toErrorData(thrown);
      // The user of another target may have the right, so the cell is skipped for this target only.
      throw data.kind === 'permission' ? new DynoError('unsupported', data.message, data) : thrown;
    }
  }

  async ask<R extends ControlRequest>(request: R, signal: AbortSignal): Promise<ControlAnswers[R['call']]> {
    const worker = this.#worker;
    if (!worker)
      throw this.#lost
        ? fromErrorData(this.#lost)
        : new DynoError('serverGone', `There is no connection to ${this.planned.name}.`);
    if (signal.aborted) throw isTimeout(signal) ? this.#lateError(request) : new DynoError('cancelled', 'Cancelled.');
    using stop = stopOnAbort(worker, signal);
    this.#open++;
    try {
      return await worker.request(request);
    } catch (thrown) {
      const error = await explained(this.#target, isTimeout(signal) ? this.#lateError(request) : thrown);
      if (stop.killed || toErrorData(thrown).kind === 'workerGone') await this.#lose(toErrorData(error));
      throw error;
    } finally {
      this.#open--;
      if (stop.killed) await this.#close();
    }
  }

  get isSilent(): boolean {
    return this.#isSilent;
  }

  get endsHere(): boolean | null {
    return this.#target?.tunnel ? null : (this.#worker?.endsHere ?? null);
  }

  async answers(): Promise<boolean> {
    const worker = this.#worker;
    if (!worker) return false;
    // A busy connection has its own limits, and the ping would wait behind its work.
    if (this.#open > 0) return true;
    try {
      await within(answersWithinMs, worker.request({ call: 'ping' }), `${this.planned.name} does not answer any more`);
      return true;
    } catch (thrown) {
      const error = toErrorData(thrown);
      if (error.kind !== 'timeout') return true;
      this.#isSilent = true;
      await worker.kill();
      await this.#lose({ ...error, kind: 'serverGone' });
      return false;
    }
  }

  async reportError(error: ErrorData): Promise<void> {
    if (error.kind === 'serverGone' || error.kind === 'unreachable' || error.kind === 'workerGone')
      await this.#lose(error);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#close();
  }

  #lateError({ call }: ControlRequest): DynoError {
    return new DynoError('timeout', `${this.planned.name} did not answer in time (${call}).`, {
      hint: 'The server is there but does not react: is it stopped, out of memory or disk, or waiting for a lock?',
    });
  }

  async #close(): Promise<void> {
    const [worker, target] = [this.#worker, this.#target];
    this.#worker = null;
    this.#target = null;
    await worker?.end();
    await target?.tunnel?.[Symbol.asyncDispose]();
    target?.release();
  }

  async #lose(reason: ErrorData): Promise<void> {
    this.#lost ??= reason;
    await this.#close();
  }
}

/** Limits the statements of this worker per second to the maximum of a production server. */
async function capped(worker: WorkerProcess, perSecond: number): Promise<void> {
  try {
    await worker.request({ call: 'cap', perSecond });
  } catch (thrown) {
    await worker.kill();
    throw thrown;
  }
}

/** The thrown error, or the tunnel's error if it was the cause. */
const explained = async (target: ReachedTarget | null, thrown: unknown): Promise<unknown> =>
  target?.tunnel ? fromErrorData(await target.tunnel.explain(toErrorData(thrown))) : thrown;

const isTimeout = (signal: AbortSignal): boolean =>
  signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError';
