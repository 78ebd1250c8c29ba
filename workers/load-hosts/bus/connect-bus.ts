import { readFileSync } from 'node:fs';
import { connect, credsAuthenticator, type NatsConnection } from '@nats-io/transport-node';
import { DynoError, toErrorData } from '#model/error.ts';
import { type BusUser, inboxPrefix } from './nats-server.ts';

/** Where a bus is, and how to log in there. */
export interface BusAddress {
  /** nats://host:port or tls://host:port; several with commas between them. */
  readonly url: string;
  /** Absent: the server asks for none, or the credentials file says who it is. */
  readonly user?: BusUser;
  /** Path of a credentials file (NKeys). */
  readonly credentials?: string;
}

const connectWithinMs = 10_000;
/** Both sides of a lost link have given up by then. */
const reconnectForMs = 120_000;
const reconnectEachMs = 250;

/** Connects, and stays connected as far as the network lets it. Throws 'unreachable' or 'authentication'. */
export async function connectBus({ url, user, credentials }: BusAddress, name: string): Promise<NatsConnection> {
  try {
    return await connect({
      servers: url.split(',').map((one) => one.trim()),
      name,
      timeout: connectWithinMs,
      ...(user && { user: user.user, pass: user.password, inboxPrefix: inboxPrefix(user.user) }),
      ...(credentials !== undefined && { authenticator: credsAuthenticator(readFileSync(credentials)) }),
      reconnectTimeWait: reconnectEachMs,
      reconnectJitter: 50,
      maxReconnectAttempts: reconnectForMs / reconnectEachMs,
      pingInterval: 5_000,
      maxPingOut: 2,
    });
  } catch (thrown) {
    const { message } = toErrorData(thrown);
    const isRefused = /authoriz|authentic/i.test(message);
    throw new DynoError(isRefused ? 'authentication' : 'unreachable', `The bus at ${url} cannot be used: ${message}`, {
      hint: isRefused
        ? 'Check its credentials.'
        : 'Is nats-server running there, and does a firewall let it be reached?',
    });
  }
}
