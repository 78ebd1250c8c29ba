import * as v from 'valibot';
import { described } from '#model/file-key.ts';
import { isMapping } from '#model/is-mapping.ts';

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

/** The schema of values by their names, by engine: `{ postgres: { work_mem: 64MB } }`. */
export const byEngine = (help: string) =>
  described(
    v.record(
      v.pipe(v.string(), v.regex(/^[a-z][a-z0-9]{0,39}$/, 'must be the id of an engine')),
      v.pipe(v.record(settingName, value), v.maxEntries(50)),
    ),
    help,
  );

/** The values that such a section has for an engine, as texts. Empty: it has none. */
export const valuesFor = (section: unknown, engine: string): Readonly<Record<string, string>> => {
  const own = isMapping(section) && Object.hasOwn(section, engine) ? section[engine] : undefined;
  return Object.fromEntries(Object.entries(isMapping(own) ? own : {}).map(([name, one]) => [name, String(one)]));
};
