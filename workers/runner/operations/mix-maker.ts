import type { BatchMaker } from '../workload/batch-maker.ts';
import { CallRandom } from '../workload/call-random.ts';
import type { PlannedItem } from './plan-items.ts';
import type { CallAssignments } from './scenario-scheduler.ts';

const itemLane = 390;

/**
 * Weights of items by name for each stage of the load, if they differ from their own weights; and the current stage, −1
 * if there is none.
 */
interface StagedWeights {
  readonly weights: readonly Readonly<Record<string, number>>[];
  current(): number;
}

const unstaged: StagedWeights = { weights: [], current: () => -1 };

/**
 * Draws the planned item of each call of a mix and makes its batch: a pure function of the seed, the call, and the
 * stage in which the call was first made, so a repeated call is identical.
 */
export function createMixMaker(
  planned: readonly PlannedItem[],
  seed: number,
  { weights, current }: StagedWeights = unstaged,
): BatchMaker {
  const own = sumsOf(planned.map(({ item }) => item.weight));
  const staged = weights.map((some) => sumsOf(planned.map(({ item }) => some[item.name] ?? item.weight)));
  const stageOf = weights.length > 0 ? firstStages(current) : current;
  const random = new CallRandom(seed, itemLane);
  return {
    callsPerBlock: 1,
    batchRows: () => 1,
    make(numbering, call) {
      const serial = numbering.first(call);
      random.begin(serial);
      const sums = staged.length === 0 ? own : (staged[stageOf(call)] ?? own);
      return planned[firstAbove(random.unit() * (sums.at(-1) ?? 0), sums)]!.batch(serial, serial);
    },
  };
}

/** Returns the index of the first larger one of ascending numbers; 0 if none is larger. */
function firstAbove(number: number, ascending: readonly number[]): number {
  for (let i = 0; i < ascending.length; i++) if (number < ascending[i]!) return i;
  return 0;
}

/** Makes the calls of scenarios: what a call runs depends on the user that it is assigned to. */
export const createScenarioMaker = (planned: readonly PlannedItem[], assignments: CallAssignments): BatchMaker => ({
  callsPerBlock: 1,
  batchRows: () => 1,
  make(numbering, call) {
    const serial = numbering.first(call);
    assignments.find(call, serial);
    return planned[assignments.item]!.batch(serial, assignments.pass);
  },
});

/** Remembers the stage in which each call was first requested. */
function firstStages(current: () => number): (call: number) => number {
  // The stage's index + 1; 0 if not yet requested.
  let known = new Uint8Array(65_536);
  return (call) => {
    if (call >= known.length) {
      const grown = new Uint8Array(Math.max(call + 1, known.length * 2));
      grown.set(known);
      known = grown;
    }
    if (known[call] === 0) known[call] = current() + 1;
    return known[call]! - 1;
  };
}

function sumsOf(weights: readonly number[]): readonly number[] {
  let sum = 0;
  return weights.map((weight) => {
    sum += weight;
    return sum;
  });
}
