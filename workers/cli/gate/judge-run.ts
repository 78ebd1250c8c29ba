import { earlierRuns } from '#analysis/compare/compare-runs.ts';
import type { GateBaseline } from '#analysis/gate/compared-cells.ts';
import type { GateResult } from '#analysis/gate/gate-result.ts';
import { judgeGate } from '#analysis/gate/judge-gate.ts';
import { factsOf } from '#analysis/history/run-facts.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { chosenSize } from '#experiment/schema/sizes.ts';
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

/** The header of the run that is resumed. */
interface Resumed {
  readonly runId: string;
  readonly at: string;
}

/**
 * So many runs are the baseline together. More of them would hardly be more exact, and the oldest ones would tell of a
 * machine of long ago.
 */
const mostEarlier = 10;

/**
 * Opens a gate for a run that begins, or for the run `resumed`. Throws 'badInput' if there is no run that the baseline
 * names, or if it is the run itself.
 */
export async function gateOfRun(home: Home, asked: AskedGate, plan: Plan, resumed?: Resumed): Promise<Gate> {
  const { baseline: word, conditions } = asked;
  const before =
    word === null || 'target' in word
      ? null
      : await loadRun(
          home,
          await baselineFile(home, word.run, plan, resumed === undefined ? Date.now() : Date.parse(resumed.at)),
        );
  if (before !== null && before.runId === resumed?.runId) throw isItself();
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

const isItself = () => new DynoError('badInput', 'A run cannot be its own baseline.');

/** Judges a run by conditions against another run. Throws 'badInput' if both are one run. */
export async function judgeRuns(
  home: Home,
  [before, after]: readonly [RunModel, RunModel],
  { conditions }: AskedGate,
): Promise<GateResult> {
  return judgeGate(after, await runBaseline(home, before, after, new Map()), conditions);
}

/**
 * The gate of a run that measures both versions in turn, by the conditions of another gate. `inTurn`: the baseline's
 * target for each judged target.
 */
export const gateOfTargets = (inTurn: ReadonlyMap<string, string>, { asked }: Gate): Gate => ({
  asked,
  before: null,
  judge: async (run) =>
    judgeGate(run, { run, inTurn, name: 'the version before, measured in turn', earlier: [] }, asked.conditions),
});

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
  if (before.runId === run.runId) throw isItself();
  const runs = openRuns(home);
  const { name } = run.plan.experiment;
  const alike = new Set((await runs.alike(factsOf(before))).ids);
  const entries = earlierRuns(
    before,
    run,
    (await runs.list()).filter(({ id }) => alike.has(id)),
  )
    .filter(({ id }) => id !== before.runId)
    .slice(0, mostEarlier - 1);
  for (const { id } of entries) {
    const one = known.get(id) ?? (await loadedOrNull(home, id));
    if (one !== null) known.set(id, one);
  }
  const earlier = [
    ...entries.flatMap(({ id }) => known.get(id) ?? []),
    // A baseline whose file is elsewhere is not in the list.
    ...(before.plan.experiment.name === name ? [before] : []),
  ];
  return {
    run: before,
    inTurn: null,
    name: `the run ${before.runId}`,
    earlier: earlier.toSorted((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt)),
  };
}

/**
 * An earlier run; null if it has been deleted or damaged since it was listed, which ends no run that is being judged.
 */
async function loadedOrNull(home: Home, id: string): Promise<RunModel | null> {
  try {
    return await loadRun(home, openRuns(home).file(id));
  } catch {
    return null;
  }
}

/** The file of the baseline's run; “last” is the last complete run of the experiment before this one. */
async function baselineFile(home: Home, word: string, { experiment }: Plan, startedAt: number): Promise<string> {
  if (word !== 'last') return findRun(home, word, experiment.name);
  const runs = openRuns(home);
  const size = chosenSize(experiment);
  const last = (await runs.list())
    .filter((run) => run.status === 'complete' && run.name === experiment.name && run.size === size)
    .filter((run) => Date.parse(run.startedAt) < startedAt)
    .toSorted((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt))[0];
  if (last !== undefined) return runs.file(last.id);
  throw new DynoError('badInput', `There is no complete run of “${experiment.name}” yet to be the baseline.`, {
    hint: 'Run the experiment once without --baseline and --fail-on.',
  });
}
