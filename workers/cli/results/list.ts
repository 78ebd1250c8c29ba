import { gradeLabels } from '#analysis/grade/grade-text.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { formatBytes } from '#model/format/format.ts';
import { oneLine } from '#model/text/printable.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { ensureReadableHome } from '#platform/paths.ts';
import { originText } from '#protocol/foreign-work.ts';
import { openLibrary } from '#workspace/library/library.ts';
import { openRuns } from '#workspace/runs/runs.ts';
import { openTrust } from '#workspace/trust/trust.ts';
import { type Command, jsonOption } from '../command.ts';

/** `dyno list`: lists experiments or runs. */
export const listCommand: Command = {
  name: 'list',
  arguments: '',
  summary: 'Lists the experiments of the library, or with --runs the runs.',
  options: { runs: { type: 'boolean', about: 'Lists runs instead of experiments, newest first.' }, ...jsonOption },
  takes: [0, 0],
  async run({ home, values, print, printJson }) {
    ensureReadableHome(home);
    if (values.runs) {
      const runs = await openRuns(home).list();
      if (values.json) printJson(runs);
      else if (runs.length === 0) print('No runs yet: dyno run insert-duel');
      else
        for (const one of runs)
          print(
            `${one.id}  ${one.status.padEnd(11)}  ${`${one.trialsDone}/${one.trialsPlanned ?? '?'}`.padStart(9)} trials  ${formatBytes(one.bytes).padStart(9)}  ${(one.grade === null ? '' : gradeLabels[one.grade.level]).padEnd(12)}  ${oneLine(one.name)}`,
          );
    } else {
      const library = openLibrary(home);
      const trust = openTrust(home, library);
      const experiments = library
        .list()
        .map((one) => ({ ...one, cameFrom: one.origin === 'mine' ? trust.originOf(readYaml(one.text)) : null }));
      if (values.json) printJson(experiments);
      else {
        const names = experiments.map((one) => oneLine(one.id.split(':')[1] ?? ''));
        const width = Math.max(0, ...names.map((name) => name.length));
        experiments.forEach((one, index) => {
          const from = one.cameFrom ? `  (from ${originText(one.cameFrom)})` : '';
          print(
            `${(names[index] ?? '').padEnd(width)}  ${one.origin.padEnd(7)}  ${oneLine(one.problem ?? one.question)}${from}`,
          );
        });
      }
    }
    return exitCodes.ok;
  },
};
