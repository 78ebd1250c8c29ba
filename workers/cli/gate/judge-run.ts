import { earlierRuns } from '#analysis/compare/compare-runs.ts';
import type { GateBaseline } from '#analysis/gate/compared-cells.ts';
import type { GateResult } from '#analysis/gate/gate-result.ts';
import { judgeGate } from '#analysis/gate/judge-gate.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { sizeTitle } from '#experiment/schema/sizes.ts';
import { DynoError } from '#model/error.ts';
import type { Home } from '#platform/paths.ts';
import type { Plan } from '#protocol/plan.ts';
import { loadRun } from '#workspace/runs/load-run.ts';
import { openRuns } from '#workspace/runs/runs.ts';
import { findRun } from '../find-run.ts';
import type { AskedGate } from './gate-options.ts';

/** Judges a run when it is there. Its baseline was read before it began. */
export interface Gate {
  readonly asked: AskedGate;
  /** The run of the baseline; null: the judged run has it, or none is needed. */
  readonly before: RunModel | null;
  judge(run: RunModel): Promise<GateResult>;
}

/** So many earlier runs show how much the runs of an experiment differ; more of them would only take time to read. */
const mostEarlier = 20;

/**
 * Opens a gate for a run that begins, or began, at `startedAt` (ms). Throws 'badInput' if there is no run that the
 * baseline names.
 */
export async function gateOfRun(home: Home, asked: AskedGate, plan: Plan, startedAt = Date.now()): Promise<Gate> {
  const { baseline: word, conditions } = asked;
  const before =
    word === null || 'target' in word ? null : await loadRun(home, await baselineFile(home, word.run, plan, startedAt));
  const known = new Map<string, RunModel>();
  return {
    asked,
    before,
    async judge(run) {
      if (word === null) return judgeGate(run, null, conditions);
      if ('target' in word) return judgeGate(run, ownBaseline(run, word.target), conditions);
      return judgeGate(run, await runBaseline(home, before!, run, known), conditions);
    },
  };
}

/** Judges a run by conditions against another run. Throws 'badInput' if both are one run. */
export async function judgeRuns(
  home: Home,
  [before, after]: readonly [RunModel, RunModel],
  { conditions }: AskedGate,
): Promise<GateResult> {
  return judgeGate(after, await runBaseline(home, before, after, new Map()), conditions);
}

/** A target of the run is the baseline of all its other targets. */
const ownBaseline = (run: RunModel, target: string): GateBaseline => ({
  run,
  inTurn: new Map(run.plan.targets.flatMap(({ name }) => (name === target ? [] : [[name, target] as const]))),
  name: `the target ${target}`,
  earlier: [],
});

/** `known`: the earlier runs that were read already, by their ids. */
async function runBaseline(
  home: Home,
  before: RunModel,
  run: RunModel,
  known: Map<string, RunModel>,
): Promise<GateBaseline> {
  if (before.runId === run.runId) throw new DynoError('badInput', 'A run cannot be its own baseline.');
  const runs = openRuns(home);
  const entries = earlierRuns(before, run, await runs.list()).slice(0, mostEarlier);
  known.set(before.runId, before);
  for (const { id } of entries) if (!known.has(id)) known.set(id, await loadRun(home, runs.file(id)));
  // A baseline whose file is elsewhere is not in the list.
  const isOfExperiment = before.plan.experiment.name === run.plan.experiment.name;
  const ids = new Set([...entries.map(({ id }) => id), ...(isOfExperiment ? [before.runId] : [])]);
  return {
    run: before,
    inTurn: null,
    name: `the run ${before.runId}`,
    earlier: [...ids].flatMap((id) => known.get(id) ?? []),
  };
}

/** The file of the baseline's run; “last” is the last complete run of the experiment before this one. */
async function baselineFile(home: Home, word: string, { experiment }: Plan, startedAt: number): Promise<string> {
  if (word !== 'last') return findRun(home, word, experiment.name);
  const runs = openRuns(home);
  const size = experiment.sizes === undefined ? null : sizeTitle(experiment.size);
  const last = (await runs.list())
    .filter((run) => run.status === 'complete' && run.name === experiment.name && run.size === size)
    .filter((run) => Date.parse(run.startedAt) < startedAt)
    .toSorted((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt))[0];
  if (last !== undefined) return runs.file(last.id);
  throw new DynoError('badInput', `There is no complete run of “${experiment.name}” yet to be the baseline.`, {
    hint: 'Run the experiment once without --baseline and --fail-on.',
  });
}
