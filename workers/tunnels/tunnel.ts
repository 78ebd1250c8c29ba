import type { ChildProcess } from 'node:child_process';
import type { Endpoint } from '#engine-api/config.ts';
import { DynoError, type ErrorData, type ErrorKind } from '#model/error.ts';
import type { TunnelKind } from '#model/tunnel.ts';

/** A port of 127.0.0.1 for each server that is reached another way. Disposing of it ends its processes. */
export interface Tunnel extends AsyncDisposable {
  readonly kind: TunnelKind;
  /** Its processes. */
  readonly pids: readonly number[];
  /** The address to connect to instead of this server's. */
  instead(of: Endpoint): Endpoint;
  /**
   * The error of a connection through the tunnel: where the tunnel broke ('serverGone') or did not pass the connection
   * on ('unreachable', 'permission'), that instead.
   */
  explain(error: ErrorData): Promise<ErrorData>;
}

/** How much later than a broken connection its reason may come. */
export const reasonWithinMs = 300;

/** A server as messages name it. */
export const endpointName = ({ host, port }: Endpoint): string => `${host}:${port}`;

/** Tunnel.instead, by ports of 127.0.0.1 in the order of the endpoints. */
export function portsFor(endpoints: readonly Endpoint[], ports: readonly number[]): Tunnel['instead'] {
  const addresses = new Map(endpoints.map((one, at) => [endpointName(one), { host: '127.0.0.1', port: ports[at]! }]));
  return (of) => {
    const address = addresses.get(endpointName(of));
    if (!address) throw new DynoError('internal', `The tunnel does not lead to ${endpointName(of)}.`);
    return address;
  };
}

/** Drivers call what a connection through a broken tunnel comes to by many names; these are never its. */
export const isAboutConnections = ({ kind }: ErrorData): boolean => !serversOwn.includes(kind);
const serversOwn: readonly ErrorKind[] = [
  ...(['cancelled', 'authentication', 'permission', 'uniqueViolation', 'constraint', 'deadlock'] as const),
  ...(['lockTimeout', 'serialization', 'mismatch', 'wrongResult', 'syntax', 'unsupported', 'notOurs'] as const),
];

/** Closes the channel, upon which the process ends what it started, and itself. Returns when both are gone. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  if (child.connected) child.disconnect();
  await exited;
}
