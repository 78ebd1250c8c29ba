import { createRun } from '#orchestrator/run/run.ts';
import { openConnectionStore } from '#workspace/connections/connections.ts';
import { diagnosticLine, planExperiment } from '#workspace/library/plan-experiment.ts';
import { type Command, text } from '../command.ts';
import { experimentOptions, experimentText, folderOf } from '../experiments/experiment-text.ts';
import { runAndReport, runOptions } from './run-and-report.ts';

/** `dyno run`: runs an experiment. */
export const runCommand: Command = {
  name: 'run',
  arguments: 'FILE',
  summary: 'Runs an experiment and prints the comparison.',
  help: 'FILE is an experiment file, or a name that `dyno list` shows. Ctrl-C cancels and drops the tables; the run can be resumed.',
  options: {
    ...experimentOptions,
    out: { type: 'string', short: 'o', about: 'Writes the run to this file instead of Dyno’s home.' },
    ...runOptions,
  },
  takes: [1, 1],
  async run(context) {
    const { home, positionals, values } = context;
    const file = text(values, 'out');
    const folder = folderOf(positionals[0] ?? '');
    const yaml = experimentText(home, positionals[0] ?? '', values);
    for (const one of planExperiment(yaml, openConnectionStore(home).list().connections).diagnostics)
      if (one.severity === 'warning') context.note(`${positionals[0]}:${diagnosticLine(one)} [warning]`);
    return runAndReport(await createRun({ home, yaml, ...(file && { file }), ...(folder && { folder }) }), context);
  },
};
