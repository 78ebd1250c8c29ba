import type { ProbeInfo } from '#engine-api/probe.ts';
import { count } from '#engine-api/probe-info.ts';
import { schemaName } from '../names.ts';

/** Marks the probe's statements in their text, so that the probe leaves them out of what others run. */
export const me = '/* dyno probe */';

export const isMine = (statement: unknown): boolean => String(statement).includes(me);

/** Statements of runs name a table of Dyno's schema. */
export const isOnDynosTables = (statement: unknown): boolean =>
  String(statement).toUpperCase().includes(`${schemaName}."`);

/** Gauges that mean the same whatever the server is. */
export const sharedInfo: Readonly<Record<string, ProbeInfo>> = {
  sessions: count('Sessions of all users'),
  active: count('Sessions in a statement on Dyno’s tables'),
};
