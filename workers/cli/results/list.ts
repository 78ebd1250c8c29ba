import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { oneLine } from '#model/text/printable.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { ensureReadableHome } from '#platform/paths.ts';
import { originText } from '#protocol/foreign-work.ts';
import { openLibrary } from '#workspace/library/library.ts';
import { openRuns } from '#workspace/runs/runs.ts';
import { openTrust } from '#workspace/trust/trust.ts';
import { type Command, jsonOption, texts } from '../command.ts';
import { runLine } from './run-line.ts';

/** `dyno list`: lists experiments or runs. */
export const listCommand: Command = {
  name: 'list',
  arguments: '',
  summary: 'Lists the experiments of the library, or with --runs the runs.',
  options: {
    runs: { type: 'boolean', about: 'Lists runs instead of experiments, newest first.' },
    tag: { type: 'string', multiple: true, about: 'Lists only the runs with this tag (repeatable).' },
    ...jsonOption,
  },
  takes: [0, 0],
  async run({ home, values, print, printJson }) {
    ensureReadableHome(home);
    const tags = texts(values, 'tag');
    if (values.runs || tags.length > 0) {
      const all = await openRuns(home).list();
      const runs = all.filter((run) => tags.every((tag) => run.tags.includes(tag)));
      if (values.json) printJson(runs);
      else if (all.length === 0) print('No runs yet: dyno run insert-duel');
      else if (runs.length === 0) print('No run has these tags.');
      else for (const run of runs) print(runLine(run));
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
