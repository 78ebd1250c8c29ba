import { Socket } from 'node:net';
import type { Handshakes } from '#protocol/measurement.ts';

/**
 * Times the TCP handshakes of connections: the system answers them, so that they contain nothing of a server's work.
 */
export class HandshakeTimes {
  #shortestMs: number | null = null;
  /** Null: no connection was made. */
  #sameMachine: boolean | null = null;

  /** `socket` is about to connect. */
  watch(socket: Socket): void {
    let fromMs: number | null = null;
    // Emitted once the name is resolved, for each address that is tried. Socket files and pipes are tried without it.
    const attempt = () => {
      fromMs = performance.now();
    };
    socket.on('connectionAttempt', attempt);
    socket.once('connect', () => {
      socket.off('connectionAttempt', attempt);
      this.#sameMachine = (this.#sameMachine ?? true) && endsHere(socket);
      if (fromMs === null || socket.remoteAddress === undefined) return;
      this.#shortestMs = Math.min(this.#shortestMs ?? Number.POSITIVE_INFINITY, performance.now() - fromMs);
    });
  }

  /** Null: no connection was made. */
  get seen(): Handshakes | null {
    return this.#sameMachine === null ? null : { shortestMs: this.#shortestMs, sameMachine: this.#sameMachine };
  }
}

/** Runs a function that opens connections, and tells if all of them end on this machine; null: it opened none. */
export async function watchEnds<T>(
  open: () => Promise<T>,
): Promise<{ readonly opened: T; endsHere(): boolean | null }> {
  const handshakes = new HandshakeTimes();
  const { prototype } = Socket;
  const { connect } = prototype;
  prototype.connect = function (this: Socket, ...given: unknown[]) {
    handshakes.watch(this);
    return Reflect.apply(connect, this, given) as Socket;
  } as typeof connect;
  try {
    return { opened: await open(), endsHere: () => handshakes.seen?.sameMachine ?? null };
  } finally {
    prototype.connect = connect;
  }
}

/** A system that connects to an address of its own takes the same one for its own end. A socket file has none. */
const endsHere = ({ remoteAddress, localAddress }: Socket): boolean =>
  remoteAddress === undefined || remoteAddress === localAddress || /^(::ffff:)?127\./.test(remoteAddress);
