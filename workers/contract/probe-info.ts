import type { ProbeInfo } from './engine.ts';

/** What an engine says of a counter, gauge or kind of event: under its name, else under the longest name ending in `*` that it begins with. */
export function probeInfoOf(infos: Readonly<Record<string, ProbeInfo>>, name: string): ProbeInfo | undefined {
  const exact = infos[name];
  if (exact) return exact;
  let longest = '';
  for (const key of Object.keys(infos))
    if (key.endsWith('*') && key.length > longest.length && name.startsWith(key.slice(0, -1))) longest = key;
  return infos[longest];
}

/** A wait by the engine's own name: "wait:LWLock:WALWrite" → "LWLock:WALWrite"; undefined for what is no wait. */
export const waitName = (name: string): string | undefined =>
  name.startsWith('wait:') ? name.slice('wait:'.length) : undefined;
