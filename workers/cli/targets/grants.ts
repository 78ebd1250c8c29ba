import { looksLikeConnectionString } from '#engine-api/connection-strings/looks.ts';
import { type CatalogEntry, findEngine } from '#engines/catalog.ts';
import { type FieldValues, urlField } from '#model/connections.ts';
import { DynoError } from '#model/error.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { judgeConnection } from '#workspace/connections/connection-draft.ts';
import { defaultsOf } from '#workspace/connections/connection-url.ts';
import type { Command } from '../command.ts';
import { aboutTargets, passwordNotice, targetFields, targetOptions } from './find-target.ts';
import { noticesOf } from './notices.ts';

/** `dyno grants`: prints the script that grants the privileges Dyno needs. */
export const grantsCommand: Command = {
  name: 'grants',
  arguments: 'TARGET',
  summary: 'Prints a script in the engine’s own language that grants a user the minimum rights that Dyno needs.',
  help: `${aboutTargets}\nTARGET can also be the id of an engine. The script is then for a user named “dyno”, as for built-in targets.`,
  options: { in: targetOptions.in },
  takes: [1, 1],
  async run({ home, positionals: [word = ''], values, print, note }) {
    const warning = passwordNotice(word);
    if (warning) note(warning);
    // The command does not connect, so it needs no trust.
    const { engine, given } = settingsOf(word, () => targetFields(home, word, values), values.in === undefined);
    const label = findEngine(engine)?.descriptor.label ?? engine;
    const { grants, problems } = judgeConnection({ engine, values: given, passwords: {} });
    const [problem] = hasRights(engine) ? problems : [];
    if (problem)
      throw new DynoError(
        'badInput',
        looksLikeConnectionString(word) ? problem.message : `“${word}”: ${problem.message}`,
        { hint: problem.hint },
      );
    for (const notice of noticesOf([engine])) note(notice);
    if (grants === null) note(`${label} has no rights to grant: whoever can open it may do everything.`);
    else print(grants.trimEnd());
    return exitCodes.ok;
  },
};

function settingsOf(
  word: string,
  find: () => ReturnType<typeof targetFields>,
  mayBeEngine: boolean,
): { readonly engine: string; readonly given: FieldValues } {
  const entry = mayBeEngine ? findEngine(word) : undefined;
  if (entry) return { engine: word, given: exampleOf(entry) };
  const { engine, fields } = find();
  const builtIn = findEngine(engine);
  return { engine, given: fields ?? (builtIn ? exampleOf(builtIn) : {}) };
}

/** The privilege script for a user “dyno” of this engine; null: the engine has no privileges. */
export const grantsOfEngine = (entry: CatalogEntry): string | null =>
  judgeConnection({ engine: entry.descriptor.id, values: exampleOf(entry), passwords: {} }).grants;

/**
 * Values of a complete configuration: the engine's defaults if they suffice, otherwise the examples of its form. The
 * user is `dyno`, because an engine's default user is mostly a superuser.
 */
function exampleOf({ descriptor, config }: CatalogEntry): FieldValues {
  const database = defaultsOf(config)?.database;
  const own: FieldValues = {
    ...(hasRights(descriptor.id) && { user: 'dyno' }),
    ...(typeof database === 'string' && { database }),
  };
  const shown = descriptor.config.flatMap(({ name, placeholder, kind }) =>
    placeholder && kind === 'text' ? [[name, placeholder] as const] : [],
  );
  const single = Object.fromEntries(shown.filter(([name]) => name !== urlField));
  const url = Object.fromEntries(shown.filter(([name]) => name === urlField));
  const whole = [{}, url, single]
    .map((values) => ({ ...values, ...own }))
    .find((values) => judgeConnection({ engine: descriptor.id, values, passwords: {} }).problems.length === 0);
  return whole ?? {};
}

/** True if an engine has users: without users it has no field for one. */
const hasRights = (engine: string): boolean =>
  findEngine(engine)?.descriptor.config.some(({ name }) => name === 'user') === true;
