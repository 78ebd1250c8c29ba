import { diagnosticLine } from '#model/text/diagnostic.ts';
import { createRun } from '#orchestrator/run/run.ts';
import type { Run } from '#orchestrator/run/run-scheduler.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { ensureHome } from '#platform/paths.ts';
import { type Command, text } from '../command.ts';
import { changedServers, changeServerOption, confirmedHosts, confirmOption } from '../confirm-option.ts';
import { experimentOptions, givenExperiment } from '../experiments/experiment-text.ts';
import { requireTrust, trustOption } from '../experiments/require-trust.ts';
import { askedGate, gateOptions } from '../gate/gate-options.ts';
import { gateOfRun, gateOfTargets } from '../gate/judge-run.ts';
import { judgeOfRounds, leastRounds, untilDecided, untilDecidedOptions, withOpenEnd } from '../gate/until-decided.ts';
import { leastInTurn, versionsInTurn } from '../gate/versions-in-turn.ts';
import { liveSeriesOptions, openAskedSeries } from './live-series-options.ts';
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
    ...untilDecidedOptions,
    ...liveSeriesOptions,
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
    const wanted = requireTrust(home, given, values.trust === true);
    const asked = askedGate(values, wanted.plan);
    const untilMs = untilDecided(values, asked);
    const gate = asked && (await gateOfRun(home, asked, wanted.plan));
    const goesOn = gate && untilMs !== null ? { home, gate, least: leastRounds(wanted.plan), untilMs } : null;
    const versions = goesOn && versionsInTurn(goesOn.gate.before, wanted);
    // Further repeats of the new version alone decide less than both versions measured in turn.
    const isOpen = goesOn !== null && versions === null;
    const experiment = isOpen
      ? requireTrust(home, { ...given, written: given.written ?? given.file, file: withOpenEnd(given.file) }, false)
      : wanted;
    for (const one of experiment.warnings) context.note(`${word}:${diagnosticLine(one)} [warning]`);
    await using live = await openAskedSeries(context);
    const confirmed = confirmedHosts(values);
    const changed = changedServers(values);
    const options = { home, confirmed, changed, folder };
    const judgeRound = isOpen ? judgeOfRounds({ ...goesOn, file: () => run.file }) : undefined;
    const run: Run = await createRun({ ...options, experiment, judgeRound, ...(file && { file }) });
    const { path, written = given.file } = given;
    const annotated = path === undefined ? undefined : { path, written };
    const next = versions === null ? null : versions(home);
    const code = await runAndReport(run, context, { file: annotated, gate, hasNext: next !== null, live });
    if (versions === null || goesOn === null || code !== exitCodes.gateUndecided) return code;
    if (next === null) {
      context.note(
        'The targets of the baseline’s run are not trusted here, so both versions are not measured in turn.',
      );
      return code;
    }
    context.note('Both versions are now measured in turn, until the gate is decided.');
    const gateInTurn = gateOfTargets(next.inTurn, goesOn.gate);
    const judgeInTurn = judgeOfRounds({ ...goesOn, gate: gateInTurn, least: leastInTurn, file: () => both.file });
    const both: Run = await createRun({ ...options, experiment: next.experiment, judgeRound: judgeInTurn });
    return runAndReport(both, context, { file: annotated, gate: gateInTurn, live });
  },
};
