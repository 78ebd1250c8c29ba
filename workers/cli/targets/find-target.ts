import { looksLikeConnectionString, namedWord } from '#engine-api/connection-strings/looks.ts';
import { holdsPlainSecret } from '#engine-api/connection-strings/plain-secrets.ts';
import { catalog, findBuiltIn } from '#engines/catalog.ts';
import { type Connection, type FieldValues, type Passwords, type ReadUrl, urlField } from '#model/connections.ts';
import { DynoError } from '#model/error.ts';
import { isReference } from '#model/reference.ts';
import { didYouMean } from '#model/text/nearest-word.ts';
import { fillVariables } from '#orchestrator/worker/targets.ts';
import type { Home } from '#platform/paths.ts';
import { writtenOut } from '#rules/targets/target-fields.ts';
import { readConnectionUrl } from '#workspace/connections/connection-url.ts';
import { openConnectionStore } from '#workspace/connections/connections.ts';
import { builtInTarget, type TrustedTarget, targetSpecIn, usersConnection } from '#workspace/trust/gate.ts';
import { text, type Values } from '../command.ts';
import { givenExperiment } from '../experiments/experiment-text.ts';
import { requireTrustedTarget } from '../experiments/require-trust.ts';

/** The options of commands that take a TARGET. */
export const targetOptions = {
  trust: { type: 'boolean', about: 'Trusts the target of an experiment that came from elsewhere.' },
  in: { type: 'string', about: 'Looks for TARGET in this experiment (a file or a name).' },
} as const;
/** Help text about TARGET. */
export const aboutTargets =
  'TARGET is a connection or built-in target that `dyno targets` lists, a URL, another connection string (JDBC, ADO.NET, ODBC, libpq), or with --in a target of an experiment. ' +
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what the user is to write
  'Write a URL in single quotes and its password as ${env:NAME}, because every user of the machine can see arguments.';

/** A warning about a password in an argument; null: there is none. */
export const passwordNotice = (word: string): string | null =>
  looksLikeConnectionString(word) && holdsPlainSecret(word, urlField)
    ? // biome-ignore lint/suspicious/noTemplateCurlyInString: what the user is to write
      'Every user of the machine can see the password in this URL while the command runs, and the shell stores it in its history. Write ${env:NAME} instead, in single quotes.'
    : null;

/** A target to connect to, with the passwords that the command line provides. */
interface FoundTarget {
  readonly target: TrustedTarget;
  readonly passwords: Passwords;
}

/**
 * The target named in a command-line argument. Throws 'badInput' with the known names, and for a target that a file
 * from elsewhere defines, unless --trust is given.
 */
export function findTarget(home: Home, word: string, values: Values): FoundTarget {
  const experiment = text(values, 'in');
  if (experiment !== undefined) {
    const target = requireTrustedTarget(home, givenExperiment(home, experiment), word, values.trust === true);
    return { target, passwords: {} };
  }
  const list = openConnectionStore(home).list();
  const connection = list.connections.find(({ name }) => name === word);
  if (connection) return { target: usersConnection(connection), passwords: {} };
  if (looksLikeConnectionString(word)) return connectionOf(word);
  if (findBuiltIn(word)) return { target: builtInTarget(word), passwords: {} };
  throw unknownTarget(word, list);
}

/** The names of the built-in targets of all engines. */
export const builtInNames = (): readonly string[] =>
  catalog.flatMap(({ descriptor }) => descriptor.builtIn.map(({ target }) => target));

/** The error for a word that names neither a connection in this list nor a built-in target. */
export function unknownTarget(
  word: string,
  { connections, problem }: ReturnType<ReturnType<typeof openConnectionStore>['list']>,
): DynoError {
  const known = [...connections.map(({ name }) => name), ...builtInNames()];
  return new DynoError('badInput', `There is no connection or built-in target ${namedWord(word)}.`, {
    hint: problem ?? didYouMean(word, known) ?? `There are: ${known.join(', ')}.`,
  });
}

/**
 * The engine of the target in an argument, and its fields (null: a built-in target), for commands that do not connect
 * and so need no trust. Throws like findTarget.
 */
export function targetFields(
  home: Home,
  word: string,
  values: Values,
): { readonly engine: string; readonly fields: FieldValues | null } {
  const experiment = text(values, 'in');
  const { spec } =
    experiment === undefined ? { spec: word } : targetSpecIn(givenExperiment(home, experiment).file, word);
  if (typeof spec !== 'string') return { engine: spec.engine, fields: writtenOut(spec) as FieldValues };
  const { engine, connection } = findTarget(home, spec, {}).target;
  return { engine, fields: connection?.values ?? null };
}

/** The id of an unsaved connection. */
const unsaved = 'url';

/** The content of a URL on the command line, before its variables are replaced. */
function readWord(word: string): ReadUrl {
  // A variable may hold the whole URL.
  const whole = isReference(word) ? String(fillVariables(word, 'URL', process.env, new Set())) : word;
  return readConnectionUrl(whole, null);
}

/** The parts of a URL that are ignored or changed, in sentences; none for the name of a target. */
export function urlNotes(word: string): readonly string[] {
  if (!looksLikeConnectionString(word)) return [];
  const { notes, readOnly } = readWord(word);
  return readOnly
    ? ['This connection only reads: Dyno treats it as a production connection and creates no tables.', ...notes]
    : notes;
}

/** The password may be in clear text, or `${env:NAME}`, which is replaced separately. */
function connectionOf(url: string): FoundTarget {
  const { engine, values, passwords, readOnly } = readWord(url);
  const places = Object.fromEntries(Object.keys(passwords).map((field) => [field, 'ask'] as const));
  return {
    target: usersConnection({
      id: unsaved,
      name: 'URL',
      engine,
      values,
      passwords: places,
      ...(readOnly && { production: {} }),
    }),
    passwords: { [unsaved]: passwords },
  };
}

/** The saved connection of a target; null: a URL, or no connection. */
export const savedOf = ({ connection }: TrustedTarget): Connection | null =>
  connection?.id === unsaved ? null : connection;
