import { setTimeout as sleep } from 'node:timers/promises';
import { DeliverPolicy, type JetStreamClient, jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import * as v from 'valibot';
import { DynoError, toErrorData } from '#model/error.ts';
import { ordinal } from '#protocol/read-values.ts';
import type { Seal } from './seal.ts';
import { openJson } from './sealed-json.ts';
import type { Spool } from './spool.ts';

interface LinkOptions {
  readonly bus: NatsConnection;
  /** The JetStream stream that carries both directions. */
  readonly stream: string;
  readonly sendTo: string;
  readonly receiveFrom: string;
  readonly seal: Seal;
  /** The spool in which messages wait while the bus cannot take them. */
  readonly spool: Spool;
  /** Receives the partner's frames, each once and in the order in which they were sent. */
  readonly onFrame: (frame: unknown) => void;
  /** Is called if the link can no longer be used, because the spool is full or messages were lost. */
  readonly onBroken: (error: DynoError) => void;
}

const messageSchema = v.object({ number: ordinal, frames: v.array(v.unknown()) });

/** The limit of frames, as JSON, that wait in memory before they go to disk. */
const mostWaitingBytes = 256_000;
const publishWithinMs = 2_000;
const retryMs = 200;
/** A lost consumer is noticed after two missed heartbeats, which come twice in this time. */
const pullMs = 2_000;

/**
 * One end of a sealed link over a JetStream stream, which keeps what a partner without connection has not read yet.
 * Messages are numbered: JetStream stores none twice, and the reader takes none twice.
 */
export class SealedLink {
  readonly #options: LinkOptions;
  readonly #stream: JetStreamClient;
  #waiting: string[] = [];
  #waitingBytes = 0;
  #nextOut = 1;
  #nextIn = 1;
  #sent = 0;
  #pump: Promise<void> | null = null;
  readonly #closed = new AbortController();
  #received = 0;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#stream = jetstream(options.bus);
    void this.#receive();
  }

  /** Takes a frame, which is sent as soon as the bus accepts it. */
  send(frame: object): void {
    if (this.#closed.signal.aborted) return;
    const text = JSON.stringify(frame);
    this.#waiting.push(text);
    this.#waitingBytes += text.length;
    // If the pump is stuck, the spool takes over the waiting messages.
    if (this.#pump !== null && this.#waitingBytes > mostWaitingBytes) this.#toSpool();
    this.#pump ??= this.#send().finally(() => {
      this.#pump = null;
    });
  }

  /** Resolves when the bus has accepted everything, or after `withinMs`. */
  async flush(withinMs: number): Promise<void> {
    await Promise.race([this.#pump, sleep(withinMs, undefined, { ref: false })]);
  }

  close(): void {
    this.#closed.abort();
  }

  #toSpool(): void {
    try {
      this.#options.spool.add(this.#takeWaiting());
    } catch (thrown) {
      const { kind, message } = toErrorData(thrown);
      this.close();
      this.#options.onBroken(new DynoError(kind, message));
    }
  }

  /** The waiting messages, as one sealed message. */
  #takeWaiting(): Uint8Array {
    const text = `{"number":${this.#nextOut++},"frames":[${this.#waiting.join(',')}]}`;
    this.#waiting = [];
    this.#waitingBytes = 0;
    return this.#options.seal.seal(Buffer.from(text));
  }

  async #send(): Promise<void> {
    const { spool } = this.#options;
    await null; // Frames of one turn of the event loop go together.
    while (!this.#closed.signal.aborted) {
      const stored = spool.first();
      if (stored === null && this.#waiting.length === 0) return;
      if (!(await this.#publish(stored ?? this.#takeWaiting()))) return;
      if (stored !== null) spool.shift();
    }
  }

  /** Publishes one message, as often as it takes. False: the link was closed. */
  async #publish(message: Uint8Array): Promise<boolean> {
    const { sendTo } = this.#options;
    const msgID = `${sendTo}-${++this.#sent}`;
    while (!this.#closed.signal.aborted)
      try {
        await this.#stream.publish(sendTo, message, { msgID, timeout: publishWithinMs });
        return true;
      } catch (thrown) {
        if (message.length > (this.#options.bus.info?.max_payload ?? Number.POSITIVE_INFINITY)) {
          this.close();
          this.#options.onBroken(tooLong(message.length, thrown));
          return false;
        }
        await sleep(retryMs);
      }
    return false;
  }

  async #receive(): Promise<void> {
    const { bus, stream, receiveFrom } = this.#options;
    while (!this.#closed.signal.aborted && !bus.isClosed())
      try {
        const consumer = await this.#stream.consumers.get(stream, {
          filter_subjects: [receiveFrom],
          ...(this.#received > 0
            ? { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: this.#received + 1 }
            : { deliver_policy: DeliverPolicy.All }),
        });
        const messages = await consumer.consume({ expires: pullMs });
        const stop = () => messages.stop();
        this.#closed.signal.addEventListener('abort', stop, { once: true });
        if (this.#closed.signal.aborted) stop();
        for await (const message of messages) {
          if (this.#closed.signal.aborted) break;
          this.#received = message.seq;
          this.#open(message.data);
        }
        this.#closed.signal.removeEventListener('abort', stop);
      } catch {
        // The bus is away, or lacks the stream so far.
        await sleep(retryMs);
      }
  }

  #open(sealed: Uint8Array): void {
    const message = openJson(this.#options.seal, sealed, messageSchema);
    if (message === null) return;
    const { number, frames } = message;
    if (number < this.#nextIn) return;
    if (number > this.#nextIn) {
      this.close();
      this.#options.onBroken(new DynoError('serverGone', 'Messages were lost on the bus.'));
      return;
    }
    this.#nextIn++;
    for (const frame of frames) this.#options.onFrame(frame);
  }
}

const tooLong = (bytes: number, thrown: unknown): DynoError =>
  new DynoError('limit', `The bus does not take a message of ${bytes} bytes: ${toErrorData(thrown).message}`, {
    hint: 'Raise max_payload of nats-server.',
  });
