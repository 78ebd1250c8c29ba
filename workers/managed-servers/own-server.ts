import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import type { ServerParameters } from '#model/settings/server-parameters.ts';
import { tryLock } from '#platform/file-lock.ts';
import type { Home } from '#platform/paths.ts';
import { deleteData } from './delete-data.ts';
import { placeOf } from './places.ts';
import type { ServerKind } from './process/server-kind.ts';

/** The name of a run's own server: the kind's, the run's tag, and its set of parameters. */
const nameOf = /\+(?<tag>[0-9a-f]{8})-[0-9a-f]{8}$/;

/** The name of the run's own server of a kind with these parameters. `tag`: the run's tag. */
export function ownServerId({ id }: Pick<ServerKind, 'id'>, tag: string, parameters: ServerParameters): string {
  const sorted = Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${id}+${tag}-${createHash('sha256').update(JSON.stringify(sorted)).digest('hex').slice(0, 8)}`;
}

/** A server of the kind that belongs to one run, with data of its own. The parameters are checked. */
export const ownServer = (kind: ServerKind, id: string, parameters: ServerParameters): ServerKind => ({
  ...kind,
  id,
  ofRun: { kind: kind.id, parameters },
});

/** Deletes the servers of runs that ended without it: their supervisors were killed, or the machine stopped. */
export async function deleteOwnServers(home: Home, isAlive: (tag: string) => boolean): Promise<void> {
  for (const name of readdirSync(home.embedded)) {
    const tag = nameOf.exec(name)?.groups?.tag;
    if (tag === undefined || isAlive(tag)) continue;
    const place = placeOf(home, name);
    using lock = tryLock(place.lock);
    // The server's supervisor is about to delete it.
    if (!lock) continue;
    await deleteData(place);
  }
}
