import type { SessionSettings } from '#model/settings/session-settings.ts';
import { byEngine, valuesFor } from './by-engine.ts';

/** The settings that a trial's sessions make after their login, by engine (`session`). */
export const sessionSchema = byEngine(
  'Settings of the sessions that send the calls of a trial, by engine: { postgres: { work_mem: 64MB } }.',
);

/** A change of `session` by a size or a level. */
export const sessionChangeSchema = byEngine('Each takes the place of the setting with its name.');

/** The settings of an experiment for the sessions of an engine, as texts. Empty: it has none. */
export const sessionSettingsOf = ({ session }: { readonly session?: unknown }, engine: string): SessionSettings =>
  valuesFor(session, engine);
