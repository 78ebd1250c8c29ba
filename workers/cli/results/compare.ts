import { compareRuns } from '#analysis/compare/compare.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { renderComparison } from '#presentation/terminal/run-text.ts';
import { loadRun } from '#workspace/runs/load-run.ts';
import { type Command, jsonOption } from '../command.ts';
import { findRun } from '../find-run.ts';

/** `dyno compare`: compares two runs. */
export const compareCommand: Command = {
  name: 'compare',
  arguments: 'BEFORE AFTER',
  summary: 'Compares two runs cell by cell: what became faster or slower, and how certain that is.',
  help: 'Each is a run file, an id, the beginning of an id, or “last”.',
  options: jsonOption,
  takes: [2, 2],
  async run({ home, positionals: [before = '', after = ''], values, print, printJson }) {
    const [old, now] = [
      await loadRun(home, await findRun(home, before)),
      await loadRun(home, await findRun(home, after)),
    ];
    if (values.json) printJson({ before: old.runId, after: now.runId, cells: compareRuns(old, now) });
    else print(renderComparison(old, now));
    return exitCodes.ok;
  },
};
