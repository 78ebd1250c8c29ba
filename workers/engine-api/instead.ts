import { DynoError } from '#model/error.ts';
import type { Endpoint } from './config.ts';

/** A server as messages name it. */
export const endpointName = ({ host, port }: Endpoint): string => `${host}:${port}`;

/**
 * For ConfigParser.through: which port of 127.0.0.1 takes the place of a server. `ports`: in the order of the
 * endpoints; `what`: the tunnel or emulator that has them. The function throws 'internal' for any other endpoint.
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
