import type { Database, Engine } from '#contract/engine.ts';
import { assertNever, DynoError, type ErrorData, toErrorData } from '#contract/error.ts';
import type { ClientJob, ControlRequest, ToHost, ToWorker } from '#contract/messages.ts';
import { ControlChannel } from '../loop/control-channel.ts';
import type { OpenSourceTarget } from '../operations/copy.ts';
import { runClient } from './client.ts';
import { createControl } from './control.ts';
import { watchHost } from './host-watch.ts';

/** How long sessions may take to roll back and close once the host is gone. */
const leaveWithinMs = 3_000;
/** Then the process is killed: it is in a call that lets nothing else happen. */
const killedAfterMs = leaveWithinMs + 2_000;

/**
 * Runs the worker's end of the messages between host and worker (ToHost, ToWorker) over the channel of child_process.fork.
 * `loadEngine` imports an engine by its id. `hostPipe` is a file descriptor that ends with the host; without it (null) only the
 * process' 'disconnect' event tells that the host is gone.
 */
export function startWorkerProcess(loadEngine: (id: string) => Promise<Engine>, hostPipe: number | null): void {
  let target: { readonly engine: Engine; readonly database: Database } | null = null;
  let control: ReturnType<typeof createControl> | null = null;
  let trial: Promise<void> | null = null;
  const channel = new ControlChannel();
  const opening = new AbortController();
  let leaving = false;
  let tag = '';

  const post = (message: ToHost, sent: () => void = () => {}) => {
    // Without a host there is nobody to tell; 'disconnect' ends the process.
    if (process.connected) process.send?.(message, sent);
    else sent();
  };
  const fail = (thrown: unknown) => {
    if (leaving) return;
    leaving = true;
    setTimeout(() => process.exit(1), leaveWithinMs).unref();
    post({ type: 'failed', error: toError(thrown) }, () => {
      // The failure has been told; what else goes wrong on the way out adds nothing.
      Promise.resolve(target?.database[Symbol.asyncDispose]())
        .catch(() => {})
        .finally(() => process.exit(1));
    });
  };
  const toError = (thrown: unknown): ErrorData =>
    thrown instanceof DynoError || !target ? toErrorData(thrown) : target.engine.toError(thrown);

  async function leave(): Promise<void> {
    if (leaving) return;
    leaving = true;
    setTimeout(() => process.exit(1), leaveWithinMs).unref();
    opening.abort();
    channel.stop(true);
    await trial?.catch(() => {});
    await target?.database[Symbol.asyncDispose]();
    process.exit(0);
  }

  async function open(
    where: Pick<ToWorker & { type: 'init' }, 'engine' | 'config' | 'tag'>,
  ): Promise<{ readonly engine: Engine; readonly database: Database }> {
    const engine = await loadEngine(where.engine);
    try {
      return { engine, database: await engine.open(where.config, where.tag, opening.signal) };
    } catch (thrown) {
      const data = thrown instanceof DynoError ? thrown.data : engine.toError(thrown);
      throw new DynoError(data.kind, data.message, data);
    }
  }

  async function init(message: ToWorker & { type: 'init' }): Promise<void> {
    target = await open(message);
    tag = message.tag;
    if (message.role === 'control') control = createControl(target.engine, target.database, post);
    post({ type: 'ready' });
  }

  async function respond(id: number, request: ControlRequest): Promise<void> {
    try {
      if (!control) throw new DynoError('internal', `A client worker was asked for ${request.call}.`);
      post({ type: 'response', id, result: { ok: true, value: await control.answer(request) } });
    } catch (thrown) {
      post({ type: 'response', id, result: { ok: false, error: toError(thrown) } });
    }
  }

  async function openSourceTarget({ sourceTarget }: ClientJob): ReturnType<OpenSourceTarget> {
    if (!sourceTarget) throw new DynoError('internal', 'A copy has no other target.');
    const { engine, database } = await open({ ...sourceTarget, tag });
    return { database, toError: (thrown) => (thrown instanceof DynoError ? thrown.data : engine.toError(thrown)) };
  }

  function prepare(job: ClientJob): Promise<void> {
    if (!target || trial) throw new DynoError('internal', 'A worker prepares one trial, after its target is open.');
    const { engine, database } = target;
    const openSource = () => openSourceTarget(job);
    return runClient(
      { descriptor: engine.descriptor, database, channel, toError, post, openSourceTarget: openSource },
      job,
    );
  }

  function receive(message: ToWorker): void {
    switch (message.type) {
      case 'init':
        init(message).catch(fail);
        return;
      case 'request':
        void respond(message.id, message.request);
        return;
      case 'prepare':
        trial = prepare(message.job);
        trial.catch(fail);
        return;
      case 'warmup':
        channel.warmUp();
        return;
      case 'measure':
        channel.measure();
        return;
      case 'nextCall':
        channel.nextCall();
        return;
      case 'stop':
        channel.stop(message.cancel);
        return;
      case 'exit':
        leave().catch(fail);
        return;
      default:
        assertNever(message);
    }
  }

  process.on('message', (message) => receive(message as ToWorker));
  process.on('disconnect', () => leave().catch(fail));
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  if (hostPipe !== null) watchHost({ pipe: hostPipe, graceMs: killedAfterMs });
  post({ type: 'hello', pid: process.pid });
}
