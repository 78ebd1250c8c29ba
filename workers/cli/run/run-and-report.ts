import type { GateResult } from '#analysis/gate/gate-result.ts';
import { decisionOf, isWorse } from '#analysis/rehearsal/decision.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import type { LiveSeries } from '#live-series/live-series.ts';
import { many } from '#model/format/plural.ts';
import type { Run, RunOutcome } from '#orchestrator/run/run-scheduler.ts';
import { isAllDone } from '#planning/stopping/what-is-left.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import type { Home } from '#platform/paths.ts';
import { renderGate } from '#presentation/terminal/gate-text.ts';
import { renderText } from '#presentation/terminal/run-text.ts';
import { standardChoices } from '#protocol/report-choices.ts';
import { historyUpTo } from '#workspace/runs/history-up-to.ts';
import { loadRun } from '#workspace/runs/load-run.ts';
import { writeReport } from '#workspace/runs/report-file.ts';
import { type CommandContext, text } from '../command.ts';
import { terminalErrorText } from '../dispatch.ts';
import { gateExitCode } from '../gate/gate-options.ts';
import type { Gate } from '../gate/judge-run.ts';
import { onInterrupt } from '../interrupt.ts';
import { findingsOption } from '../results/findings-option.ts';
import { type ExperimentFile, outputOptions, usesStandardOutput, writeOutputs } from '../results/outputs.ts';
import { formatOfFile } from '../results/report-format.ts';
import { runResults } from '../results/run-results.ts';
import { keepAwake } from './keep-awake.ts';
import { showProgress } from './progress-line.ts';

/** Options of every command that runs trials. */
export const runOptions = {
  ...outputOptions,
  report: {
    type: 'string',
    isOutput: true,
    about: 'Writes the report as one file: PDF if its name ends in “.pdf”, Markdown for “.md”, otherwise HTML.',
  },
  ...findingsOption,
  quiet: { type: 'boolean', short: 'q', about: 'Prints no progress.' },
} as const;

/**
 * Runs to the end with progress on standard error, then prints the comparison and writes the requested files. `file`:
 * the experiment file, which annotations name. `gate`: judges the run. `hasNext`: if the gate is undecided, another run
 * follows, which writes the files. `live`: other programs follow the run.
 */
export async function runAndReport(
  run: Run,
  context: CommandContext,
  {
    file,
    gate = null,
    hasNext = false,
    live = null,
  }: {
    readonly file?: ExperimentFile | undefined;
    readonly gate?: Gate | null;
    readonly hasNext?: boolean;
    readonly live?: LiveSeries | null;
  } = {},
): Promise<number> {
  const { home, values, print, note } = context;
  const quiet = values.quiet === true;
  let outcome: RunOutcome;
  {
    using _awake = keepAwake();
    using _followed = live?.follow(run);
    using view = showProgress(process.stderr, quiet, run.plan.measure);
    using _ = onInterrupt(() => {
      note('\nCancelling: stopping statements and dropping tables. Press Ctrl-C again to quit at once.');
      run.cancel();
    });
    run.on('progress', (progress) => view.update(progress));
    run.on('record', (record) => {
      if (record.record !== 'result') return;
      const { trialsDone, trialsPlanned } = run.progress;
      view.finished(record.result, { done: trialsDone + 1, planned: trialsPlanned });
    });
    outcome = await run.start();
  }
  if (!outcome.begun) {
    if (outcome.error) note(terminalErrorText(outcome.error));
    return exitCodeOf(outcome);
  }
  const model = await loadRun(home, run.file);
  const judged = gate && (await gate.judge(model));
  const code =
    judged === null ? rehearsalCode(model, exitCodeOf(outcome)) : gateExitCode(judged.outcome, exitCodeOf(outcome));
  if (!usesStandardOutput(values)) {
    if (judged) print(`${renderGate(judged)}\n`);
    print(renderText(model, { allFindings: values['all-findings'] === true }));
  }
  // Printed before the files are written, which can fail: the run exists in any case.
  note(`run: ${run.file}`);
  for (const line of outcomeLines(outcome, model, run, home)) note(line);
  if (judged) note(`gate: ${judged.outcome}`);
  if (hasNext && code === exitCodes.gateUndecided) return code;
  await writeResults(context, model, { file, gate: judged });
  return code;
}

/** Writes the files of a run that the options ask for. */
async function writeResults(
  context: CommandContext,
  model: RunModel,
  { file, gate = null }: { readonly file?: ExperimentFile | undefined; readonly gate?: GateResult | null } = {},
): Promise<void> {
  const { home, values, note } = context;
  writeOutputs(context, runResults(model, { series: values.series === true, gate }), file);
  const reportFile = text(values, 'report');
  if (!reportFile) return;
  const format = formatOfFile(reportFile);
  const history = await historyUpTo(home, model, standardChoices.sections, format);
  await writeReport(model, reportFile, format, { ...standardChoices, note: '', history });
  note(`report: ${reportFile}`);
}

/** Shows a run that is complete as it was shown at its end. */
export async function showAgain(model: RunModel, context: CommandContext): Promise<number> {
  if (!usesStandardOutput(context.values))
    context.print(renderText(model, { allFindings: context.values['all-findings'] === true }));
  await writeResults(context, model);
  return rehearsalCode(model, exitCodes.ok);
}

/** The errors of a run that has ended, and what is left to do, as lines; none if everything worked. */
export function outcomeLines(outcome: RunOutcome, model: RunModel, run: Run, home: Home): readonly string[] {
  const where = run.file.startsWith(home.runs) ? run.id : run.file;
  const errors = [
    ...(outcome.error ? [terminalErrorText(outcome.error)] : []),
    ...model.targets.flatMap(({ name, error }) => (error ? [`${name}: ${terminalErrorText(error)}`] : [])),
  ];
  const left = whatIsLeft(outcome, model, where);
  return left === null ? errors : [...errors, left];
}

function whatIsLeft(outcome: RunOutcome, model: RunModel, where: string): string | null {
  const results = model.trials.flatMap(({ result }) => result ?? []);
  if (outcome.status !== 'complete')
    return isAllDone({ ...model, results })
      ? `${outcome.status} after the last trial: all have a result, and nothing is left to resume.`
      : `${outcome.status}; continue with: dyno resume ${where}`;
  if (outcome.unreachableTargets.length > 0)
    return `Once ${outcome.unreachableTargets.join(', ')} can be reached, run the missing trials with: dyno resume ${where}`;
  if (outcome.unconfirmedTargets.length > 0)
    return `Nothing more was run on ${outcome.unconfirmedTargets.join(', ')}, because its production connection is not confirmed.`;
  if (outcome.trialsToResume > 0)
    return `${many(outcome.trialsToResume, 'trial')} failed for reasons outside the experiment. Repeat with: dyno resume ${where}`;
  return null;
}

/** The code of a rehearsal that is worse. A run that was not made as planned keeps its code. */
function rehearsalCode(model: RunModel, ofRun: number): number {
  const decision = decisionOf(model);
  const isMade = ofRun === exitCodes.ok || ofRun === exitCodes.someTrialsFailed;
  return decision !== null && isMade && isWorse(decision) ? exitCodes.rehearsalWorse : ofRun;
}

function exitCodeOf(outcome: RunOutcome): number {
  if (outcome.status === 'cancelled') return exitCodes.cancelled;
  if (outcome.error)
    return outcome.error.kind === 'internal' || outcome.error.kind === 'workerGone'
      ? exitCodes.internal
      : exitCodes.runStopped;
  if (outcome.unconfirmedTargets.length > 0) return exitCodes.notConfirmed;
  if (outcome.unreachableTargets.length > 0) return exitCodes.targetUnreachable;
  return outcome.failedTrials > 0 ? exitCodes.someTrialsFailed : exitCodes.ok;
}
