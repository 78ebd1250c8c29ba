import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { namedWord } from '#engine-api/connection-strings/looks.ts';
import { DynoError } from '#model/error.ts';
import { many } from '#model/format/plural.ts';
import { oneLine } from '#model/text/printable.ts';
import type { Home } from '#platform/paths.ts';
import type { RunEntry } from '#protocol/ipc.ts';
import { pinnedBaselines } from '#workspace/runs/pinned-baselines.ts';
import { openRuns } from '#workspace/runs/runs.ts';

/** The words that {@link findListedRun} understands, for descriptions. */
export const listedRunWords = 'an id, the beginning of an id, a title, a tag, “last”, or “baseline” (the pinned one)';

/** The words that {@link findRun} understands, for the help of commands. */
export const runWordsHelp = `a run file, ${listedRunWords}`;

/** The file of a run that a word names by its file, or as {@link findListedRun} finds it. */
export async function findRun(home: Home, word: string, experiment: string | null = null): Promise<string> {
  return isFile(word) ? resolve(word) : findListedRun(home, word, experiment, runWordsHelp);
}

/**
 * The file of a run of the home, by its id, its title, a tag, the beginning or end of its id, “last”, or “baseline”
 * (“pinned”), never by a path. `experiment`: the name of the experiment whose runs are meant; a title or tag then means
 * the newest run that has it. Throws 'badInput' with the reason where no run or more than one is meant.
 */
export async function findListedRun(
  home: Home,
  word: string,
  experiment: string | null = null,
  words = listedRunWords,
): Promise<string> {
  const runs = openRuns(home);
  const all = await runs.list();
  const entries = experiment === null ? all : all.filter(({ name }) => name === experiment);
  const isPinned = word === 'baseline' || word === 'pinned';
  const found = isPinned ? entries.filter(({ isBaseline }) => isBaseline) : runsOf(word, entries);
  const [newest] = found;
  if (newest && (found.length === 1 || (experiment !== null && isCalled(newest, word)))) return runs.file(newest.id);
  if (isPinned) throw noBaseline(home, found, all, experiment);
  const where = experiment === null ? '' : ` of the experiment “${oneLine(experiment)}”`;
  throw new DynoError(
    'badInput',
    found.length > 1
      ? `“${oneLine(word)}” means ${many(found.length, 'run')}: ${found.slice(0, 5).map(labelOf).join('; ')}${found.length > 5 ? '; …' : ''}.`
      : `There is no run ${namedWord(word)}${where}.`,
    { hint: `Give ${words}. \`dyno list --runs\` shows them.` },
  );
}

/** True if a word names a file. A folder may have the name of a tag. */
export const isFile = (word: string): boolean => existsSync(word) && !statSync(word).isDirectory();

/** The runs that a word means: by id, else by title or tag, else by the beginning or end of an id. Newest first. */
function runsOf(word: string, entries: readonly RunEntry[]): readonly RunEntry[] {
  if (word === 'last') return entries.slice(0, 1);
  const ways: readonly ((run: RunEntry) => boolean)[] = [
    ({ id }) => id === word,
    (run) => isCalled(run, word),
    ({ id }) => id.startsWith(word) || id.endsWith(word),
  ];
  for (const is of ways) {
    const found = word === '' ? [] : entries.filter(is);
    if (found.length > 0) return found;
  }
  return [];
}

const isCalled = ({ title, tags }: RunEntry, word: string): boolean => title === word || tags.includes(word);

const labelOf = ({ id, title, name }: RunEntry): string => `${id} (${oneLine(title || name)})`;

/** The reason why no single run is the pinned baseline. */
function noBaseline(
  home: Home,
  found: readonly RunEntry[],
  all: readonly RunEntry[],
  experiment: string | null,
): DynoError {
  if (found.length > 1)
    return new DynoError('badInput', `Several experiments have a baseline: ${found.map(labelOf).join('; ')}.`, {
      hint: 'Give the id of the run.',
    });
  const pinned = [...pinnedBaselines(home)].find(([name]) => experiment === null || name === experiment);
  const isGone = pinned !== undefined && !all.some(({ id }) => id === pinned[1]);
  return new DynoError(
    'badInput',
    isGone
      ? `The baseline of the experiment “${oneLine(pinned[0])}”, the run ${oneLine(pinned[1])}, has been deleted.`
      : `No run${experiment === null ? '' : ` of the experiment “${oneLine(experiment)}”`} is pinned as the baseline.`,
    { hint: 'Pin a run: dyno annotate RUN --baseline' },
  );
}
