import type { ProbeRole, ResourceClass } from '#model/resource.ts';
import type { ProbeInfo } from './probe.ts';

/** Describes a counter of events or a gauge of things, with the unit 'count'. */
export const count = (label: string, role?: ProbeRole): ProbeInfo => ({ unit: 'count', label, ...(role && { role }) });
/** Describes a counter or gauge in bytes. */
export const bytes = (label: string, role?: ProbeRole): ProbeInfo => ({ unit: 'bytes', label, ...(role && { role }) });
const timeIn =
  (unit: 'ms' | 'us') =>
  (label: string, ofClass?: ResourceClass): ProbeInfo => ({ unit, label, ...(ofClass && { class: ofClass }) });
/** Describes a counter of time in milliseconds. */
export const ms = timeIn('ms');
/** Describes a counter of time in microseconds. */
export const us = timeIn('us');
/** A gauge of waiting sessions, sampled at each probe. */
export const waits = (label: string, ofClass: ResourceClass): ProbeInfo => ({ unit: 'count', label, class: ofClass });

/**
 * The record of a counter, gauge or kind of event: under its name, else under the longest prefix ending in `*` that
 * matches.
 */
export function probeInfoOf(infos: Readonly<Record<string, ProbeInfo>>, name: string): ProbeInfo | undefined {
  const exact = infos[name];
  if (exact) return exact;
  let longest = '';
  for (const key of Object.keys(infos))
    if (key.endsWith('*') && key.length > longest.length && name.startsWith(key.slice(0, -1))) longest = key;
  return infos[longest];
}

/** The engine's own name of a wait: "wait:LWLock:WALWrite" → "LWLock:WALWrite"; undefined for other gauges. */
export const waitName = (name: string): string | undefined =>
  name.startsWith('wait:') ? name.slice('wait:'.length) : undefined;
