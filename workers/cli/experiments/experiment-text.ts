import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { namedWord } from '#engine-api/connection-strings/looks.ts';
import { setIn } from '#experiment/yaml/edit-experiment.ts';
import { applyOverrides } from '#experiment/yaml/overrides.ts';
import { maxTextLength } from '#experiment/yaml/yaml-source.ts';
import { DynoError } from '#model/error.ts';
import { didYouMean } from '#model/text/nearest-word.ts';
import { readGiven } from '#platform/given-file.ts';
import type { Home } from '#platform/paths.ts';
import { openLibrary } from '#workspace/library/library.ts';
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

/** The text of an experiment as it stands in a file or in the library. */
export const writtenText = (home: Home, word: string): string =>
  existsSync(word) ? readGiven(word, maxTextLength, 'an experiment').toString('utf8') : fromLibrary(home, word);

/** The text of an experiment, with the size of `--size` and then `--set` applied. */
export const experimentText = (home: Home, word: string, values: Values = {}): string =>
  withChanges(writtenText(home, word), values);

/** A text with the size of `--size` and then `--set` applied. */
export function withChanges(text: string, { size, set }: Values): string {
  const chosen = typeof size === 'string' ? setIn(text, ['size'], size) : text;
  return applyOverrides(chosen, Array.isArray(set) ? set.map(String) : []);
}

/** The folder for the files that an experiment at this path names; undefined for an experiment of the library. */
export const folderOf = (word: string): string | undefined => (existsSync(word) ? dirname(resolve(word)) : undefined);

function fromLibrary(home: Home, word: string): string {
  const library = openLibrary(home);
  const entries = library.list();
  const entry = entries.find((one) => one.id.split(':')[1] === word || one.name === word);
  if (entry) return library.read(entry.id).text;
  throw new DynoError('badInput', `There is no experiment file ${namedWord(word)}.`, {
    hint:
      didYouMean(
        word,
        entries.flatMap(({ id, name }) => [id.split(':')[1] ?? id, name]),
      ) ?? 'Give a path, or a name that `dyno list` shows.',
  });
}
