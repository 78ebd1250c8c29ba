import { catalog, findBuiltIn } from '#engines/catalog.ts';
import { parseExperiment } from '#experiment/experiment-file.ts';
import { holdsPlainSecret } from '#experiment/validate/target-rules.ts';
import { DynoError } from '#model/error.ts';
import { didYouMean } from '#model/text/nearest-word.ts';
import type { CheckTarget } from '#orchestrator/check/check-connection.ts';
import { fillVariables } from '#orchestrator/worker/targets.ts';
import type { Home } from '#platform/paths.ts';
import { looksLikeUrl, readConnectionUrl } from '#workspace/connections/connection-url.ts';
import { openConnectionStore } from '#workspace/connections/connections.ts';
import { text, type Values } from '../command.ts';
import { experimentText } from '../experiments/experiment-text.ts';

/** The options of commands that take a TARGET. */
export const targetOptions = {
  in: { type: 'string', about: 'Looks for TARGET among the targets of this experiment (a file, or a name).' },
} as const;
/** Help text about TARGET. */
export const aboutTargets =
  'TARGET is a connection or a built-in target as `dyno targets` lists them, a URL of an engine, or with --in a target of an experiment. ' +
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what the user is to write
  'A URL is best given in single quotes with its password as ${env:NAME}: arguments can be seen by everybody on the machine.';

/** A warning of a password in an argument; null: there is none. */
export const passwordNotice = (word: string): string | null =>
  looksLikeUrl(word) && holdsPlainSecret(word)
    ? // biome-ignore lint/suspicious/noTemplateCurlyInString: what the user is to write
      'The password in this URL can be seen by everybody on the machine while the command runs, and the shell keeps it: write ${env:NAME} in its place, in single quotes.'
    : null;

/** The target that a command-line argument names. Throws 'badInput' with the known names. */
export function findTarget(home: Home, word: string, values: Values): CheckTarget {
  const experiment = text(values, 'in');
  if (experiment !== undefined) return targetOf(home, experiment, word);
  if (looksLikeUrl(word)) return connectionOf(word);
  const { connections, problem } = openConnectionStore(home).list();
  const connection = connections.find(({ name }) => name === word);
  if (connection) return { connection, passwords: {} };
  const builtIn = findBuiltIn(word);
  if (builtIn) return { target: word, engine: builtIn.descriptor.id };
  const known = [
    ...connections.map(({ name }) => name),
    ...catalog.flatMap(({ descriptor }) => descriptor.builtIn.map(({ target }) => target)),
  ];
  throw new DynoError('badInput', `There is no connection or built-in target “${word}”.`, {
    hint: problem ?? didYouMean(word, known) ?? `There are: ${known.join(', ')}.`,
  });
}

function targetOf(home: Home, experimentWord: string, name: string): CheckTarget {
  const { experiment, diagnostics } = parseExperiment(experimentText(home, experimentWord));
  if (!experiment)
    throw new DynoError('badInput', `${experimentWord} is no experiment: ${diagnostics[0]?.message ?? 'unreadable'}`);
  const names = experiment.targets.map((target) => (typeof target === 'string' ? target : target.name));
  const target = experiment.targets[names.indexOf(name)];
  if (target === undefined)
    throw new DynoError('badInput', `${experimentWord} has no target “${name}”.`, {
      hint: didYouMean(name, names) ?? `It has: ${names.join(', ')}.`,
    });
  return typeof target === 'string' ? findTarget(home, target, {}) : { target, engine: target.engine };
}

/** The id of a connection that is not saved anywhere. */
const unsaved = 'url';

/** The URL may contain its password, in clear text or as `${env:NAME}`. */
function connectionOf(url: string): CheckTarget {
  const filled = String(fillVariables(url, 'URL', process.env, new Set()));
  const { engine, values, passwords } = readConnectionUrl(filled, null);
  const places = Object.fromEntries(Object.keys(passwords).map((field) => [field, 'ask'] as const));
  return {
    connection: { id: unsaved, name: 'URL', engine, values, passwords: places },
    passwords: { [unsaved]: passwords },
  };
}

/** True for a saved connection; false for a URL. */
export const isSaved = ({ connection }: Extract<CheckTarget, { connection: unknown }>): boolean =>
  connection.id !== unsaved;
