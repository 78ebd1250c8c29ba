import { Socket } from 'node:net';
import { HandshakeTimes } from './handshakes.ts';
import { SessionCalls } from './session-calls.ts';
import type { TimeSplit } from './time-split.ts';

/** Observes what drivers write to and read from TCP, Unix-domain sockets and pipes; of TLS, the plain side. */
export interface SocketWatch extends Disposable {
  /**
   * Runs a function that opens a session whose calls are observed as `calls`. Sockets that are connected or first used
   * meanwhile belong to that session, also one that turns into a TLS socket half-way; so only one session can be opened
   * at a time. (AsyncLocalStorage would allow several, but costs each later call more than all the rest of this.)
   */
  opening<T>(calls: SessionCalls, open: () => Promise<T>): Promise<T>;
  /** The sessions that are only observed for the time split of the process. */
  readonly others: SessionCalls;
  /** The handshakes of all connections that were made meanwhile. */
  readonly handshakes: HandshakeTimes;
}

type Watched = Socket & { [owner]?: SessionCalls };
const owner = Symbol('session');

/** The owner of sockets that are used for the first time; null: sockets are not observed. */
let next: SessionCalls | null = null;
let handshakes = new HandshakeTimes();

/** Wraps the methods of all sockets of this process, which has none but its sessions', until disposed of. */
export function watchSockets(split: TimeSplit): SocketWatch {
  const others = new SessionCalls(split);
  next = others;
  handshakes = new HandshakeTimes();
  wrapSockets();
  return {
    others,
    handshakes,
    async opening(calls, open) {
      next = calls;
      try {
        return await open();
      } finally {
        next = others;
      }
    },
    [Symbol.dispose]() {
      unwrapSockets();
      next = null;
    },
  };
}

const prototype = Socket.prototype;
const { connect, push, _write } = prototype;
const _writev = prototype._writev!; // Sockets have it; streams in general need not.

function wrapSockets(): void {
  prototype.connect = function (this: Watched, ...given: unknown[]) {
    ownerOf(this);
    watchOwnReads(this);
    handshakes.watch(this);
    return Reflect.apply(connect, this, given) as Socket;
  } as typeof connect;
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

type OwnReads = { [own: symbol]: ((length: number, bytes: Uint8Array) => boolean) | null };

/** A socket with the option `onread` hands what it reads to a function of its driver's; Node keeps it as kBufferCb. */
function watchOwnReads(socket: Watched): void {
  const own = Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'kBufferCb');
  const reads = own && (socket as unknown as OwnReads)[own];
  if (!reads) return;
  (socket as unknown as OwnReads)[own] = (length, bytes) => {
    ownerOf(socket)?.reads(socket);
    return reads(length, bytes);
  };
}

function unwrapSockets(): void {
  // It is inherited.
  delete (prototype as { push?: unknown }).push;
  prototype.connect = connect;
  prototype._write = _write;
  prototype._writev = _writev;
}

const ownerOf = (socket: Watched): SessionCalls | null => {
  const known = socket[owner];
  if (known !== undefined) return known;
  if (next !== null) socket[owner] = next;
  return next;
};
