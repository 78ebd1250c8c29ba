import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { jetstreamManager, StorageType } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { DynoError } from '#model/error.ts';
import type { ToHost, ToWorker } from '#protocol/messages.ts';
import {
  type AgentFacts,
  begunSchema,
  busNames,
  factsSchema,
  pongSchema,
  readToCoordinator,
  sealFor,
  type ToAgent,
  type ToCoordinator,
} from '../bus/frames.ts';
import { type KeyPair, keyName, newKeyPair, type Seal, type Seals, sealsBetween } from '../bus/seal.ts';
import { openJson, sealJson } from '../bus/sealed-json.ts';
import { SealedLink } from '../bus/sealed-link.ts';
import { Spool, usualSpoolBytes } from '../bus/spool.ts';
import type { LoadHost, ProcessorTimes, WorkerChannel, WorkerListener } from '../load-host.ts';
import type { HostWatch, SecondListener } from '../machine/host-sampler.ts';
import { AgentClock } from './clock.ts';

interface AgentHostOptions {
  readonly name: string;
  readonly bus: NatsConnection;
  readonly keys: KeyPair;
  /** The agent's public key. */
  readonly agent: string;
  readonly version: string;
  /** The folder of the spool, which must exist. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

const requestWithinMs = 5_000;
const pingEachMs = 1_000;
const firstPings = 10;
/** The ms after which the agent has stopped its load, because it did not hear its coordinator. */
const lostAfterMs = 20_000;
/** Messages that neither side has read by then belong to a session that is over. */
const keptMs = 300_000;
const flushWithinMs = 2_000;
const gone = { code: null, signal: null, stderr: '' };

/** A load host with an agent, in one session: from the request until it is disposed of, or the agent is lost. */
export class AgentHost implements LoadHost, AsyncDisposable {
  readonly name: string;
  readonly facts: AgentFacts;
  readonly clock = new AgentClock();
  readonly #bus: NatsConnection;
  readonly #session: string;
  readonly #pingSeal: Seal;
  readonly #spool: Spool;
  readonly #link: SealedLink;
  readonly #workers = new Map<number, WorkerListener>();
  readonly #ended = new AbortController();
  #nextWorker = 0;
  #nextPing = 0;
  #answeredAt = performance.now();
  #processors: ProcessorTimes | null = null;
  readonly #watchers = new Set<SecondListener>();
  #lost: DynoError | null = null;

  private constructor(options: AgentHostOptions, session: string, seals: Seals, facts: AgentFacts) {
    this.name = options.name;
    this.facts = facts;
    this.#bus = options.bus;
    this.#session = session;
    this.#pingSeal = seals(sealFor.ping(session));
    this.#spool = new Spool(join(options.folder, `spool-${session}`), usualSpoolBytes);
    this.#link = new SealedLink({
      bus: options.bus,
      stream: busNames.stream(session),
      sendTo: busNames.toAgent(session),
      receiveFrom: busNames.toCoordinator(session),
      seal: seals(sealFor.stream(session)),
      spool: this.#spool,
      onFrame: (frame) => this.#receive(readToCoordinator(frame)),
      onBroken: (error) => this.lose(error),
    });
  }

  /**
   * Begins a session with an agent. Throws 'unreachable' if none answers, 'unsupported' for another version, and
   * 'limit' if it works for another run.
   */
  static async open(options: AgentHostOptions): Promise<AgentHost> {
    const { name, bus, version, signal } = options;
    const session = randomBytes(12).toString('hex');
    const streams = (await jetstreamManager(bus)).streams;
    await streams.add({
      name: busNames.stream(session),
      subjects: [busNames.toAgent(session), busNames.toCoordinator(session)],
      storage: StorageType.File,
      // There is no max_bytes, because nats-server would reserve it for each stream.
      max_age: keptMs * 1e6,
    });
    try {
      signal.throwIfAborted();
      const facts = await ask(options);
      if (facts.version !== version)
        throw new DynoError(
          'unsupported',
          `The agent on ${name} is of Dyno ${facts.version}, and this is ${version}.`,
          {
            hint: 'Figures of two versions do not compare: install the same Dyno there.',
          },
        );
      const host = new AgentHost(options, session, await begin(options, session, facts), facts);
      for (let i = 0; i < firstPings; i++) await host.#ping().catch(() => {});
      if (host.clock.roundTripMs === Number.POSITIVE_INFINITY) {
        await host[Symbol.asyncDispose]();
        throw new DynoError('unreachable', `The agent on ${name} answers, but no ping.`);
      }
      void host.#watch();
      return host;
    } catch (thrown) {
      await streams.delete(busNames.stream(session)).catch(() => {});
      throw thrown;
    }
  }

  /** The reason why the agent cannot be used any more; null: it can. */
  get lost(): DynoError | null {
    return this.#lost;
  }

  get cores(): number {
    return this.facts.cores;
  }

  get processors(): ProcessorTimes | null {
    return this.#processors;
  }

  get os(): string {
    return this.facts.os;
  }

  /** The agent measures with the answers to pings, and cannot tell a part of a second. */
  watchMachine(onSecond: SecondListener): HostWatch {
    this.#watchers.add(onSecond);
    const end = () => void this.#watchers.delete(onSecond);
    // The first answer is the beginning of the first second.
    void this.#ping().catch(() => {});
    return { end, [Symbol.dispose]: end };
  }

  startWorker(listener: WorkerListener): WorkerChannel {
    const worker = this.#nextWorker++;
    let pid = 0;
    let hasEnded = false;
    this.#workers.set(worker, {
      message: (message) => {
        if (message.type === 'hello') pid = message.pid;
        listener.message(message);
      },
      failed: listener.failed,
      closed: (end) => {
        hasEnded = true;
        listener.closed(end);
      },
    });
    if (this.#lost) {
      const error = this.#lost;
      queueMicrotask(() => this.#drop(worker, error));
    } else this.#send({ type: 'start', worker });
    return {
      get pid() {
        return pid;
      },
      get hasEnded() {
        return hasEnded;
      },
      send: (message) => this.#send({ type: 'tell', worker, message: this.#translated(message) }),
      kill: () => this.#send({ type: 'kill', worker }),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#ended.signal.aborted) return;
    this.#send({ type: 'end' });
    await this.#link.flush(flushWithinMs);
    this.lose(new DynoError('cancelled', `The session with ${this.name} is over.`));
    this.#ended.abort();
    this.#link.close();
    this.#spool[Symbol.dispose]();
    if (!this.#bus.isClosed()) {
      // The agent reads the end first; if it does not, it learns from the silence.
      await sleep(100);
      const streams = (await jetstreamManager(this.#bus)).streams;
      await streams.delete(busNames.stream(this.#session)).catch(() => {});
    }
  }

  async #watch(): Promise<void> {
    while (!this.#ended.signal.aborted && this.#lost === null) {
      await sleep(pingEachMs, undefined, { ref: false });
      await this.#ping().catch(() => {});
      const silentMs = performance.now() - this.#answeredAt;
      if (silentMs > lostAfterMs)
        this.lose(
          new DynoError('workerGone', `${this.name} has not answered for ${Math.round(silentMs / 1_000)} s.`, {
            hint: 'Its agent has died, or the network between is down. An agent that is alone stops its load.',
          }),
        );
    }
  }

  async #ping(): Promise<void> {
    const number = this.#nextPing++;
    const sealed = sealJson(this.#pingSeal, { number, asksUse: this.#watchers.size > 0 });
    const sent = process.hrtime.bigint();
    const answer = await this.#bus.request(busNames.pings(this.#session), sealed, { timeout: 2 * pingEachMs });
    const answered = process.hrtime.bigint();
    const pong = openJson(this.#pingSeal, answer.data, pongSchema);
    if (pong?.number !== number) return;
    const { ns, heldNs, wallMs, busyMs, idleMs, use } = pong;
    this.clock.add(sent, answered, BigInt(ns), wallMs, heldNs);
    this.#answeredAt = performance.now();
    this.#processors = { busyMs, idleMs };
    const endNs = BigInt(this.clock.fromAgent(ns));
    if (use !== null) for (const told of this.#watchers) told(use, endNs);
  }

  #receive(frame: ToCoordinator | null): void {
    if (frame === null) {
      this.lose(new DynoError('internal', `${this.name} says what an agent does not say.`));
      return;
    }
    if (frame.type === 'abandoned') {
      this.lose(
        new DynoError(
          'workerGone',
          `${this.name} had not heard this machine for ${Math.round(frame.afterMs / 1_000)} s and stopped its load.`,
        ),
      );
      return;
    }
    const worker = this.#workers.get(frame.worker);
    if (!worker) return;
    switch (frame.type) {
      case 'told':
        worker.message(this.#translatedBack(frame.message));
        return;
      case 'failed':
        worker.failed(new DynoError(frame.error.kind, `${this.name}: ${frame.error.message}`, frame.error));
        return;
      case 'closed':
        this.#workers.delete(frame.worker);
        worker.closed(frame);
        return;
    }
  }

  #translated(message: ToWorker): ToWorker {
    return message.type === 'measure' && message.atNs !== null
      ? { type: 'measure', atNs: this.clock.toAgent(message.atNs) }
      : message;
  }

  /** Times are translated into this machine's clock, and errors get the host's name. */
  #translatedBack(message: ToHost): ToHost {
    const own = (ns: string) => this.clock.fromAgent(ns);
    switch (message.type) {
      case 'measured':
        return { ...message, lastEndNs: own(message.lastEndNs) };
      case 'result': {
        const { beganNs, firstStartNs, lastEndNs } = message.result;
        const times = { beganNs: own(beganNs), firstStartNs: own(firstStartNs), lastEndNs: own(lastEndNs) };
        return { ...message, result: { ...message.result, ...times } };
      }
      case 'failed':
        return { ...message, error: { ...message.error, message: `${this.name}: ${message.error.message}` } };
      default:
        return message;
    }
  }

  /** The agent is gone, and so is every worker that it had. */
  lose(error: DynoError): void {
    if (this.#lost !== null) return;
    this.#lost = error;
    for (const worker of [...this.#workers.keys()]) this.#drop(worker, error);
  }

  #drop(worker: number, error: DynoError): void {
    const listener = this.#workers.get(worker);
    this.#workers.delete(worker);
    listener?.failed(error);
    listener?.closed(gone);
  }

  #send(frame: ToAgent): void {
    this.#link.send(frame);
  }
}

/** The agent's facts. Throws 'unreachable' if nobody answers for its key. */
async function ask({ name, bus, keys, agent }: AgentHostOptions): Promise<AgentFacts> {
  const seals = await sealsBetween(keys, agent);
  const question = randomBytes(12).toString('hex');
  const sealed = sealJson(seals(sealFor.question), { question });
  const answer = await answerTo(bus, agent, sealed);
  const facts = answer && openJson(seals(sealFor.facts(question)), answer, factsSchema);
  if (facts === null)
    throw new DynoError('unreachable', `No agent answers for ${name}.`, {
      hint: `Is it running there, with --trust ${keys.publicKey}, and is ${agent} its key?`,
    });
  return facts;
}

/** The seals of a session that the agent has begun. Throws 'limit' where it works for another run, or cannot begin. */
async function begin({ name, bus, keys, version }: AgentHostOptions, session: string, facts: AgentFacts) {
  const refused = (why: string) => new DynoError('limit', `The agent on ${name} does not work now: ${why}.`);
  if (facts.busy) throw refused('it works for another run');
  const own = await newKeyPair();
  const seals = await sealsBetween(keys, facts.key);
  const order = sealJson(seals(sealFor.begin), { session, key: own.publicKey, version });
  const answer = await answerTo(bus, facts.key, order);
  const begun = answer && openJson(seals(sealFor.begun(session)), answer, begunSchema);
  // The first order uses up its key for a session.
  if (begun === null) throw refused('it has begun to work for another run, or was stopped');
  if (begun.refusal !== null) throw refused(begun.refusal);
  return sealsBetween(own, facts.key);
}

const answerTo = async (bus: NatsConnection, key: string, sealed: Uint8Array): Promise<Uint8Array | null> => {
  const subject = busNames.agent(await keyName(key));
  return bus.request(subject, sealed, { timeout: requestWithinMs }).then(
    ({ data }) => data,
    () => null,
  );
};
