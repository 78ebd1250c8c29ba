import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { namedWord } from '#engine-api/connection-strings/looks.ts';
import { DynoError } from '#model/error.ts';
import type { Home } from '#platform/paths.ts';
import { openRuns } from '#workspace/runs/runs.ts';

/** Finds a run by its file, its id, the beginning of its id, or "last". Throws 'badInput' with the known runs. */
export async function findRun(home: Home, word: string): Promise<string> {
  if (existsSync(word)) return resolve(word);
  const runs = openRuns(home);
  const entries = await runs.list();
  const found =
    word === 'last' ? entries.slice(0, 1) : entries.filter((one) => one.id.startsWith(word) || one.id.endsWith(word));
  const [only] = found;
  if (only && found.length === 1) return runs.file(only.id);
  throw new DynoError(
    'badInput',
    found.length > 1 ? `“${word}” is the beginning of ${found.length} runs.` : `There is no run ${namedWord(word)}.`,
    {
      hint: 'Give a run file, an id as `dyno list --runs` shows it, or “last”.',
    },
  );
}
