import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { defaultLimits, type Limits } from './limits.ts';
import { type DrdaConnection, openConnection } from './session/connection.ts';
import { dialectOf, type ServerDialect } from './session/dialect.ts';
import { utf8 } from './session/requests.ts';
import { Transport } from './session/transport.ts';

/**
 * A socket without a peer: it keeps written bytes, and a test decides which bytes arrive. All of it happens at once.
 */
export class StubSocket extends EventEmitter {
  readonly written: Buffer[] = [];
  isDestroyed = false;
  /** Called at each write, for tests that answer. */
  onWrite: () => void = () => {};

  write(chunk: Buffer): boolean {
    this.written.push(chunk);
    this.onWrite();
    return true;
  }

  setTimeout(): this {
    return this;
  }

  destroy(): this {
    if (this.isDestroyed) return this;
    this.isDestroyed = true;
    this.emit('close');
    return this;
  }

  /** Bytes from the server. */
  arrive(...chunks: readonly Uint8Array[]): void {
    for (const chunk of chunks) this.emit('data', Buffer.from(chunk));
  }

  asSocket(): Socket {
    return this as unknown as Socket;
  }
}

export function stubTransport(limits: Partial<Limits> = {}): {
  readonly socket: StubSocket;
  readonly transport: Transport;
} {
  const socket = new StubSocket();
  const transport = new Transport(socket.asSocket(), { ...defaultLimits, ...limits }, 0);
  transport.loggedIn();
  return { socket, transport };
}

/** A connection that is logged in at a server like Derby 10.16. */
export function stubConnection(
  limits: Partial<Limits> = {},
  dialect: ServerDialect = dialectOf('Apache Derby', 'CSS10160/10.16.1.1'),
): { readonly socket: StubSocket; readonly connection: DrdaConnection } {
  const { socket, transport } = stubTransport(limits);
  const server = {
    className: 'Apache Derby',
    release: 'CSS10160/10.16.1.1',
    name: 'stub',
    productId: 'CSS10160',
    securityMechanism: 'plain' as const,
  };
  return { socket, connection: openConnection(transport, 'stub', { server, encode: utf8, dialect }) };
}
