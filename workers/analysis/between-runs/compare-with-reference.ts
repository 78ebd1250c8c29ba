import type { RunEntry } from '#protocol/ipc.ts';
import type { RunChange } from '#protocol/run-change.ts';
import type { RunsAlike } from '#protocol/runs-alike.ts';
import { levelOfEach } from '#stats/intervals/intervals.ts';
import { compareMachines, type MachineComparison } from '../compare/compare-machines.ts';
import { comparePlans, type PlanComparison } from '../compare/compare-plans.ts';
import { compareRunTimes, type RunTimeComparison, timedCells } from '../compare/compare-run-times.ts';
import {
  compareRuns,
  comparisonRemarks,
  earlierRuns,
  type RunComparison,
  ratedCells,
} from '../compare/compare-runs.ts';
import { whatChanged } from '../compare/what-changed.ts';
import type { RunModel } from '../run-model/run-model.ts';
import { earlierTimes } from './earlier-times.ts';
import { type FindingChange, findingsBetween } from './findings-between.ts';

/** A run beside the reference. */
export interface ComparedRun {
  readonly run: RunModel;
  readonly changes: readonly RunChange[];
  readonly cells: readonly RunComparison[];
  /** The judged times: of all units of work, and of each statement and transaction. */
  readonly times: readonly RunTimeComparison[];
  readonly machine: readonly MachineComparison[];
  readonly plans: readonly PlanComparison[];
  /** Reasons, as sentences, why the comparison is questionable. */
  readonly remarks: readonly string[];
}

/** Several runs, each compared with the reference. */
export interface RunsComparison {
  readonly reference: RunModel;
  readonly others: readonly ComparedRun[];
  /** The findings that some of the runs show, with a state for the reference and for each other run. */
  readonly findings: readonly FindingChange[];
  /** The number of ratios whose intervals hold together with 95 %: of throughputs and times, over all runs. */
  readonly claims: number;
}

/** The most runs that are compared side by side. */
export const mostCompared = 9;

const noRuns: RunsAlike = { ids: [], times: [] };

/**
 * Compares runs with a reference. The intervals of all ratios hold together. `entries`: the list of runs. `alike`: the
 * runs of their experiment that measured the same as the reference.
 */
export function compareWithReference(
  reference: RunModel,
  others: readonly RunModel[],
  entries: readonly RunEntry[] = [],
  alike: RunsAlike = noRuns,
): RunsComparison {
  const same = new Set(alike.ids);
  const drifting = entries.filter(({ id }) => same.has(id));
  const claims = others.reduce((sum, run) => sum + ratedCells(reference, run) + timedCells(reference, run), 0);
  return {
    reference,
    claims,
    findings: findingsBetween([reference, ...others]),
    others: others.map((run) => {
      const earlier = earlierRuns(reference, run, drifting);
      return {
        run,
        changes: whatChanged(reference, run),
        cells: compareRuns(reference, run, earlier, claims),
        times: compareRunTimes(reference, run, levelOfEach(claims), earlierTimes(earlier, alike.times)),
        machine: compareMachines(reference, run),
        plans: comparePlans(reference, run),
        remarks: comparisonRemarks(reference, run),
      };
    }),
  };
}
