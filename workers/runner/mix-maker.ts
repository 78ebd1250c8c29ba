import type { ColumnVector } from '#contract/batch.ts';
import type { Column } from '#contract/dataset.ts';
import type { MixItem, StatementMix } from '#contract/statements.ts';
import type { StoredAs } from '#contract/stored-type.ts';
import type { BatchMaker } from './batch-maker.ts';
import { CallRandom } from './call-random.ts';
import { createScopeMaker, type ScopeMaker } from './parameter-makers.ts';
import type { TableKeys } from './table-keys.ts';

/** One step of an item, with where its parameters stand among the item's values. */
export interface MixStep {
  /** Index among the mix's statements. */
  readonly statement: number;
  readonly parameters: readonly Column[];
  readonly places: readonly number[];
}

/** A statement by itself, or a transaction, ready to be drawn. */
export interface PlannedItem {
  readonly item: MixItem;
  readonly steps: readonly MixStep[];
  values(call: number): readonly ColumnVector[];
}

/** Values are drawn once for each step, those of a transaction once for all of its steps. `seed` differs by trial. */
export function planItems(
  { statements, items }: StatementMix,
  seed: number,
  keys: TableKeys,
  storedAs: StoredAs,
): readonly PlannedItem[] {
  let scopes = 0;
  return items.map((item) => {
    const shared =
      item.transaction === null ? null : createScopeMaker(item.transaction, scopes++, seed, keys, storedAs);
    const makers: ScopeMaker[] = shared ? [shared] : [];
    let offset = shared?.columns.length ?? 0;
    const steps = item.steps.map((statement): MixStep => {
      const maker = createScopeMaker(statements[statement]!.own, scopes++, seed, keys, storedAs);
      makers.push(maker);
      const start = offset;
      offset += maker.columns.length;
      // The transaction's value of a name wins.
      const own = maker.columns.flatMap((column, i) =>
        shared?.columns.some(({ name }) => name === column.name) ? [] : [{ column, place: start + i }],
      );
      const all = [...(shared?.columns.map((column, place) => ({ column, place })) ?? []), ...own];
      return { statement, parameters: all.map(({ column }) => column), places: all.map(({ place }) => place) };
    });
    return { item, steps, values: (call) => makers.flatMap((maker) => maker.make(call)) };
  });
}

const itemLane = 390;

/** Weights that items have in stages of the load, by name, where they are not their own; and the index of the stage, −1 outside of them. */
export interface StagedWeights {
  readonly weights: readonly Readonly<Record<string, number>>[];
  current(): number;
}

const unstaged: StagedWeights = { weights: [], current: () => -1 };

/**
 * What each call of a mix runs, and with which values: the first column of its batch is the index of the item, the others are the item's
 * values. A pure function of seed, call and the stage in which the call was made first: made anew, it is the same.
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
      const sums = staged[stageOf(call)] ?? own;
      const drawn = random.unit() * (sums.at(-1) ?? 0);
      const chosen = Math.max(
        0,
        sums.findIndex((sum) => drawn < sum),
      );
      const choice: ColumnVector = { kind: 'number', values: Float64Array.of(chosen), nulls: null };
      return { rows: 1, columns: [choice, ...planned[chosen]!.values(serial)], laidOut: null };
    },
  };
}

/** The stage in which a call was asked for first. */
function firstStages(current: () => number): (call: number) => number {
  // One more than the index; 0: not yet.
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
