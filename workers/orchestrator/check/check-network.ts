import { lookup } from 'node:dns/promises';
import { createConnection, isIP, type Socket } from 'node:net';
import type { Endpoint } from '#engine-api/config.ts';
import { DynoError, type ErrorData, fromErrorData } from '#model/error.ts';
import { tunnelDetails } from '#model/tunnel.ts';
import { within } from '#platform/worker-errors.ts';
import type { Tunnel } from '#tunnels/tunnel.ts';
import { talk } from './who-answers.ts';

const withinMs = 10_000;

/**
 * An address to which a driver connects; the port is null if the driver looks it up itself. See ConfigParser.endpoints.
 */
export interface ServerAddress {
  readonly host: string;
  readonly port: number | null;
}

const codeOf = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';

/** Returns the addresses of a host name as the system resolves it for drivers. Throws 'unreachable', with advice. */
export async function findHost(host: string, signal: AbortSignal): Promise<readonly string[]> {
  if (isIP(host)) return [host];
  try {
    const found = await within(withinMs, untilAborted(lookup(host, { all: true }), signal), `Looking up ${host}`);
    return found.map(({ address }) => address);
  } catch (thrown) {
    signal.throwIfAborted();
    const code = codeOf(thrown);
    const hint =
      code === 'ENOTFOUND'
        ? 'No host has this name: is it spelled right, and does it need a VPN or the domain behind it?'
        : 'The name server did not answer: check the network, or give an IP address.';
    throw new DynoError('unreachable', `The name ${host} cannot be resolved (${code || 'no answer'}).`, { code, hint });
  }
}

const socketHints: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file: is the server running, and where does it keep its socket?',
  ECONNREFUSED: 'The file is there, and nobody listens: a server that has ended left it behind.',
  EACCES: 'This account may not use the socket: see the rights of the file and of the folders above it.',
};

const portHints: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The host is there, and nothing listens on this port: is the server running, and is the port right?',
  ETIMEDOUT: 'No answer: a firewall may drop the packets, or the host is off.',
  EHOSTUNREACH: 'There is no route to the host: check the network or VPN.',
  ENETUNREACH: 'There is no route to the host: check the network or VPN.',
  ECONNRESET: 'Something answered and hung up at once: a firewall or proxy that refuses this client?',
};

/** Opens a TCP connection and closes it without sending anything. Throws 'unreachable', with advice. */
export const probeTcpPort = (host: string, port: number, signal: AbortSignal): Promise<void> =>
  probe(() => createConnection({ host, port }), `${host}, port ${port}`, portHints, signal);

/** Opens a Unix socket and closes it again. Throws 'unreachable', with advice. */
export const probeSocketFile = (path: string, signal: AbortSignal): Promise<void> =>
  probe(() => createConnection({ path }), path, socketHints, signal);

async function probe(
  open: () => Socket,
  where: string,
  hints: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const socket = open();
  try {
    const opened = new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
    await within(withinMs, untilAborted(opened, signal), `${where} did not answer`);
  } catch (thrown) {
    signal.throwIfAborted();
    // Several addresses tried in turn come as one AggregateError with an empty message.
    const code = (thrown instanceof DynoError ? 'ETIMEDOUT' : codeOf(thrown)) || 'failed';
    throw new DynoError('unreachable', `No connection to ${where} (${code}).`, {
      code,
      hint: hints[code] ?? 'Check host, port and network.',
    });
  } finally {
    socket.on('error', () => {}); // The socket is discarded afterwards.
    socket.destroy();
  }
}

/** A tunnel connects to the server only when it is used, and an unreachable server closes the connection. */
const throughMs = 3_000;

/**
 * Checks that a server answers through a tunnel, whose local end always accepts connections. `ask`: a message that a
 * server of the engine answers. Throws 'unreachable' or 'permission', as the SSH server or proxy reports.
 */
export async function probeThrough(
  tunnel: Tunnel,
  endpoint: Endpoint,
  ask: Uint8Array | null,
  signal: AbortSignal,
): Promise<string> {
  const { host, port } = endpoint;
  const heard = await talk(tunnel.instead(endpoint), ask, throughMs, signal);
  const through = `through the ${tunnelDetails[tunnel.kind]}`;
  if (heard.bytes.length > 0) return `${host}, port ${port} answers ${through}`;
  const closed = new DynoError('unreachable', 'Closed.').data;
  const why = heard.closed ? await tunnel.explain(closed) : closed;
  if (why !== closed) throw fromErrorData(why);
  // Some servers close the connection if they do not understand the message. The login then shows more.
  return `${host}, port ${port} is reached ${through}, and has said nothing so far`;
}

function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Tries all addresses and fails only if none answers, because drivers of clusters continue with those that answer. */
export async function eachOf<E extends ServerAddress, T>(
  endpoints: readonly E[],
  attempt: (endpoint: E) => Promise<T>,
): Promise<{ readonly found: readonly T[]; readonly failed: readonly ErrorData[] }> {
  const settled = await Promise.allSettled(endpoints.map(attempt));
  const failures = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  if (failures.length > 0 && failures.length === settled.length) throw failures[0];
  return {
    found: settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
    failed: failures.map((thrown) =>
      thrown instanceof DynoError ? thrown.data : new DynoError('unreachable', String(thrown)).data,
    ),
  };
}
