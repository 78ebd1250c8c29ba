import { toErrorData } from '#model/error.ts';
import type { Home } from '#platform/paths.ts';
import { type Control, momentOf } from '../worker/control.ts';
import { deadRunsTables, forgetTables, tablesOf } from './leftovers.ts';

/** Drops tables that crashed runs, or this one before it was resumed, have left. The others stay noted. */
export async function dropLeftovers(
  home: Home,
  tag: string,
  control: Control,
  place: string,
  signal: AbortSignal,
  onActivity: (text: string) => void,
): Promise<void> {
  const own = tablesOf(home, tag);
  const dead = deadRunsTables(home).filter((one) => one.file !== own?.file);
  for (const leftovers of own ? [...dead, own] : dead) {
    if (!leftovers.places.includes(place)) continue;
    try {
      await control.ask({ call: 'dropLeftovers', namePrefix: leftovers.prefix }, momentOf(signal));
      forgetTables(leftovers, [place]);
    } catch (thrown) {
      onActivity(
        `Tables of an earlier run at ${control.planned.name} could not be dropped: ${toErrorData(thrown).message}`,
      );
    }
  }
}
