import type { ProbeInfo } from '#engine-api/probe.ts';
import { count } from '#engine-api/probe-info.ts';
import { schemaName } from '../names.ts';

/** A mark in the text of the probe's statements, by which the probe leaves them out of its counts. */
export const me = '/* dyno probe */';

export const isMine = (statement: unknown): boolean => String(statement).includes(me);

/** Statements of runs name a table of Dyno's schema. */
export const isOnDynosTables = (statement: unknown): boolean =>
  String(statement).toUpperCase().includes(`${schemaName}."`);

/** Gauges with the same meaning on both products. */
export const sharedInfo: Readonly<Record<string, ProbeInfo>> = {
  sessions: count('Sessions of all users'),
  active: count('Sessions in a statement on Dyno’s tables'),
};
