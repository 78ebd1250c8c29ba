import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { namedWord } from '#engine-api/connection-strings/looks.ts';
import { setIn } from '#experiment/yaml/edit-experiment.ts';
import { applyOverrides } from '#experiment/yaml/overrides.ts';
import { maxTextLength, readYaml, type YamlSource } from '#experiment/yaml/yaml-source.ts';
import { DynoError } from '#model/error.ts';
import { didYouMean } from '#model/text/nearest-word.ts';
import { readGiven } from '#platform/given-file.ts';
import type { Home } from '#platform/paths.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { openLibrary } from '#workspace/library/library.ts';
import type { GivenFile } from '#workspace/trust/gate.ts';
import type { Values } from '../command.ts';

/** Options of every command that takes an experiment. */
export const experimentOptions = {
  size: { type: 'string', about: 'Uses one of the file’s sizes (`dyno gallery NAME` lists them).' },
  set: {
    type: 'string',
    multiple: true,
    about: 'Overrides a value of the file: --set dataset.rows=20000 (repeatable).',
  },
} as const;

type GivenIn = GivenFile & { readonly folder: string };

/** The experiment that a command line names by path or by its name in the library, after `--size` and then `--set`. */
export function givenExperiment(home: Home, word: string, values: Values = {}): GivenIn {
  if (!existsSync(word)) return libraryExperiment(home, word, values, 'Give a path, or a name that `dyno list` shows.');
  const written = readYaml(readGiven(word, maxTextLength, 'an experiment').toString('utf8'));
  return { written, file: parseFile(changed(written, values)), path: word, folder: dirname(resolve(word)) };
}

/** The experiment of the library or gallery with this name or id, never a path, after `--size` and then `--set`. */
export function libraryExperiment(home: Home, word: string, values: Values = {}, hint?: string): GivenIn {
  const written = readYaml(libraryText(home, word, hint));
  return { written, file: parseFile(changed(written, values)), folder: home.experiments };
}

/** An experiment as it was written, after `--size` and then `--set`. It is read as YAML, and not checked. */
export function changed(written: YamlSource, { size, set }: Values): YamlSource {
  const chosen = typeof size === 'string' ? setIn(written, ['size'], size) : written;
  return applyOverrides(chosen, Array.isArray(set) ? set.map(String) : []);
}

/** The text of the experiment of the library or gallery with this name or id, never a path. */
export function libraryText(home: Home, word: string, hint = 'Give a name that `dyno list` shows.'): string {
  const library = openLibrary(home);
  const entries = library.list();
  const entry = entries.find(({ id, name }) => id === word || id.split(':')[1] === word || name === word);
  if (entry) return library.read(entry.id).text;
  throw new DynoError('badInput', `There is no experiment file ${namedWord(word)}.`, {
    hint:
      didYouMean(
        word,
        entries.flatMap(({ id, name }) => [id.split(':')[1] ?? id, name]),
      ) ?? hint,
  });
}
