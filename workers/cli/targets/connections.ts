import { existsSync } from 'node:fs';
import type { LocalUseKind } from '#engine-api/config.ts';
import { looksLikeConnectionString, mayHoldPassword } from '#engine-api/connection-strings/looks.ts';
import { passwordVariable } from '#model/connections.ts';
import { DynoError } from '#model/error.ts';
import { oneLine } from '#model/text/printable.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { ensureHome } from '#platform/paths.ts';
import { optionalVariable } from '#workspace/connections/connection-passwords.ts';
import { openConnectionStore } from '#workspace/connections/connections.ts';
import { usesOfConnection } from '#workspace/connections/target-uses.ts';
import {
  connectionIn,
  type FoundFile,
  findInFile,
  findInUsualPlaces,
  judgeFound,
  saveFound,
  usualPlaces,
} from '#workspace/imports/find-connections.ts';
import type { Found } from '#workspace/imports/found.ts';
import { sources } from '#workspace/imports/sources.ts';
import { urlConnection } from '#workspace/imports/urls.ts';
import { allowedUses, allowOption } from '../allow-option.ts';
import { type Action, type Command, type CommandContext, jsonOption, runAction, text } from '../command.ts';
import { passwordNotice } from './find-target.ts';
import { listConnections } from './targets.ts';

const importOptions = {
  from: { type: 'string', about: 'import: format of the file.' },
  only: { type: 'string', about: 'import: only the entries with these names, separated by commas.' },
  ...allowOption('import: also connections that use this machine in these ways'),
  list: { type: 'boolean', about: 'import: lists the connections in the file and saves nothing.' },
} as const satisfies Command['options'];

const actions: Readonly<Record<string, Action>> = { list, import: importConnections };

/** `dyno connections`: lists the saved connections, and saves more from files of other programs. */
export const connectionsCommand: Command = {
  name: 'connections',
  arguments: `[${Object.keys(actions).join('|')}] [FILE|URL]`,
  summary:
    'Lists your connections, and imports more from files of other programs: services, option files, exports, URLs.',
  help: [
    'list     Lists the saved connections. `dyno connections` alone does the same; `dyno targets` adds the built-in targets.',
    'import   Saves the connections of FILE or URL.',
    '',
    'Dyno recognises the format of FILE by its name and content; --from overrides this. Without FILE, Dyno reads the file that the format’s own programs read.',
    `Formats: ${sources.map(({ id, label }) => `${id} (${label})`).join(', ')}.`,
    'Passwords are not imported. `dyno targets` lists the environment variables that hold them; the window can keep them in the system’s store.',
    'An entry that uses this machine is not imported unless --allow names the use: file (a certificate, a wallet), code (a library that is loaded), identity (a login with a token, a ticket or the account of this machine).',
    'A connection to the same server as the same user is not saved twice. Dyno lists the properties of each entry that it does not import.',
  ].join('\n'),
  options: {
    ...importOptions,
    ...jsonOption,
  },
  takes: [0, 2],
  run: runAction('connections', actions),
};

function list(context: CommandContext): number {
  const unused = Object.keys(importOptions).find((name) => context.values[name] !== undefined);
  if (unused === undefined) return listConnections(context);
  context.note(`dyno connections: --${unused} is an option of dyno connections import.`);
  return exitCodes.usage;
}

function importConnections(context: CommandContext, [word]: readonly string[]): number {
  const from = text(context.values, 'from') ?? null;
  if (word === undefined && from === null) {
    context.note('Usage: dyno connections import FILE, or dyno connections import --from FORMAT');
    return exitCodes.usage;
  }
  ensureHome(context.home);
  const files = word === undefined ? usual(from ?? '', context) : [given(word, from, context)];
  return save(files, context);
}

function usual(from: string, { note }: CommandContext): readonly FoundFile[] {
  const { files, problems } = findInUsualPlaces(from);
  for (const { file, message } of problems) note(`${oneLine(file)}: ${oneLine(message)}`);
  if (files.length > 0) return files;
  const places = usualPlaces(from);
  throw new DynoError('badInput', `No connections of the format ${from} were found on this machine.`, {
    hint: places.length > 0 ? `Looked at ${places.join(', ')}. Name another file.` : 'Name the file.',
  });
}

function given(word: string, from: string | null, { note }: CommandContext): FoundFile {
  if (existsSync(word) || !mayHoldPassword(word)) return findInFile(word, from);
  if (!looksLikeConnectionString(word))
    throw new DynoError('badInput', 'There is no file of this name, and it is no connection string.', {
      hint: 'Name a file; or write a URL, such as postgres://user@host/database.',
    });
  const notice = passwordNotice(word);
  if (notice) note(notice);
  return { label: 'URL', file: '', found: [urlConnection(word, '')] };
}

/** The kinds of uses of this machine in an entry that the user has not allowed. */
function refusedUses(found: Found, allowed: readonly LocalUseKind[]): readonly LocalUseKind[] {
  const connection = connectionIn(found);
  const kinds = connection === null ? [] : usesOfConnection(connection).map(({ kind }) => kind);
  return [...new Set(kinds)].filter((kind) => !allowed.includes(kind));
}

/** Saves new connections, and prints a line for each entry. */
function save(files: readonly FoundFile[], { home, values, print, printJson, note }: CommandContext): number {
  const store = openConnectionStore(home);
  const only = text(values, 'only')
    ?.split(',')
    .map((name) => name.trim());
  const found = files.flatMap((file) => file.found);
  const allowed = allowedUses(values);
  const entries = judgeFound(found, store.list().connections);
  const unknown = only?.filter((name) => !entries.some((entry) => entry.name === name)) ?? [];
  if (unknown.length > 0)
    throw new DynoError('badInput', `The file has no entry “${unknown.join('”, “')}”.`, {
      hint: `There are: ${entries.map(({ name }) => name).join(', ')}.`,
    });
  const judged = entries.flatMap((entry, index) => {
    if (only && !only.includes(entry.name)) return [];
    const refused = refusedUses(found[index]!, allowed);
    const isNew = entry.problem === null && entry.sameAs === null && refused.length === 0;
    return [{ entry, refused, toSave: isNew && !values.list ? found[index]! : null }];
  });
  const added = saveFound(
    store,
    judged.flatMap(({ toSave }) => toSave ?? []),
    false,
  ).values();
  const results = judged.map(({ entry, refused, toSave }) => {
    const saved = toSave === null ? null : (added.next().value ?? null);
    const variables = saved ? Object.entries(saved.passwords).map(([field]) => passwordVariable(saved, field)) : [];
    return {
      ...entry,
      refused,
      saved: saved?.name ?? null,
      variables,
      optionalVariable: saved && optionalVariable(saved),
    };
  });
  if (values.json) printJson(results);
  else
    for (const { name, saved, address, problem, sameAs, missing, notes, uses, variables, engine, ...one } of results) {
      const what =
        problem !== null
          ? `not imported: ${problem}`
          : sameAs !== null
            ? `already saved as “${sameAs}”`
            : one.refused.length > 0
              ? `not imported, because it uses this machine: --allow ${one.refused.join(',')} imports it`
              : `${engine} ${address ?? ''}${saved === null || saved === name ? '' : `, saved as “${saved}”`}`;
      print(`${oneLine(name)}: ${oneLine(what)}`);
      if (problem === null && sameAs === null)
        for (const line of [
          ...(missing === null ? [] : [`to complete: ${missing}`]),
          ...uses,
          ...notes,
          ...(variables.length > 0 ? [`password from ${variables.join(', ')}`] : []),
          ...(one.optionalVariable === null
            ? []
            : [`the file has no password: Dyno uses ${one.optionalVariable} if it is set`]),
        ])
          print(`  ${oneLine(line)}`);
    }
  const count = results.filter(({ saved }) => saved !== null).length;
  note(values.list ? `${results.length} found; nothing is saved.` : `${count} of ${results.length} saved.`);
  return exitCodes.ok;
}
