import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { namedWord } from '#engine-api/connection-strings/looks.ts';
import { setIn } from '#experiment/yaml/edit-experiment.ts';
import { applyOverrides } from '#experiment/yaml/overrides.ts';
import { maxTextLength, readYaml } from '#experiment/yaml/yaml-source.ts';
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

/** The experiment that a command line names by path or by its name in the library, after `--size` and then `--set`. */
export function givenExperiment(
  home: Home,
  word: string,
  { size, set }: Values = {},
): GivenFile & { readonly folder: string } {
  const isPath = existsSync(word);
  const written = readYaml(
    isPath ? readGiven(word, maxTextLength, 'an experiment').toString('utf8') : fromLibrary(home, word),
  );
  const chosen = typeof size === 'string' ? setIn(written, ['size'], size) : written;
  const file = parseFile(applyOverrides(chosen, Array.isArray(set) ? set.map(String) : []));
  return isPath
    ? { written, file, path: word, folder: dirname(resolve(word)) }
    : { written, file, folder: home.experiments };
}

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
