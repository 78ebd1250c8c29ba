import type { Socket } from 'node:net';
import { nameOf } from '../ddm/code-points.ts';
import { readObjects } from '../ddm/read-objects.ts';
import { FrameReader } from '../dss/read-frames.ts';
import { DrdaError } from '../errors.ts';
import type { Limits } from '../limits.ts';

/** A chain of requests in flight, and the handlers of its reply. */
export interface Exchange {
  /** The correlation of the chain's last command; that of the first one is 1. */
  readonly lastCorrelation: number;
  /**
   * Takes each object of the reply in turn. An error that it throws ends the connection, because the rest has no
   * meaning then.
   */
  take(codePoint: number, buffer: Buffer, start: number, end: number, correlation: number): void;
  /** The reply is complete. */
  done(): void;
  /** The connection has ended before the reply. */
  fail(error: DrdaError): void;
}

/**
 * One socket. Chains of requests go out in order and their replies come in the same order, so that several can be in
 * flight. Whatever a server does wrong ends in `fail` of all chains that wait.
 */
export class Transport {
  readonly limits: Limits;
  readonly #socket: Socket;
  readonly #frames: FrameReader;
  readonly #waiting: Exchange[] = [];
  /** The position of the exchange that is answered next, so that taking it off costs nothing. */
  #next = 0;
  #replyBytes = 0;
  #replyLimit: number;
  #correlation = 0;
  #isFirst = true;
  #sent = 0;
  #received = 0;
  #ended: DrdaError | null = null;

  constructor(socket: Socket, limits: Limits, replyTimeoutMs: number) {
    this.limits = limits;
    this.#socket = socket;
    this.#replyLimit = limits.loginBytes;
    this.#frames = new FrameReader(limits.loginBytes, this.#frame);
    socket.on('data', this.#data);
    socket.on('error', (cause) => this.#end(closedBy(cause)));
    socket.on('close', () => this.#end(new DrdaError('closed', 'The server closed the connection.')));
    if (replyTimeoutMs > 0) {
      socket.setTimeout(replyTimeoutMs);
      socket.on('timeout', () => {
        if (this.#next < this.#waiting.length)
          this.#end(new DrdaError('timeout', `The server did not answer for ${replyTimeoutMs} ms.`));
      });
    }
  }

  get isAlive(): boolean {
    return this.#ended === null;
  }

  /** The reason why the connection is over; null while it is open. */
  get ended(): DrdaError | null {
    return this.#ended;
  }

  /** Long replies are allowed from now on. */
  loggedIn(): void {
    this.#replyLimit = this.limits.chainBytes;
    this.#frames.limitBytes = this.limits.objectBytes;
  }

  wireBytes(): { readonly sent: number; readonly received: number } {
    return { sent: this.#sent, received: this.#received };
  }

  send(chain: Buffer, exchange: Exchange): void {
    if (this.#ended !== null) {
      exchange.fail(this.#ended);
      return;
    }
    this.#waiting.push(exchange);
    this.#sent += chain.length;
    this.#socket.write(chain);
  }

  /** Ends the connection at once: the chains that wait fail with this error. */
  destroy(reason: DrdaError): void {
    this.#end(reason);
  }

  readonly #data = (chunk: Buffer): void => {
    this.#received += chunk.length;
    if (this.#ended !== null) return;
    try {
      if (this.#isFirst) this.#lookAtFirst(chunk);
      this.#frames.push(chunk);
    } catch (thrown) {
      this.#end(thrown instanceof DrdaError ? thrown : unreadable(thrown));
    }
  };

  /** A server that requires TLS answers plain bytes with a binary alert (RFC 8446, "Alert protocol"). */
  #lookAtFirst(chunk: Buffer): void {
    this.#isFirst = false;
    if (chunk[0] === 0x15 && chunk[1] === 3)
      throw new DrdaError('tls', 'The server answers with TLS: it takes encrypted connections only.');
  }

  readonly #frame = (correlation: number, more: boolean, buffer: Buffer, start: number, end: number): void => {
    if (this.#ended !== null) return;
    const exchange = this.#waiting[this.#next];
    if (exchange === undefined) throw new DrdaError('protocol', 'The server sent a reply that nobody asked for.');
    if (correlation < Math.max(1, this.#correlation) || correlation > exchange.lastCorrelation)
      throw new DrdaError('protocol', `Malformed reply: correlation ${correlation} is not of a command under way.`);
    this.#correlation = correlation;
    this.#replyBytes += end - start;
    if (this.#replyBytes > this.#replyLimit)
      throw new DrdaError('limit', `The server’s reply is longer than ${this.#replyLimit} bytes.`);
    readObjects(buffer, start, end, (codePoint, bytes, from, to) =>
      exchange.take(codePoint, bytes, from, to, correlation),
    );
    if (more) return;
    this.#correlation = 0;
    this.#replyBytes = 0;
    this.#next++;
    if (this.#next === this.#waiting.length || this.#next === 1_024) {
      this.#waiting.splice(0, this.#next);
      this.#next = 0;
    }
    exchange.done();
  };

  #end(reason: DrdaError): void {
    if (this.#ended !== null) return;
    this.#ended = reason;
    this.#socket.destroy();
    const waiting = this.#waiting.splice(0).slice(this.#next);
    this.#next = 0;
    for (const exchange of waiting) exchange.fail(reason);
  }
}

/** An object that a reply must not hold. */
export function unexpected(codePoint: number): DrdaError {
  return new DrdaError('protocol', `The server’s reply has an unexpected ${nameOf(codePoint)}.`, { codePoint });
}

function closedBy(cause: Error & { code?: string }): DrdaError {
  return new DrdaError('closed', `The connection broke: ${cause.code ?? cause.message}.`, { cause });
}

/** A reply that no check has foreseen; the error's cause distinguishes it from a mistake of this client. */
const unreadable = (cause: unknown): DrdaError =>
  new DrdaError('protocol', 'Malformed reply: it could not be read.', { cause });
