import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Connection } from '#model/connections.ts';
import { changeAlone } from '#platform/file-lock.ts';
import { readJson, writeAtomically } from '#platform/json-file.ts';
import type { Home } from '#platform/paths.ts';
import { placeOf } from './connection-draft.ts';

const hashes = v.array(v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)));
const keptSchema = v.object({
  version: v.literal(1),
  /** The identities by the connection's id. */
  servers: v.record(v.string(), v.object({ place: v.string(), identities: hashes })),
});
type Kept = v.InferOutput<typeof keptSchema>;

/** A restarted server, or another one after a failover, has new identities; the last ones of a connection are kept. */
const mostOfConnection = 64;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);
const hashesOf = ({ engine }: Pick<Connection, 'engine'>, identities: readonly string[]): readonly string[] =>
  identities.map((one) => hashOf(`${engine} ${one}`));
const placeHash = (connection: Connection): string => hashOf(placeOf(connection));

const fileOf = (home: Home): string => join(home.root, 'servers.json');

function read(home: Home): Kept['servers'] {
  const parsed = v.safeParse(keptSchema, readJson(fileOf(home)));
  return parsed.success ? parsed.output.servers : {};
}

/**
 * Remembers the server to which a saved connection has led, as hashes, whether it is marked as production or not,
 * because it may be marked later. Forgets the servers of deleted connections and of those that lead elsewhere now.
 */
export function rememberServer(
  home: Home,
  connection: Connection,
  saved: readonly Connection[],
  identities: readonly string[],
): void {
  if (identities.length === 0 || !saved.some(({ id }) => id === connection.id)) return;
  const place = placeHash(connection);
  const found = hashesOf(connection, identities);
  const knows = (kept: Kept['servers']) => {
    const before = kept[connection.id];
    return before?.place === place && found.every((one) => before.identities.includes(one));
  };
  if (knows(read(home))) return;
  changeAlone(fileOf(home), () => {
    const kept = read(home);
    const before = kept[connection.id];
    const others = before?.place === place ? before.identities.filter((one) => !found.includes(one)) : [];
    const places = new Map(saved.map((one) => [one.id, placeHash(one)]));
    const servers = {
      ...Object.fromEntries(Object.entries(kept).filter(([id, one]) => places.get(id) === one.place)),
      [connection.id]: { place, identities: [...others, ...found].slice(-mostOfConnection) },
    };
    writeAtomically(fileOf(home), `${JSON.stringify({ version: 1, servers } satisfies Kept)}\n`);
  });
}

/** The connections among these that have led to a server with one of these identities. */
export function connectionsToServer(
  home: Home,
  engine: string,
  identities: readonly string[],
  connections: readonly Connection[],
): readonly Connection[] {
  const kept = read(home);
  const found = new Set(hashesOf({ engine }, identities));
  return connections.filter((one) => {
    const known = kept[one.id];
    return known?.place === placeHash(one) && known.identities.some((identity) => found.has(identity));
  });
}
