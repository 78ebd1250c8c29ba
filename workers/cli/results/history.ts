import { chosenSize } from '#experiment/schema/sizes.ts';
import { DynoError } from '#model/error.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import type { Home } from '#platform/paths.ts';
import { renderHistory } from '#presentation/terminal/history-text.ts';
import { runFileEnding } from '#workspace/runs/journal-file.ts';
import { headerOf } from '#workspace/runs/journal-reader.ts';
import { openRuns } from '#workspace/runs/runs.ts';
import type { GivenFile } from '#workspace/trust/gate.ts';
import { type Command, jsonOption, text, type Values } from '../command.ts';
import { givenExperiment, libraryExperiment } from '../experiments/experiment-text.ts';
import { findRun, isFile, runWordsHelp } from '../find-run.ts';

/** `dyno history`: an experiment's results over all of its runs. */
export const historyCommand: Command = {
  name: 'history',
  arguments: 'FILE',
  summary: 'Shows an experiment’s results over all of its runs: what changed, at which run, and what changed with it.',
  help: `FILE is an experiment file, the name of an experiment, or one of its runs: ${runWordsHelp}. A run counts if it is complete and has the experiment’s name and size.`,
  options: {
    size: { type: 'string', about: 'Takes the runs of one of the experiment’s sizes.' },
    last: { type: 'string', about: 'Takes the latest runs only: --last 20.' },
    since: { type: 'string', about: 'Takes the runs since a date only: --since 2026-11-01.' },
    ...jsonOption,
  },
  takes: [1, 1],
  async run({ home, positionals: [word = ''], values, print, printJson }) {
    const experiment = await experimentNamed(home, word, values);
    const history = await openRuns(home).history({
      ...experiment,
      last: countOf(text(values, 'last')),
      since: momentOf(text(values, 'since')),
    });
    if (values.json) printJson(history);
    else print(renderHistory(history));
    return exitCodes.ok;
  },
};

interface NameAndSize {
  readonly name: string;
  readonly size: string | null;
}

/** The experiment of a run file, of an experiment file, of runs with this name, of the library, or of a run. */
async function experimentNamed(home: Home, word: string, values: Values): Promise<NameAndSize> {
  const wanted = text(values, 'size');
  if (isFile(word))
    return word.endsWith(runFileEnding)
      ? ofRun(word, wanted)
      : ofExperiment(word, givenExperiment(home, word, { size: values.size }));
  return experimentCalled(home, word, wanted, findRun);
}

/** The experiment of the runs with this name, of the library, or of a run that `find` finds. */
export async function experimentCalled(
  home: Home,
  word: string,
  wanted: string | undefined,
  find: typeof findRun,
): Promise<NameAndSize> {
  const named = (await openRuns(home).list()).filter(({ name }) => name === word);
  const latest = wanted === undefined ? named[0] : named.find(({ size }) => size === wanted);
  if (latest) return { name: latest.name, size: latest.size };
  const known = ofLibrary(home, word, wanted);
  return known ?? ofRun(await find(home, word), wanted);
}

function ofExperiment(word: string, { file: { experiment, diagnostics } }: GivenFile): NameAndSize {
  if (experiment) return { name: experiment.name, size: chosenSize(experiment) };
  throw new DynoError('badInput', `${word} is no valid experiment: ${diagnostics[0]?.message ?? ''}`, {
    hint: 'Check it (`dyno check`), or give the name of the experiment, or one of its runs.',
  });
}

/** The experiment of the library with this name; null: there is none. */
function ofLibrary(home: Home, word: string, size: string | undefined): NameAndSize | null {
  try {
    return ofExperiment(word, libraryExperiment(home, word, { size }));
  } catch {
    return null;
  }
}

async function ofRun(file: string, wanted: string | undefined): Promise<NameAndSize> {
  const { experiment } = (await headerOf(file)).plan;
  return { name: experiment.name, size: wanted ?? chosenSize(experiment) };
}

function countOf(given: string | undefined): number | null {
  if (given === undefined) return null;
  const count = Number(given);
  if (Number.isInteger(count) && count >= 1) return count;
  throw new DynoError('badInput', `“${given}” is no number of runs.`, { hint: 'Give a whole number: --last 20' });
}

/** The moment that a date or a timestamp means, as an ISO timestamp; null without one. Throws 'badInput'. */
export function momentOf(given: string | undefined): string | null {
  if (given === undefined) return null;
  const moment = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z?)?$/.test(given) ? new Date(given) : null;
  if (moment !== null && !Number.isNaN(moment.getTime())) return moment.toISOString();
  throw new DynoError('badInput', `“${given}” is no date.`, { hint: 'Give year, month and day: --since 2026-11-01' });
}
