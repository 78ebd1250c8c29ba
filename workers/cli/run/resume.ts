import { resumeRun } from '#orchestrator/run/run.ts';
import { ensureHome } from '#platform/paths.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { headerOf } from '#workspace/runs/journal-reader.ts';
import type { Command } from '../command.ts';
import { changedServers, changeServerOption, confirmedHosts, confirmOption } from '../confirm-option.ts';
import { requireTrust, trustOption } from '../experiments/require-trust.ts';
import { findRun, runWordsHelp } from '../find-run.ts';
import { askedGate, gateOptions } from '../gate/gate-options.ts';
import { gateOfRun } from '../gate/judge-run.ts';
import { fewestRounds, judgeOfRounds, untilDecided, untilDecidedOptions } from '../gate/until-decided.ts';
import { liveSeriesOptions, openAskedSeries } from './live-series-options.ts';
import { runAndReport, runOptions } from './run-and-report.ts';

/** `dyno resume`: continues a run. */
export const resumeCommand: Command = {
  name: 'resume',
  arguments: 'RUN',
  summary:
    'Continues a run: it repeats the trials without a result and the trials that failed for reasons outside the experiment.',
  help: `RUN is ${runWordsHelp}.`,
  options: {
    ...trustOption,
    ...confirmOption,
    ...changeServerOption,
    ...gateOptions,
    ...untilDecidedOptions,
    ...liveSeriesOptions,
    ...runOptions,
  },
  takes: [1, 1],
  async run(context) {
    const { home, positionals, values } = context;
    const file = await findRun(home, positionals[0] ?? '');
    const header = await headerOf(file);
    const { yaml } = header;
    ensureHome(home);
    const experiment = requireTrust(home, { file: parseFile(yaml), path: file }, values.trust === true);
    const [confirmed, changed] = [confirmedHosts(values), changedServers(values)];
    const asked = askedGate(values, experiment.plan);
    const gate = asked && (await gateOfRun(home, asked, experiment.plan, header));
    const untilMs = untilDecided(values, asked);
    const judgeRound =
      gate && untilMs !== null
        ? judgeOfRounds({ home, gate, least: fewestRounds, untilMs, file: () => file })
        : undefined;
    await using live = await openAskedSeries(context);
    const run = await resumeRun({ home, experiment, file, confirmed, changed, judgeRound });
    return runAndReport(run, context, { gate, live });
  },
};
