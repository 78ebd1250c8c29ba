import { resumeRun } from '#orchestrator/run/run.ts';
import type { Command } from '../command.ts';
import { findRun } from '../find-run.ts';
import { runAndReport, runOptions } from './run-and-report.ts';

/** `dyno resume`: continues a run. */
export const resumeCommand: Command = {
  name: 'resume',
  arguments: 'RUN',
  summary:
    'Goes on with a run: the trials without a result, and those that failed for other reasons than the experiment’s own.',
  help: 'RUN is a run file, an id, the beginning of an id, or “last”.',
  options: runOptions,
  takes: [1, 1],
  async run(context) {
    const file = await findRun(context.home, context.positionals[0] ?? '');
    return runAndReport(await resumeRun({ home: context.home, file }), context);
  },
};
