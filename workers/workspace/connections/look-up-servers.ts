import { promises as dns } from 'node:dns';
import type { Connection } from '#model/connections.ts';
import { type KnownNames, namesToLookUp, type WrittenServer } from './server-places.ts';

/** Dyno does not wait long for a name that does not resolve: the server itself reports its identity after the login. */
const lookUpMs = 3_000;

/**
 * Resolves the host names of servers. Never rejects. A target from elsewhere is resolved only after it is trusted,
 * because a name can carry a message.
 */
export async function lookUpServers(
  servers: readonly (WrittenServer | Connection)[],
  variables: KnownNames['variables'],
): Promise<KnownNames> {
  const known = { variables, addresses: new Map<string, readonly string[]>() };
  const records = new Set(servers.flatMap((one) => namesToLookUp(one, known).record ?? []));
  await Promise.all([...records].map((record) => note(known.addresses, record, hostsOfRecord)));
  const hosts = new Set(servers.flatMap((one) => namesToLookUp(one, known).hosts));
  await Promise.all([...hosts].map((host) => note(known.addresses, host, addressesOf)));
  return known;
}

async function note(
  addresses: Map<string, readonly string[]>,
  name: string,
  lookUp: (name: string) => Promise<readonly string[]>,
): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, lookUpMs, null);
  const found = await Promise.race([lookUp(name).catch(() => null), late]);
  clearTimeout(timer);
  if (found) addresses.set(name, found);
}

const addressesOf = async (host: string) => (await dns.lookup(host, { all: true })).map(({ address }) => address);

const hostsOfRecord = async (record: string) =>
  (await dns.resolveSrv(record)).map(({ name, port }) => `${name}:${port}`);
