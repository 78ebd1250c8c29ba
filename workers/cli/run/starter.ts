import { join } from 'node:path';
import { createRun } from '#orchestrator/run/run.ts';
import { galleryFolder } from '#platform/paths.ts';
import { type Command, text } from '../command.ts';
import { experimentOptions, givenExperiment } from '../experiments/experiment-text.ts';
import { requireTrust } from '../experiments/require-trust.ts';
import { runAndReport, runOptions } from './run-and-report.ts';

/** `dyno starter`: runs the starter experiment. */
export const starterCommand: Command = {
  name: 'starter',
  arguments: '',
  summary: 'Runs the starter experiment and writes its report, as `npm start` does without a display.',
  options: {
    ...experimentOptions,
    ...runOptions,
    report: {
      ...runOptions.report,
      about: 'Path of the report. Default: the run’s name, in the folder “reports” of Dyno’s home.',
    },
  },
  takes: [0, 0],
  async run(context) {
    const { home, values } = context;
    const given = givenExperiment(home, join(galleryFolder, 'insert-duel.dyno.yaml'), values);
    const experiment = requireTrust(home, given, false);
    const run = await createRun({ home, experiment });
    const report = text(values, 'report') ?? join(home.reports, `${run.id}.html`);
    return runAndReport(run, { ...context, values: { ...values, report } });
  },
};
