import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { toErrorData } from '#model/error.ts';
import type { HostSecond } from '#protocol/host-second.ts';
import { busNames, pingSchema, readToAgent, sealFor, type ToAgent, type ToCoordinator } from '../bus/frames.ts';
import type { Seal, Seals } from '../bus/seal.ts';
import { openJson, sealJson } from '../bus/sealed-json.ts';
import { SealedLink } from '../bus/sealed-link.ts';
import { Spool } from '../bus/spool.ts';
import type { LoadHost, WorkerChannel } from '../load-host.ts';
import { localHost } from '../local-host.ts';
import { HostSampler } from '../machine/host-sampler.ts';
import { processorTimes } from '../machine-facts.ts';
import { targetsIn } from './ordered-targets.ts';
import type { TargetRules } from './target-rules.ts';

/** Limits of an agent; tests have shorter ones. */
export interface AgentLimits {
  /** The ms without a message of the coordinator after which the load ends. */
  readonly abandonedAfterMs: number;
  readonly spoolBytes: number;
  /** The most worker processes at a time. */
  readonly mostWorkers: number;
}

interface SessionOptions {
  readonly bus: NatsConnection;
  readonly id: string;
  /** The seals between the keys of this session. */
  readonly seals: Seals;
  readonly rules: TargetRules;
  readonly limits: AgentLimits;
  /** The host of its worker processes. Default: this machine. */
  readonly host?: LoadHost;
  /** The folder of the spool. */
  readonly folder: string;
  /** Resolves when nothing of the session is left. */
  readonly onEnd: (why: string) => void;
}

/** The ms in which workers may cancel their calls at the server after the load was stopped. */
const stopPatienceMs = 5_000;
const flushWithinMs = 2_000;

/**
 * One coordinator's work on this agent: its worker processes, and the link over which they get orders and send
 * messages.
 */
export class AgentSession {
  readonly #options: SessionOptions;
  readonly #link: SealedLink;
  readonly #spool: Spool;
  readonly #pingSeal: Seal;
  readonly #pings: Subscription;
  readonly #workers = new Map<number, WorkerChannel>();
  readonly #watch: NodeJS.Timeout;
  /** Null: the coordinator has not asked for the use of this machine. */
  #sampler: HostSampler | null = null;
  #heardAt = performance.now();
  #lastPing = -1;
  #state: 'working' | 'stopping' | 'ended' = 'working';

  constructor(options: SessionOptions) {
    this.#options = options;
    const { bus, id, seals, limits, folder } = options;
    this.#pingSeal = seals(sealFor.ping(id));
    this.#spool = new Spool(join(folder, `spool-${randomBytes(8).toString('hex')}`), limits.spoolBytes);
    this.#link = new SealedLink({
      bus,
      stream: busNames.stream(id),
      sendTo: busNames.toCoordinator(id),
      receiveFrom: busNames.toAgent(id),
      seal: seals(sealFor.stream(id)),
      spool: this.#spool,
      onFrame: (frame) => this.#receive(readToAgent(frame)),
      onBroken: ({ message }) => void this.end(message),
    });
    this.#pings = bus.subscribe(busNames.pings(id), {
      callback: (error, message) => {
        const answer = error === null ? this.#answerPing(message.data) : null;
        if (answer !== null) message.respond(answer);
      },
    });
    const { abandonedAfterMs } = limits;
    this.#watch = setInterval(() => {
      const silentMs = performance.now() - this.#heardAt;
      if (silentMs > abandonedAfterMs) void this.#abandon(silentMs);
    }, abandonedAfterMs / 20);
  }

  /** Kills the rest of the session, and forgets it. */
  async end(why: string): Promise<void> {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    clearInterval(this.#watch);
    this.#pings.unsubscribe();
    for (const worker of this.#workers.values()) worker.kill();
    await this.#link.flush(flushWithinMs);
    this.#link.close();
    this.#spool[Symbol.dispose]();
    this.#options.onEnd(why);
  }

  /** Null: the message is not the coordinator's, or was heard before. */
  #answerPing(data: Uint8Array): Uint8Array | null {
    const heard = process.hrtime.bigint();
    const ping = openJson(this.#pingSeal, data, pingSchema);
    if (ping === null || ping.number <= this.#lastPing) return null;
    const { number, asksUse } = ping;
    this.#lastPing = number;
    this.#heardAt = performance.now();
    const use = asksUse ? this.#use() : null;
    const processors = processorTimes();
    const heldNs = Number(process.hrtime.bigint() - heard);
    return sealJson(this.#pingSeal, { number, ns: String(heard), heldNs, wallMs: Date.now(), ...processors, use });
  }

  #use(): HostSecond | null {
    const use = this.#sampler?.next() ?? null;
    this.#sampler ??= new HostSampler();
    return use;
  }

  /** Load never runs unattended: the workers stop as after a cancel, and their measurements are still sent. */
  async #abandon(silentMs: number): Promise<void> {
    if (this.#state !== 'working') return;
    this.#state = 'stopping';
    this.#send({ type: 'abandoned', afterMs: silentMs });
    for (const worker of this.#workers.values()) worker.send({ type: 'stop', cancel: true });
    for (let waited = 0; waited < stopPatienceMs && this.#workers.size > 0; waited += 100) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      for (const worker of this.#workers.values()) worker.send({ type: 'exit' });
    }
    await this.end(`the coordinator was not heard for ${Math.round(silentMs / 1_000)} s`);
  }

  #receive(frame: ToAgent | null): void {
    if (frame === null || this.#state !== 'working') return;
    switch (frame.type) {
      case 'start':
        this.#start(frame.worker);
        return;
      case 'tell':
        this.#tell(frame.worker, frame.message);
        return;
      case 'kill':
        this.#workers.get(frame.worker)?.kill();
        return;
      case 'end':
        void this.end('the coordinator is done');
        return;
    }
  }

  #start(worker: number): void {
    if (this.#workers.has(worker) || this.#workers.size >= this.#options.limits.mostWorkers) {
      const message = `This agent runs ${this.#options.limits.mostWorkers} worker processes at most.`;
      this.#send({
        type: 'failed',
        worker,
        error: { kind: 'limit', code: null, message, hint: null, retryable: false },
      });
      this.#send({ type: 'closed', worker, code: null, signal: null, stderr: '' });
      return;
    }
    const channel = (this.#options.host ?? localHost).startWorker({
      message: (message) => this.#send({ type: 'told', worker, message }),
      failed: ({ data }) => this.#send({ type: 'failed', worker, error: data }),
      closed: (end) => {
        this.#workers.delete(worker);
        this.#send({ type: 'closed', worker, ...end });
      },
    });
    this.#workers.set(worker, channel);
  }

  #tell(worker: number, message: Extract<ToAgent, { type: 'tell' }>['message']): void {
    const channel = this.#workers.get(worker);
    if (!channel) return;
    try {
      const { rules } = this.#options;
      for (const { engine, config } of targetsIn(message)) rules.check(engine, config);
      channel.send(message);
    } catch (thrown) {
      this.#send({ type: 'failed', worker, error: toErrorData(thrown) });
      channel.kill();
    }
  }

  #send(frame: ToCoordinator): void {
    this.#link.send(frame);
  }
}
