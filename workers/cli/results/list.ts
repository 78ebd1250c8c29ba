import { formatBytes } from '#model/format/format.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { ensureReadableHome } from '#platform/paths.ts';
import { openLibrary } from '#workspace/library/library.ts';
import { openRuns } from '#workspace/runs/runs.ts';
import type { Command } from '../command.ts';

/** `dyno list`: lists experiments or runs. */
export const listCommand: Command = {
  name: 'list',
  arguments: '',
  summary: 'Lists the experiments of the library, or with --runs the runs.',
  options: { runs: { type: 'boolean' }, json: { type: 'boolean' } },
  about: { runs: 'Runs instead of experiments, newest first.', json: 'As JSON.' },
  takes: [0, 0],
  async run({ home, values, print }) {
    ensureReadableHome(home);
    if (values.runs) {
      const runs = await openRuns(home).list();
      if (values.json) print(JSON.stringify(runs, null, 2));
      else if (runs.length === 0) print('No runs yet: dyno run insert-duel');
      else
        for (const one of runs)
          print(
            `${one.id}  ${one.status.padEnd(11)}  ${`${one.trialsDone}/${one.trialsPlanned ?? '?'}`.padStart(9)} trials  ${formatBytes(one.bytes).padStart(9)}  ${one.name}`,
          );
    } else {
      const experiments = openLibrary(home).list();
      if (values.json) print(JSON.stringify(experiments, null, 2));
      else {
        const names = experiments.map((one) => one.id.split(':')[1] ?? '');
        const width = Math.max(0, ...names.map((name) => name.length));
        experiments.forEach((one, index) => {
          print(`${(names[index] ?? '').padEnd(width)}  ${one.origin.padEnd(7)}  ${one.problem ?? one.question}`);
        });
      }
    }
    return exitCodes.ok;
  },
};
