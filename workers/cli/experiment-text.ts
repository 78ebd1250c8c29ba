import { existsSync, readFileSync, statSync } from 'node:fs';
import { DynoError } from '#contract/error.ts';
import { applyOverrides } from '#contract/experiment-file.ts';
import { maxTextLength } from '#contract/yaml-source.ts';
import { openLibrary } from '../host/library.ts';
import type { Home } from '../host/paths.ts';
import type { Values } from './command.ts';

/** The text of an experiment, from a file or (by name) from the library, with `--set` applied. */
export function experimentText(home: Home, word: string, set: Values[string]): string {
  const text = existsSync(word) ? readExperiment(word) : fromLibrary(home, word);
  return applyOverrides(text, Array.isArray(set) ? set.map(String) : []);
}

function readExperiment(file: string): string {
  const found = statSync(file);
  if (!found.isFile()) throw new DynoError('badInput', `${file} is not a file.`);
  if (found.size > maxTextLength) throw new DynoError('badInput', `${file} is larger than 1 MB: not an experiment.`);
  return readFileSync(file, 'utf8');
}

function fromLibrary(home: Home, word: string): string {
  const library = openLibrary(home);
  const entry = library.list().find((one) => one.id.split(':')[1] === word || one.name === word);
  if (entry) return library.read(entry.id).text;
  throw new DynoError('badInput', `There is no experiment file “${word}”.`, {
    hint: 'Give a path, or a name that `dyno list` shows.',
  });
}
