import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import { SessionCalls } from './session-calls.ts';
import type { TimeSplit } from './time-split.ts';

/** Observes what drivers write to and read from TCP, Unix-domain sockets and pipes; of TLS, the plain side. */
export interface SocketWatch extends Disposable {
  /**
   * Runs a function that opens a session. Sockets that are connected or first used meanwhile belong to that session,
   * also one that turns into a TLS socket half-way; so only one session can be opened at a time. (AsyncLocalStorage
   * would allow several, but costs each later call more than all the rest of this.)
   */
  opening<T>(open: (calls: SessionCalls) => Promise<T>): Promise<T>;
  /** All other sessions, which are only observed for the time split of the process. */
  readonly others: SessionCalls;
}

type Watched = Socket & { [owner]?: SessionCalls };
const owner = Symbol('session');

/** The owner of sockets that are used for the first time; null: sockets are not observed. */
let next: SessionCalls | null = null;

/** Wraps the methods of all sockets of this process, which has none but its sessions', until disposed of. */
export function watchSockets(split: TimeSplit): SocketWatch {
  const others = new SessionCalls(split);
  next = others;
  wrapSockets();
  subscribe(connects, connecting);
  return {
    others,
    async opening(open) {
      const calls = new SessionCalls(split);
      next = calls;
      try {
        return await open(calls);
      } finally {
        next = others;
      }
    },
    [Symbol.dispose]() {
      unsubscribe(connects, connecting);
      unwrapSockets();
      next = null;
    },
  };
}

/** The channel on which Node announces every socket that is about to be connected. */
const connects = 'net.client.socket';
const connecting = (message: unknown): void => {
  ownerOf((message as { readonly socket: Socket }).socket);
};

const prototype = Socket.prototype;
const { push, _write } = prototype;
const _writev = prototype._writev!; // Sockets have it; streams in general need not.

function wrapSockets(): void {
  prototype.push = function (this: Watched, chunk, encoding) {
    // Null is the end of the stream.
    if (chunk !== null) ownerOf(this)?.reads(this);
    return push.call(this, chunk, encoding);
  };
  prototype._write = function (this: Watched, chunk, encoding, done) {
    const session = ownerOf(this);
    const fromMs = session?.writes(this) ?? null;
    _write.call(this, chunk, encoding, done);
    if (fromMs !== null) session?.wrote(fromMs);
  };
  prototype._writev = function (this: Watched, chunks, done) {
    const session = ownerOf(this);
    const fromMs = session?.writes(this) ?? null;
    _writev.call(this, chunks, done);
    if (fromMs !== null) session?.wrote(fromMs);
  };
}

function unwrapSockets(): void {
  // It is inherited.
  delete (prototype as { push?: unknown }).push;
  prototype._write = _write;
  prototype._writev = _writev;
}

const ownerOf = (socket: Watched): SessionCalls | null => {
  const known = socket[owner];
  if (known !== undefined) return known;
  if (next !== null) socket[owner] = next;
  return next;
};
