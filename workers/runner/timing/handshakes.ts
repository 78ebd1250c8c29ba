import type { Socket } from 'node:net';
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

/** A system that connects to an address of its own takes the same one for its own end. A socket file has none. */
const endsHere = ({ remoteAddress, localAddress }: Socket): boolean =>
  remoteAddress === undefined || remoteAddress === localAddress || /^(::ffff:)?127\./.test(remoteAddress);
