import { toErrorData } from '#model/error.ts';
import { many } from '#model/format/plural.ts';
import type { Home } from '#platform/paths.ts';
import { type Control, momentOf } from '../worker/control.ts';
import { deadRunsTables, forgetTables, tablePrefixOf } from './leftovers.ts';
import { restoreParameters } from './server-parameters.ts';
import { sessionsLeft } from './sessions-left.ts';

/**
 * Drops tables that crashed runs of this home have left, and gives the server back the parameters that they have
 * changed. Leftovers that cannot be undone now stay recorded.
 */
export async function dropLeftovers(
  home: Home,
  control: Control,
  place: string,
  signal: AbortSignal,
  onActivity: (text: string) => void,
): Promise<void> {
  for (const { tag, places, parameters } of deadRunsTables(home)) {
    if (parameters?.[place]) await restore(home, tag, control, place, signal, onActivity);
    if (!places.includes(place)) continue;
    const stay = (why: string) =>
      onActivity(`Tables of an earlier run at ${control.planned.name} could not be dropped: ${why}`);
    try {
      const sessions = await sessionsLeft(control, `dyno-${tag}`, momentOf(signal));
      if (sessions !== null && sessions > 0) {
        stay(`${many(sessions, 'session')} of that run are still at the server.`);
        continue;
      }
      const { kept } = await control.ask({ call: 'dropLeftovers', namePrefix: tablePrefixOf(tag) }, momentOf(signal));
      for (const { why } of kept) stay(why);
      if (kept.length === 0) forgetTables(home, tag, place);
    } catch (thrown) {
      stay(toErrorData(thrown).message);
    }
  }
}

async function restore(
  home: Home,
  tag: string,
  control: Control,
  place: string,
  signal: AbortSignal,
  onActivity: (text: string) => void,
): Promise<void> {
  try {
    const { stay } = await restoreParameters(home, tag, control, place, signal);
    for (const stays of stay) onActivity(stays);
  } catch (thrown) {
    const { message } = toErrorData(thrown);
    onActivity(`Parameters that an earlier run has changed at ${control.planned.name} were not given back: ${message}`);
  }
}
