import { DynoError } from '#model/error.ts';
import type { Endpoint } from './config.ts';

/** The name of a server in messages: "host:port". */
export const endpointName = ({ host, port }: Endpoint): string => `${host}:${port}`;

/**
 * For ConfigParser.through: maps each server to a port of 127.0.0.1. `ports` are in the order of the endpoints; `what`
 * names the tunnel or emulator that has them. The function throws 'internal' for any other endpoint.
 */
export function portsFor(
  endpoints: readonly Endpoint[],
  ports: readonly number[],
  what: string,
): (of: Endpoint) => Endpoint {
  const addresses = new Map(endpoints.map((one, at) => [endpointName(one), { host: '127.0.0.1', port: ports[at]! }]));
  return (of) => {
    const address = addresses.get(endpointName(of));
    if (!address) throw new DynoError('internal', `${what} does not lead to ${endpointName(of)}.`);
    return address;
  };
}
