import type { Database } from '#engine-api/database.ts';
import type { Engine } from '#engine-api/engine.ts';
import { assertNever, DynoError, type ErrorData, toErrorData } from '#model/error.ts';
import type { ClientJob, ControlRequest, ToHost, ToWorker } from '#protocol/messages.ts';
import { cappedDatabase } from '../loop/capped-database.ts';
import { ControlChannel } from '../loop/control-channel.ts';
import type { OpenSourceTarget } from '../operations/copy.ts';
import { watchEnds } from '../timing/handshakes.ts';
import { RateCap } from '../timing/rate-cap.ts';
import { runClient } from './client.ts';
import { createControl } from './control.ts';

/** Time in which sessions may roll back and close after the host has ended. */
const leaveWithinMs = 3_000;

type LoadEngine = (id: string) => Promise<Engine>;

interface Target {
  readonly engine: Engine;
  readonly database: Database;
}

/**
 * Runs the worker's end of the messages between host and worker (ToHost, ToWorker) over the channel of
 * child_process.fork. `loadEngine` imports an engine by its id.
 */
export function startWorkerProcess(loadEngine: LoadEngine): void {
  const worker = new WorkerProcess(loadEngine);
  process.on('message', (message) => worker.receive(message as ToWorker));
  process.on('disconnect', () => worker.leave());
  process.on('uncaughtException', worker.fail);
  process.on('unhandledRejection', worker.fail);
  post({ type: 'hello', pid: process.pid });
}

function post(message: ToHost, sent: () => void = () => {}): void {
  // If the host has ended, nobody receives messages; 'disconnect' ends the process.
  if (process.connected) process.send?.(message, sent);
  else sent();
}

class WorkerProcess {
  readonly #loadEngine: LoadEngine;
  readonly #channel = new ControlChannel();
  readonly #opening = new AbortController();
  #target: Target | null = null;
  #control: ReturnType<typeof createControl> | null = null;
  #role: (ToWorker & { type: 'init' })['role'] = 'client';
  /** Loads without an answer yet. */
  #loads = 0;
  #trial: Promise<void> | null = null;
  #leaving = false;
  #tag = '';

  constructor(loadEngine: LoadEngine) {
    this.#loadEngine = loadEngine;
  }

  receive(message: ToWorker): void {
    switch (message.type) {
      case 'init':
        this.#init(message).catch(this.fail);
        return;
      case 'request':
        void this.#respond(message.id, message.request);
        return;
      case 'prepare':
        this.#trial = this.#prepare(message.job);
        this.#trial.catch(this.fail);
        return;
      case 'warmup':
        this.#channel.warmUp();
        return;
      case 'measure':
        this.#channel.measure(message.atNs);
        return;
      case 'counted':
        this.#channel.counted();
        return;
      case 'nextCall':
        this.#channel.nextCall();
        return;
      case 'stop':
        this.#channel.stop(message.cancel);
        void this.#stopLoads();
        return;
      case 'exit':
        this.leave();
        return;
      default:
        assertNever(message);
    }
  }

  /** Reports why the worker cannot continue, and ends the process with exit code 1. */
  readonly fail = (thrown: unknown): void => {
    if (!this.#beginLeaving()) return;
    post({ type: 'failed', error: this.#toError(thrown) }, () => {
      // The failure is reported; errors while ending would add nothing.
      Promise.resolve(this.#target?.database[Symbol.asyncDispose]())
        .catch(() => {})
        .finally(() => process.exit(1));
    });
  };

  /** Stops the running work, closes the sessions, and ends the process with exit code 0. */
  leave(): void {
    if (this.#beginLeaving()) this.#closeAndExit().catch(this.fail);
  }

  async #closeAndExit(): Promise<void> {
    this.#opening.abort();
    this.#channel.stop(true);
    await this.#stopLoads();
    await this.#trial?.catch(() => {});
    await this.#target?.database[Symbol.asyncDispose]();
    process.exit(0);
  }

  /** False if the process is already ending. */
  #beginLeaving(): boolean {
    if (this.#leaving) return false;
    this.#leaving = true;
    setTimeout(() => process.exit(1), leaveWithinMs).unref();
    return true;
  }

  async #init(message: ToWorker & { type: 'init' }): Promise<void> {
    const { opened, endsHere } = await watchEnds(() => this.#open(message));
    this.#target = opened;
    this.#tag = message.tag;
    this.#role = message.role;
    const { engine, database } = this.#target;
    this.#control = createControl(engine, database, post);
    // With these identities the host decides whether this server may be used. A server that does not report them is
    // known by its address only.
    const identities = await database.identities?.().catch(() => []);
    post({ type: 'ready', identities: identities ?? [], endsHere: endsHere() });
  }

  async #open({
    engine: id,
    config,
    tag,
    role = 'client',
  }: Pick<ToWorker & { type: 'init' }, 'engine' | 'config' | 'tag'> & {
    readonly role?: (ToWorker & { type: 'init' })['role'];
  }): Promise<Target> {
    const engine = await this.#loadEngine(id);
    post({ type: 'loaded' });
    try {
      const database = await engine.open(config, tag, this.#opening.signal);
      // Every use of a server begins with a control process.
      if (role === 'control') await proveOrClose(database);
      return { engine, database };
    } catch (thrown) {
      const data = errorOf(engine, thrown);
      throw new DynoError(data.kind, data.message, data);
    }
  }

  async #respond(id: number, request: ControlRequest): Promise<void> {
    const isLoad = request.call === 'load';
    if (isLoad) this.#loads++;
    try {
      if (!this.#control || (this.#role === 'client' && !isLoad && request.call !== 'abort'))
        throw new DynoError('internal', `A ${this.#role} worker was asked for ${request.call}.`);
      post({ type: 'response', id, result: { ok: true, value: await this.#control.answer(request) } });
    } catch (thrown) {
      post({ type: 'response', id, result: { ok: false, error: this.#toError(thrown) } });
    } finally {
      if (isLoad) this.#loads--;
    }
  }

  /** Makes the server and the worker abandon a running load. */
  async #stopLoads(): Promise<void> {
    if (this.#loads > 0) await this.#control?.answer({ call: 'abort' }).catch(() => {});
  }

  #prepare(job: ClientJob): Promise<void> {
    if (!this.#target || this.#trial)
      throw new DynoError('internal', 'A worker prepares one trial, after its target is open.');
    const { engine, database } = this.#target;
    const toError = (thrown: unknown) => errorOf(engine, thrown);
    const openSourceTarget = () => this.#openSourceTarget(job);
    const { descriptor } = engine;
    const capped = withinCap(database, job);
    return runClient({ descriptor, database: capped, channel: this.#channel, toError, post, openSourceTarget }, job);
  }

  async #openSourceTarget({ sourceTarget, workers }: ClientJob): ReturnType<OpenSourceTarget> {
    if (!sourceTarget) throw new DynoError('internal', 'A copy has no other target.');
    const { engine, database } = await this.#open({ ...sourceTarget, tag: this.#tag });
    const capped = withinCap(database, { ...sourceTarget, workers });
    return { database: capped, toError: (thrown) => errorOf(engine, thrown) };
  }

  #toError(thrown: unknown): ErrorData {
    return this.#target ? errorOf(this.#target.engine, thrown) : toErrorData(thrown);
  }
}

/** The database as this worker may use it, with its share of the maximum statements per second, if there is one. */
const withinCap = (database: Database, { maxPerSecond, workers }: Pick<ClientJob, 'maxPerSecond' | 'workers'>) =>
  maxPerSecond === undefined ? database : cappedDatabase(database, new RateCap(maxPerSecond, workers));

const errorOf = (engine: Engine, thrown: unknown): ErrorData =>
  thrown instanceof DynoError ? thrown.data : engine.toError(thrown);

async function proveOrClose(database: Database): Promise<void> {
  try {
    await database.prove();
  } catch (thrown) {
    await (async () => database[Symbol.asyncDispose]())().catch(() => {});
    throw thrown;
  }
}
