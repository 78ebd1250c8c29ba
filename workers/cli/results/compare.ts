import { comparePlans } from '#analysis/compare/compare-plans.ts';
import { compareRuns, comparisonPromise, comparisonRemarks, earlierRuns } from '#analysis/compare/compare-runs.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { renderComparison } from '#presentation/terminal/run-text.ts';
import { loadRun } from '#workspace/runs/load-run.ts';
import { openRuns } from '#workspace/runs/runs.ts';
import { type Command, jsonOption } from '../command.ts';
import { findRun } from '../find-run.ts';

/** `dyno compare`: compares two runs. */
export const compareCommand: Command = {
  name: 'compare',
  arguments: 'BEFORE AFTER',
  summary: 'Compares two runs cell by cell: what became faster or slower, beside how much earlier runs differ.',
  help: 'Each is a run file, an id, the beginning of an id, or “last”.',
  options: jsonOption,
  takes: [2, 2],
  async run({ home, positionals: [before = '', after = ''], values, print, printJson }) {
    const [old, now] = [
      await loadRun(home, await findRun(home, before)),
      await loadRun(home, await findRun(home, after)),
    ];
    const cells = compareRuns(old, now, earlierRuns(old, now, await openRuns(home).list()));
    if (values.json)
      printJson({
        before: old.runId,
        after: now.runId,
        cells,
        plans: comparePlans(old, now),
        notes: [...comparisonPromise(cells), ...comparisonRemarks(old, now)],
      });
    else print(renderComparison(old, now, cells));
    return exitCodes.ok;
  },
};
