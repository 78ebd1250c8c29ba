import type { EngineDescriptor } from '#contract/engine.ts';
import { DynoError, type ErrorData, fromErrorData, toErrorData } from '#contract/error.ts';
import type { Experiment } from '#contract/experiment.ts';
import type { Phase } from '#contract/measurement.ts';
import type { ControlAnswers, ControlRequest } from '#contract/messages.ts';
import type { PlannedTarget } from '#contract/plan.ts';
import { startWorker, type WorkerProcess } from './fork.ts';
import type { Home } from './paths.ts';
import { type ConfiguredTarget, configureTarget, type Reachable, type Variables } from './targets.ts';

export interface ControlOptions {
  readonly planned: PlannedTarget;
  readonly descriptor: EngineDescriptor;
  readonly experiment: Experiment;
  readonly home: Home;
  readonly variables: Variables;
  /** Connections that the experiment may name; none by default. */
  readonly reachable?: Reachable;
  readonly tag: string;
  readonly onActivity: (text: string) => void;
  readonly onProgress: (phase: Phase, rows: number, of: number, what?: string) => void;
}

/** The control connection of one target over a run: opened on demand, opened again once per trial after it was lost. */
export interface Control extends AsyncDisposable {
  readonly planned: PlannedTarget;
  readonly descriptor: EngineDescriptor;
  /** Resolves the target and connects, if that is not the case already. Fails fast: one attempt a call. */
  connect(signal: AbortSignal): Promise<ConfiguredTarget>;
  /** Empties the server's own cache, by its command or a restart; then the target is connected anew, maybe elsewhere. */
  emptyCache(signal: AbortSignal): Promise<void>;
  /** Asks the connected control worker. On `signal` the server's work is stopped, and after a while the worker. */
  ask<R extends ControlRequest>(request: R, signal?: AbortSignal): Promise<ControlAnswers[R['call']]>;
  /** Drops the connection after an error that says it is of no use any more. */
  reportError(error: ErrorData): Promise<void>;
}

const abortPatienceMs = 5_000;
/** For requests that take a moment on a server that is well. A server can accept connections and still answer nothing. */
const momentMs = 30_000;

/** `signal`, and the end of the time that a short request may take. */
export const momentOf = (signal: AbortSignal): AbortSignal => AbortSignal.any([signal, AbortSignal.timeout(momentMs)]);

export function createControl(options: ControlOptions): Control {
  const { planned, descriptor } = options;
  let target: ConfiguredTarget | null = null;
  let worker: WorkerProcess | null = null;
  /** Why there is no connection any more. What is asked of it later fails for that reason, and not for want of a connection. */
  let lost: ErrorData | null = null;

  const close = async (): Promise<void> => {
    const [oldWorker, oldTarget] = [worker, target];
    worker = null;
    target = null;
    await oldWorker?.end();
    oldTarget?.release();
  };

  const lose = async (reason: ErrorData): Promise<void> => {
    lost ??= reason;
    await close();
  };

  const control: Control = {
    planned,
    descriptor,
    async connect(signal) {
      if (worker && target) return target;
      options.onActivity(`Connecting to ${planned.name}`);
      const { experiment, home, variables, onActivity, reachable } = options;
      const resolved = await configureTarget(planned, experiment, home, variables, onActivity, signal, reachable);
      try {
        worker = await startWorker({
          role: 'control',
          engine: planned.engine,
          config: resolved.config,
          tag: options.tag,
          secrets: resolved.secrets,
          signal,
          onProgress: options.onProgress,
        });
      } catch (thrown) {
        resolved.release();
        throw thrown;
      }
      target = resolved;
      lost = null;
      return resolved;
    },
    async emptyCache(signal) {
      const { stop } = await control.connect(signal);
      if (!stop) {
        try {
          await control.ask({ call: 'emptyCache' }, signal);
        } catch (thrown) {
          const data = toErrorData(thrown);
          // It is for this target alone that the cell stays empty.
          throw data.kind === 'permission' ? new DynoError('unsupported', data.message, data) : thrown;
        }
        return;
      }
      try {
        await stop(signal);
      } catch (thrown) {
        // Given up on the way: the server may go yet.
        if (signal.aborted) await close();
        throw thrown;
      }
      await close();
      await control.connect(signal);
    },
    async ask<R extends ControlRequest>(request: R, signal?: AbortSignal) {
      const asked = worker;
      if (!asked)
        throw lost ? fromErrorData(lost) : new DynoError('serverGone', `There is no connection to ${planned.name}.`);
      if (signal?.aborted) throw new DynoError('cancelled', 'Cancelled.');
      let timer: NodeJS.Timeout | undefined;
      let killed = false;
      const abort = () => {
        void asked.request({ call: 'abort' }).catch(() => {}); // The request that is aborted says how it went.
        timer = setTimeout(() => {
          killed = true;
          void asked.kill();
        }, abortPatienceMs);
      };
      signal?.addEventListener('abort', abort, { once: true });
      try {
        return await asked.request(request);
      } catch (thrown) {
        const isLate = signal?.reason instanceof DOMException && signal.reason.name === 'TimeoutError';
        const error = isLate
          ? new DynoError('timeout', `${planned.name} did not answer in time (${request.call}).`, {
              hint: 'The server is there but does not react: is it stopped, out of memory or disk, or waiting for a lock?',
            })
          : thrown;
        if (killed || toErrorData(thrown).kind === 'workerGone') await lose(toErrorData(error));
        throw error;
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        if (killed) await close();
      }
    },
    async reportError(error) {
      if (error.kind === 'serverGone' || error.kind === 'unreachable' || error.kind === 'workerGone') await lose(error);
    },
    [Symbol.asyncDispose]: close,
  };
  return control;
}
