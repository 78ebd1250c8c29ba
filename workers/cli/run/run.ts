import { diagnosticLine } from '#model/text/diagnostic.ts';
import { createRun } from '#orchestrator/run/run.ts';
import { ensureHome } from '#platform/paths.ts';
import { type Command, text } from '../command.ts';
import { changedServers, changeServerOption, confirmedHosts, confirmOption } from '../confirm-option.ts';
import { experimentOptions, givenExperiment } from '../experiments/experiment-text.ts';
import { requireTrust, trustOption } from '../experiments/require-trust.ts';
import { askedGate, gateOptions } from '../gate/gate-options.ts';
import { gateOfRun } from '../gate/judge-run.ts';
import { runAndReport, runOptions } from './run-and-report.ts';

/** `dyno run`: runs an experiment. */
export const runCommand: Command = {
  name: 'run',
  arguments: 'FILE',
  summary: 'Runs an experiment and prints the comparison.',
  help: 'FILE is an experiment file or a name that `dyno list` shows. Ctrl-C cancels the run and drops its tables; `dyno resume` continues it.',
  options: {
    ...experimentOptions,
    ...trustOption,
    ...confirmOption,
    ...changeServerOption,
    out: { type: 'string', short: 'o', about: 'Writes the run file to this path instead of Dyno’s home.' },
    ...gateOptions,
    ...runOptions,
  },
  takes: [1, 1],
  async run(context) {
    const { home, positionals, values } = context;
    const file = text(values, 'out');
    const [word = ''] = positionals;
    const given = givenExperiment(home, word, values);
    const { folder } = given;
    ensureHome(home);
    const experiment = requireTrust(home, given, values.trust === true);
    for (const one of experiment.warnings) context.note(`${word}:${diagnosticLine(one)} [warning]`);
    const confirmed = confirmedHosts(values);
    const changed = changedServers(values);
    const asked = askedGate(values, experiment.plan);
    const gate = asked && (await gateOfRun(home, asked, experiment.plan));
    const run = await createRun({ home, experiment, confirmed, changed, ...(file && { file }), folder });
    const { path, written = given.file } = given;
    return runAndReport(run, context, { file: path === undefined ? undefined : { path, written }, gate });
  },
};
