import type { NatsConnection } from '@nats-io/transport-node';
import type * as v from 'valibot';
import { toErrorData } from '#model/error.ts';
import { type AgentFacts, busNames, requestSchema } from '../bus/frames.ts';
import { type KeyPair, keyName, newKeyPair, type Seal, sealBetween } from '../bus/seal.ts';
import { openJson, sealJson } from '../bus/sealed-json.ts';
import { usualSpoolBytes } from '../bus/spool.ts';
import type { LoadHost } from '../load-host.ts';
import { machineFacts } from '../machine-facts.ts';
import { type AgentLimits, AgentSession } from './session.ts';
import type { TargetRules } from './target-rules.ts';

interface AgentOptions {
  readonly bus: NatsConnection;
  readonly keys: KeyPair;
  /** Public keys of the coordinators that it works for. */
  readonly trusted: readonly string[];
  readonly rules: TargetRules;
  readonly limits: AgentLimits;
  /** Dyno's version. */
  readonly version: string;
  /** Where its worker processes run; default: on this machine. */
  readonly host?: LoadHost;
  /** For the spool; exists. */
  readonly folder: string;
  readonly note: (text: string) => void;
}

/** The limits of an agent where nothing else is said. */
export const usualLimits: AgentLimits = {
  abandonedAfterMs: 10_000,
  spoolBytes: usualSpoolBytes,
  mostWorkers: 64,
};

/**
 * Works for trusted coordinators, for one at a time, until it is disposed of. What is not sealed by one of them gets no
 * answer.
 */
export class Agent implements AsyncDisposable {
  readonly #options: AgentOptions;
  #session: AgentSession | null = null;

  private constructor(options: AgentOptions) {
    this.#options = options;
  }

  static async start(options: AgentOptions): Promise<Agent> {
    const agent = new Agent(options);
    const seals = await Promise.all(options.trusted.map((key) => sealBetween(options.keys, key)));
    const own = busNames.requests(await keyName(options.keys.publicKey));
    // Where the same key runs twice, one of them gets the request.
    options.bus.subscribe(own, {
      queue: 'agent',
      callback: (error, message) => {
        if (error === null)
          agent
            .#answer(message.data, seals)
            .then((answer) => answer !== null && message.respond(answer))
            .catch((thrown) => options.note(`A request got no answer: ${toErrorData(thrown).message}`));
      },
    });
    await options.bus.flush();
    return agent;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#session?.end('the agent was stopped');
  }

  /** Null: it is not from a trusted coordinator. */
  async #answer(data: Uint8Array, seals: readonly Seal[]): Promise<Uint8Array | null> {
    for (const seal of seals) {
      const request = openJson(seal, data, requestSchema);
      if (request !== null) return sealJson(seal, await this.#begin(request));
    }
    return null;
  }

  async #begin(request: v.InferOutput<typeof requestSchema>): Promise<AgentFacts> {
    const { version } = this.#options;
    const own = await newKeyPair();
    const seal = await sealBetween(own, request.key);
    const refusal =
      request.version !== version
        ? `it is of Dyno ${version}, and the coordinator of ${request.version}`
        : this.#session
          ? 'it works for another run'
          : this.#openSession(request.session, seal);
    return { version, refusal, key: own.publicKey, ...machineFacts() };
  }

  /** Why it could not be opened, as when the spool's disk is full; null: it is open. */
  #openSession(id: string, seal: Seal): string | null {
    const { bus, rules, limits, host, folder, note } = this.#options;
    const name = `session ${id.slice(0, 8)}`;
    try {
      const session = new AgentSession({
        ...{ bus, id, seal, rules, limits, folder },
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
