import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import type * as v from 'valibot';
import { toErrorData } from '#model/error.ts';
import { type AgentFacts, type Begun, beginSchema, busNames, questionSchema, sealFor } from '../bus/frames.ts';
import { type KeyPair, keyName, newKeyPair, type Seals, sealsBetween } from '../bus/seal.ts';
import { openJson, sealJson } from '../bus/sealed-json.ts';
import { usualSpoolBytes } from '../bus/spool.ts';
import type { LoadHost } from '../load-host.ts';
import { machineFacts } from '../machine-facts.ts';
import { type AgentLimits, AgentSession } from './session.ts';
import type { TargetRules } from './target-rules.ts';

interface AgentOptions {
  readonly bus: NatsConnection;
  readonly keys: KeyPair;
  /** The public keys of the coordinators for which it works. */
  readonly trusted: readonly string[];
  readonly rules: TargetRules;
  readonly limits: AgentLimits;
  /** Dyno's version. */
  readonly version: string;
  /** The host of its worker processes. Default: this machine. */
  readonly host?: LoadHost;
  /** The folder of the spool, which must exist. */
  readonly folder: string;
  readonly note: (text: string) => void;
}

/** The default limits of an agent. */
export const usualLimits: AgentLimits = {
  abandonedAfterMs: 10_000,
  spoolBytes: usualSpoolBytes,
  mostWorkers: 64,
};

/**
 * Works for trusted coordinators, for one at a time, until it is disposed of. A message that none of them has sealed
 * gets no answer. An order begins a session. It is sealed for a key that the agent has made for this session and sent
 * in its answer to a question: an order that is heard again opens nothing, even in a process that was started later.
 */
export class Agent implements AsyncDisposable {
  readonly #options: AgentOptions;
  /** The key of the next session. */
  #offer: Promise<KeyPair>;
  #session: AgentSession | null = null;

  private constructor(options: AgentOptions) {
    this.#options = options;
    this.#offer = this.#makeOffer();
  }

  static async start(options: AgentOptions): Promise<Agent> {
    const agent = new Agent(options);
    const { bus, keys, trusted } = options;
    const seals = await Promise.all(trusted.map((key) => sealsBetween(keys, key)));
    // If two agents run with the same key, one of them gets the question and the order that follows it.
    agent.#hear(busNames.agent(await keyName(keys.publicKey)), { queue: 'agent' }, (data) =>
      agent.#answer(data, seals),
    );
    await agent.#offer;
    await bus.flush();
    return agent;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#session?.end('the agent was stopped');
  }

  /** Sends the result of `answer` to a message back. */
  #hear(subject: string, options: { readonly queue?: string }, answer: Answering): Subscription {
    const { bus, note } = this.#options;
    const respond = async (message: Msg): Promise<void> => {
      const sealed = await answer(message.data);
      if (sealed !== null) message.respond(sealed);
    };
    return bus.subscribe(subject, {
      ...options,
      callback: (error, message) => {
        if (error === null)
          respond(message).catch((thrown) => note(`A request got no answer: ${toErrorData(thrown).message}`));
      },
    });
  }

  /** Makes the key of the next session, for which one order is obeyed. */
  async #makeOffer(): Promise<KeyPair> {
    const { bus, trusted } = this.#options;
    const keys = await newKeyPair();
    const coordinators = await Promise.all(trusted.map((key) => sealsBetween(keys, key)));
    let isUsed = false;
    const orders = this.#hear(busNames.agent(await keyName(keys.publicKey)), {}, async (data) => {
      const heard = openFirst(coordinators, sealFor.begin, data, beginSchema);
      if (heard === null || isUsed) return null;
      isUsed = true;
      orders.unsubscribe();
      this.#offer = this.#makeOffer();
      const { seals, value: order } = heard;
      const begun: Begun = { refusal: await this.#begin(order, keys) };
      return sealJson(seals(sealFor.begun(order.session)), begun);
    });
    await bus.flush();
    return keys;
  }

  async #answer(data: Uint8Array, coordinators: readonly Seals[]): Promise<Uint8Array | null> {
    const heard = openFirst(coordinators, sealFor.question, data, questionSchema);
    if (heard === null) return null;
    const { publicKey: key } = await this.#offer;
    const facts: AgentFacts = { version: this.#options.version, busy: this.#session !== null, key, ...machineFacts() };
    return sealJson(heard.seals(sealFor.facts(heard.value.question)), facts);
  }

  async #begin({ session, key, version }: v.InferOutput<typeof beginSchema>, keys: KeyPair): Promise<string | null> {
    const own = this.#options.version;
    if (version !== own) return `it is of Dyno ${own}, and the coordinator of ${version}`;
    const seals = await sealsBetween(keys, key);
    return this.#session ? 'it works for another run' : this.#openSession(session, seals);
  }

  /** Opens a session and returns null, or the reason why it could not be opened, as when the spool's disk is full. */
  #openSession(id: string, seals: Seals): string | null {
    const { bus, rules, limits, host, folder, note } = this.#options;
    const name = `session ${id.slice(0, 8)}`;
    try {
      const session = new AgentSession({
        ...{ bus, id, seals, rules, limits, folder },
        ...(host && { host }),
        onEnd: (why) => {
          if (this.#session === session) this.#session = null;
          note(`The ${name} is over: ${why}.`);
        },
      });
      this.#session = session;
    } catch (thrown) {
      return toErrorData(thrown).message;
    }
    note(`Works for ${name}.`);
    return null;
  }
}

/** Null: there is no answer. */
type Answering = (data: Uint8Array) => Promise<Uint8Array | null>;

/** The content of a message that one of the coordinators has sealed for a purpose; null: none of them has. */
function openFirst<S extends v.GenericSchema>(all: readonly Seals[], purpose: string, data: Uint8Array, schema: S) {
  for (const seals of all) {
    const value = openJson(seals(purpose), data, schema);
    if (value !== null) return { seals, value };
  }
  return null;
}
