import * as v from 'valibot';
import { described } from '#model/file-key.ts';
import { isMapping } from '#model/is-mapping.ts';
import type { SessionSettings } from '#model/settings/session-settings.ts';

const settingName = v.pipe(v.string(), v.minLength(1), v.maxLength(100));
const value = v.union([
  v.pipe(
    v.string(),
    v.maxLength(1_000),
    // biome-ignore lint/suspicious/noControlCharactersInRegex: values must not hold them
    v.regex(/^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$/, 'must be one line without control characters'),
  ),
  v.pipe(v.number(), v.finite()),
  v.boolean(),
]);

const byEngine = (help: string) =>
  described(
    v.record(
      v.pipe(v.string(), v.regex(/^[a-z][a-z0-9]{0,39}$/, 'must be the id of an engine')),
      v.pipe(v.record(settingName, value), v.maxEntries(50)),
    ),
    help,
  );

/** The settings that a trial's sessions make after their login, by engine (`session`). */
export const sessionSchema = byEngine(
  'Settings of the sessions that send the calls of a trial, by engine: { postgres: { work_mem: 64MB } }.',
);

/** A change of `session` by a size or a level. */
export const sessionChangeSchema = byEngine('Each takes the place of the setting with its name.');

/** The settings of an experiment for the sessions of an engine, as texts. Empty: it has none. */
export const sessionSettingsOf = ({ session }: { readonly session?: unknown }, engine: string): SessionSettings => {
  const own = isMapping(session) && Object.hasOwn(session, engine) ? session[engine] : undefined;
  return Object.fromEntries(Object.entries(isMapping(own) ? own : {}).map(([name, one]) => [name, String(one)]));
};
