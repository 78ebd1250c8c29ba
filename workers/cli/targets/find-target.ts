import { looksLikeConnectionString, namedWord } from '#engine-api/connection-strings/looks.ts';
import { catalog, findBuiltIn } from '#engines/catalog.ts';
import { parseExperiment } from '#experiment/experiment-file.ts';
import { holdsPlainSecret } from '#experiment/validate/target-rules.ts';
import { type ReadUrl, urlField } from '#model/connections.ts';
import { DynoError } from '#model/error.ts';
import { isReference } from '#model/reference.ts';
import { didYouMean } from '#model/text/nearest-word.ts';
import type { CheckTarget } from '#orchestrator/check/check-connection.ts';
import { fillVariables } from '#orchestrator/worker/targets.ts';
import type { Home } from '#platform/paths.ts';
import { readConnectionUrl } from '#workspace/connections/connection-url.ts';
import { openConnectionStore } from '#workspace/connections/connections.ts';
import { text, type Values } from '../command.ts';
import { writtenText } from '../experiments/experiment-text.ts';
import { requireTrustedTarget } from '../experiments/require-trust.ts';

/** The options of commands that take a TARGET. */
export const targetOptions = {
  trust: { type: 'boolean', about: 'Connects to a target of an experiment that came from elsewhere.' },
  in: { type: 'string', about: 'Looks for TARGET among the targets of this experiment (a file, or a name).' },
} as const;
/** Help text about TARGET. */
export const aboutTargets =
  'TARGET is a connection or a built-in target as `dyno targets` lists them, a URL or another connection string (JDBC, ADO.NET, ODBC, libpq), or with --in a target of an experiment. ' +
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what the user is to write
  'A URL is best given in single quotes with its password as ${env:NAME}: arguments can be seen by everybody on the machine.';

/** A warning of a password in an argument; null: there is none. */
export const passwordNotice = (word: string): string | null =>
  looksLikeConnectionString(word) && holdsPlainSecret(word, urlField)
    ? // biome-ignore lint/suspicious/noTemplateCurlyInString: what the user is to write
      'The password in this URL can be seen by everybody on the machine while the command runs, and the shell keeps it: write ${env:NAME} in its place, in single quotes.'
    : null;

/**
 * The target that a command-line argument names. Throws 'badInput' with the known names, and for a target that a file
 * from elsewhere writes out, unless --trust is given.
 */
export function findTarget(home: Home, word: string, values: Values): CheckTarget {
  const experiment = text(values, 'in');
  if (experiment !== undefined) return targetOf(home, experiment, word, values.trust === true);
  const { connections, problem } = openConnectionStore(home).list();
  const connection = connections.find(({ name }) => name === word);
  if (connection) return { connection, passwords: {} };
  if (looksLikeConnectionString(word)) return connectionOf(word);
  const builtIn = findBuiltIn(word);
  if (builtIn) return { target: word, engine: builtIn.descriptor.id };
  const known = [
    ...connections.map(({ name }) => name),
    ...catalog.flatMap(({ descriptor }) => descriptor.builtIn.map(({ target }) => target)),
  ];
  throw new DynoError('badInput', `There is no connection or built-in target ${namedWord(word)}.`, {
    hint: problem ?? didYouMean(word, known) ?? `There are: ${known.join(', ')}.`,
  });
}

function targetOf(home: Home, experimentWord: string, name: string, isTrusted: boolean): CheckTarget {
  const written = writtenText(home, experimentWord);
  const { experiment, diagnostics } = parseExperiment(written);
  if (!experiment)
    throw new DynoError('badInput', `${experimentWord} is no experiment: ${diagnostics[0]?.message ?? 'unreadable'}`);
  const names = experiment.targets.map((target) => (typeof target === 'string' ? target : target.name));
  const target = experiment.targets[names.indexOf(name)];
  if (target === undefined)
    throw new DynoError('badInput', `${experimentWord} has no target ${namedWord(name)}.`, {
      hint: didYouMean(name, names) ?? `It has: ${names.join(', ')}.`,
    });
  if (typeof target === 'string') return findTarget(home, target, {});
  requireTrustedTarget(home, experimentWord, written, experiment, target, isTrusted);
  return { target, engine: target.engine };
}

/** The id of a connection that is not saved anywhere. */
const unsaved = 'url';

/** The content of a URL on the command line; its variables are not filled in yet. */
function readWord(word: string): ReadUrl {
  // A variable may hold the whole URL.
  const whole = isReference(word) ? String(fillVariables(word, 'URL', process.env, new Set())) : word;
  return readConnectionUrl(whole, null);
}

/** The parts of a URL that are not taken over or are changed, in sentences; none for the name of a target. */
export function urlNotes(word: string): readonly string[] {
  if (!looksLikeConnectionString(word)) return [];
  const { notes, readOnly } = readWord(word);
  return readOnly ? ['It may only read: Dyno treats it as marked as production, and makes no table.', ...notes] : notes;
}

/** The password may stand there in clear text, or as `${env:NAME}`, which is filled in by itself. */
function connectionOf(url: string): CheckTarget {
  const { engine, values, passwords, readOnly } = readWord(url);
  const places = Object.fromEntries(Object.keys(passwords).map((field) => [field, 'ask'] as const));
  return {
    connection: {
      id: unsaved,
      name: 'URL',
      engine,
      values,
      passwords: places,
      ...(readOnly && { production: {} }),
    },
    passwords: { [unsaved]: passwords },
  };
}

/** True for a saved connection; false for a URL. */
export const isSaved = ({ connection }: Extract<CheckTarget, { connection: unknown }>): boolean =>
  connection.id !== unsaved;
