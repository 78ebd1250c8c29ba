import { mkdirSync, rmSync } from 'node:fs';
import { type Place, removeSocketFolder } from './places.ts';
import { publicFolder, refuseForeign } from './process/account.ts';
import { stopOrphansBelow } from './process/orphan.ts';

/** Deletes the data of a server, for a caller who holds the lock of its supervisor. */
export async function deleteServerData({ server }: Pick<Place, 'server'>): Promise<void> {
  mkdirSync(server, { recursive: true });
  for (const folder of new Set([publicFolder(server), server])) {
    refuseForeign(folder);
    await stopOrphansBelow(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Deletes everything of a server but the lock, which the caller holds. */
export async function deleteData(place: Place): Promise<void> {
  await deleteServerData(place);
  rmSync(place.folder, { recursive: true, force: true, maxRetries: 5 });
  removeSocketFolder(place);
}
