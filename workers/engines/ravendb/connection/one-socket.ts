import type { Socket } from 'node:net';
import { Agent, buildConnector } from 'undici';
import type { Endpoint } from '#engine-api/config.ts';
import { publishOpened } from '../../shared/login-limit.ts';
import { checkedAs } from '../../shared/tls.ts';
import { endpointOf } from '../config.ts';
import type { TlsFiles } from './tls.ts';

/** Longer than any pause of a trial: a call would otherwise have to reopen a connection that the client closed. */
const idleMs = 3_600_000;

interface OneSocket {
  readonly agent: Agent;
  /** The bytes of this socket and of those that it replaced. */
  wireBytes(): { readonly sent: number; readonly received: number };
}

/**
 * The dispatcher of the driver's requests: undici with one socket that stays open and whose bytes are counted. `via`:
 * the address to connect to instead of the URL's.
 */
export function oneSocket(url: string, tls: TlsFiles | null, via: Endpoint | null): OneSocket {
  let current: Socket | null = null;
  const before = { sent: 0, received: 0 };
  const note = (socket: Socket): void => {
    current = socket;
    publishOpened(socket);
    socket.once('close', () => {
      before.sent += socket.bytesWritten;
      before.received += socket.bytesRead;
      if (current === socket) current = null;
    });
  };
  // There is no limit here: connecting has connectTimeoutMs, and an answer may take as long as a statement does.
  const connect = buildConnector({ ...tls, ...(via && checkedAs(endpointOf(url).host)), timeout: 0 });
  const elsewhere = via && { hostname: via.host, port: String(via.port) };
  const agent = new Agent({
    connections: 1,
    pipelining: 1, // the driver uses 0 for http, which opens a connection for each request
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (options, done) =>
      connect({ ...options, ...elsewhere }, (...answer) => {
        if (answer[1]) note(answer[1]);
        done(...answer);
      }),
  });
  const wireBytes = () => ({
    sent: before.sent + (current?.bytesWritten ?? 0),
    received: before.received + (current?.bytesRead ?? 0),
  });
  return { agent, wireBytes };
}
