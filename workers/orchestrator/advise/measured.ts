import type { RunModel } from '#analysis/run-model/run-model.ts';
import type { YamlSource } from '#experiment/yaml/yaml-source.ts';
import type { Passwords } from '#model/connections.ts';
import { DynoError } from '#model/error.ts';
import type { Home } from '#platform/paths.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import type { Plan } from '#protocol/plan.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { loadRun } from '#workspace/runs/load-run.ts';
import { openGate } from '#workspace/trust/gate.ts';
import { createRun } from '../run/run.ts';
import type { RoundJudge, Run, RunOutcome } from '../run/run-scheduler.ts';
import type { Variables } from '../worker/targets.ts';

/** The surroundings of the runs of an advice. */
export interface MeasuringOptions {
  readonly home: Home;
  /** The folder of the experiment's CSV files. */
  readonly folder: string;
  readonly confirmed: readonly string[];
  readonly variables?: Variables;
  /** Passwords of connections that the environment does not have. */
  readonly passwords?: Passwords;
  readonly signal: AbortSignal;
  /** Shows the progress of each run. */
  readonly onRun?: (run: Run) => Disposable;
}

export interface Measured {
  readonly model: RunModel;
  readonly outcome: RunOutcome;
  readonly file: string;
}

/**
 * Runs a file made from the trusted one. `untilMs`: the time of performance.now() at which it is ended. `isEnough`
 * is asked after each whole round; once it is true, no other round follows.
 */
export async function measured(
  { home, folder, confirmed, variables, passwords = {}, signal, onRun }: MeasuringOptions,
  source: YamlSource,
  file: string | null,
  untilMs: number,
  isEnough?: (plan: Plan, results: readonly TrialResult[], round: number) => boolean,
): Promise<Measured> {
  signal.throwIfAborted();
  // The gate has let the user's file through; this one has the same targets and statements.
  const judged = openGate(home).experiment({ file: parseFile(source), folder }, false);
  if (!('trusted' in judged)) throw new DynoError('internal', 'The file of the advice is not trusted.');
  const given = { home, experiment: judged.trusted, confirmed, folder, passwords };
  const results: TrialResult[] = [];
  const judgeRound: RoundJudge = async (round) =>
    results.length < run.plan.trials.length && isEnough?.(run.plan, results, round) ? 'answered' : null;
  const more = { judgeRound, ...(variables && { variables }), ...(file !== null && { file }) };
  const run: Run = await createRun({ ...given, ...more });
  run.on('record', (entry) => {
    if (entry.record === 'result') results.push(entry.result);
  });
  const cancel = () => run.cancel();
  const timer = setTimeout(() => run.finish('timeUsed'), Math.max(0, untilMs - performance.now()));
  signal.addEventListener('abort', cancel);
  try {
    using _ = onRun?.(run) ?? { [Symbol.dispose]() {} };
    const outcome = await run.start();
    signal.throwIfAborted();
    if (!outcome.begun) throw new DynoError(outcome.error?.kind ?? 'other', outcome.error?.message ?? 'No run began.');
    return { model: await loadRun(home, run.file), outcome, file: run.file };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  }
}

/** The reason why the first run of a file has no good trial. */
export function failed({ model, outcome }: Measured): DynoError {
  const error =
    outcome.error ??
    model.targets.find((one) => one.error)?.error ??
    model.trials.find(({ result }) => result?.error)?.result?.error;
  return error
    ? new DynoError(error.kind, `The first run of the statements failed: ${error.message}`)
    : new DynoError('timeout', 'The statements could not be run once within the budget.', {
        hint: 'Give it more time (--budget), or fewer rows (--set).',
      });
}
