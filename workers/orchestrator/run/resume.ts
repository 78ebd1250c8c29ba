import { isDeepStrictEqual } from 'node:util';
import { endReasons } from '#analysis/text/verdict-text.ts';
import { DynoError } from '#model/error.ts';
import { whatFollows } from '#planning/search/search.ts';
import { judgeRepeats } from '#planning/stopping/precision.ts';
import { isDone } from '#planning/stopping/what-is-left.ts';
import type { EndReason, FoundFiles, JournalRecord, TargetRecord } from '#protocol/journal.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import type { Plan } from '#protocol/plan.ts';
import { readFound } from '#workspace/library/list-files.ts';
import { readJournal } from '#workspace/runs/journal-reader.ts';
import type { TrustedExperiment } from '#workspace/trust/gate.ts';

type Header = Extract<JournalRecord, { record: 'header' }>;

interface Unfinished {
  readonly id: string;
  readonly yaml: string;
  readonly plan: Plan;
  /** The files of the experiment's parameters, as the run found them. */
  readonly files: FoundFiles;
  /** The results that count (isDone). */
  readonly done: readonly TrialResult[];
  /** The targets as they were described last. */
  readonly targets: readonly TargetRecord[];
}

/** Reads the results of a run. Throws 'badInput' if nothing is left to do, and for a file that must not be executed. */
export async function readUnfinished(file: string, experiment: TrustedExperiment): Promise<Unfinished> {
  let header: Header | null = null;
  const done = new Map<number, TrialResult>();
  const targets = new Map<string, TargetRecord>();
  let endReason: EndReason | null = null;
  for await (const record of readJournal(file, ['target', 'result', 'enough', 'resumed'])) {
    if (record.record === 'enough') endReason = 'precision' in record ? null : record.reason;
    if (record.record === 'resumed') endReason = null;
    if (record.record === 'target') targets.set(record.target.name, record.target);
    if (record.record === 'header') header = record;
    if (record.record !== 'result') continue;
    // The last result of a trial counts.
    done.delete(record.result.number);
    if (isDone(record.result)) done.set(record.result.number, record.result);
  }
  if (!header) throw new DynoError('badInput', `${file} has no header.`);
  const plan = checkedPlan(file, header, experiment);
  if (endReason !== null)
    throw new DynoError('badInput', `This run ended because ${endReasons[endReason]}: there is nothing to resume.`, {
      hint: 'Start its advice or its gate again, with a larger budget.',
    });
  if (whatFollows(plan, [...done.values()]).next === null)
    throw new DynoError('badInput', 'Every trial of this run is done: there is nothing to resume.');
  const unfinished = {
    id: header.runId,
    yaml: header.yaml,
    plan,
    files: readFound(header.files),
    done: [...done.values()],
    targets: [...targets.values()],
  };
  const enough = judgeRepeats({ plan, targets: unfinished.targets, results: unfinished.done });
  if (enough?.reason)
    throw new DynoError(
      'badInput',
      `This run has enough after ${enough.precision.round} repeats: there is nothing to resume.`,
    );
  return unfinished;
}

/**
 * The plan that the gate has made again from the run's experiment. A run file may come from anybody, and its own plan
 * would become statements on our servers; only an experiment passes the checks that make it harmless.
 */
function checkedPlan(file: string, header: Header, { yaml, plan }: TrustedExperiment): Plan {
  if (header.yaml !== yaml)
    throw new DynoError('badInput', `${file} has changed since it was read: it cannot be resumed.`);
  const marked = plan.targets.find(
    ({ name, production }) => production && !header.plan.targets.some((one) => one.name === name && one.production),
  );
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(withoutLooks(plan))), withoutLooks(header.plan)))
    throw new DynoError('badInput', `The plan in ${file} is not what its experiment makes: it cannot be resumed.`, {
      hint: marked
        ? `The server of ${marked.name} is marked as production since, which does not allow all of the run. Its experiment can be run anew.`
        : 'Another version of Dyno made it, or somebody changed the file. Its experiment can be run anew.',
    });
  const looks = new Map(header.plan.targets.map(({ name, index }) => [name, index]));
  return { ...plan, targets: plan.targets.map((one) => ({ ...one, index: looks.get(one.name) ?? one.index })) };
}

/**
 * Colours do not affect a run, and a recreated connection has another one. A production mark that was set since then
 * applies.
 */
const withoutLooks = (plan: Plan) => ({
  ...plan,
  targets: plan.targets.map(({ index: _, production: __, ...target }) => target),
});
