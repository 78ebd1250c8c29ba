import type { Batch, ColumnVector } from '#model/batch/batch.ts';
import type { Parameter } from '#model/dataset/dataset.ts';
import type { StoredAs } from '#model/dataset/stored-type.ts';
import type {
  CapturedSpec,
  MixBlock,
  MixItem,
  MixStep,
  ParameterScope,
  PauseStep,
  StatementMix,
} from '#model/statements/statements.ts';
import { Sfc32 } from '#stats/random/random.ts';
import { createPauses } from '../load/think-times.ts';
import { CallRandom } from '../workload/call-random.ts';
import { capturedType, noValue } from './captured.ts';
import { createScopeMaker, type DrawnRows, type ScopeMaker } from './parameter-makers.ts';
import type { TableKeys } from './table-keys.ts';

/** A step that runs a statement, and where the values of its parameters are. */
export interface StatementStep {
  readonly kind: 'statement';
  /** Its number within its item, from 0. */
  readonly id: number;
  /** Index among the mix's statements. */
  readonly statement: number;
  readonly parameters: readonly Parameter[];
  /** Place of each parameter's value: a column of the item's batches, or −1 − slot for a captured value. */
  readonly places: readonly number[];
  readonly captures: readonly { readonly spec: CapturedSpec; readonly slot: number }[];
}

export interface Pause {
  readonly kind: 'pause';
  /** Draws a length, ms. */
  readonly drawMs: () => number;
}

/** Steps that repeat as often as column `runs` says, the n-th time as `copies[n]`; `otherwise` if it says 0. */
interface Block {
  readonly kind: 'block';
  readonly runs: number;
  readonly copies: readonly (readonly PlannedStep[])[];
  readonly otherwise: readonly PlannedStep[];
}

type PlannedStep = StatementStep | Pause | Block;

/** A statement by itself, or a transaction, ready to be drawn. */
export interface PlannedItem {
  readonly item: MixItem;
  /** Index among the mix's items. */
  readonly index: number;
  /** Index among the planned items: the value of the first column of its batches. */
  readonly planned: number;
  readonly steps: readonly PlannedStep[];
  /** The statements of all its steps, including steps that a call skips. */
  readonly statements: readonly StatementStep[];
  /** The initial values of its captures, which are nulls. */
  readonly slots: readonly ColumnVector[];
  /** Makes the item's batch for a call. `pass`: the first call of the pass through the scenario, with its values. */
  batch(call: number, pass: number): Batch;
  /** Makes a batch with the values of every step: of the first repetition of each block, and of its alternative. */
  batchOfAll(call: number): Batch;
}

/** Adds the steps that a batch's call runs, in order, to `path`. `ready` maps a statement to its prepared form. */
export function addSteps<Ready>(
  steps: readonly PlannedStep[],
  batch: Batch,
  ready: readonly Ready[],
  path: (Ready | Pause)[],
): void {
  for (const step of steps) {
    if (step.kind === 'statement') path.push(ready[step.id]!);
    else if (step.kind === 'pause') path.push(step);
    else {
      const runs = numberAt(batch, step.runs);
      if (runs === 0) addSteps(step.otherwise, batch, ready, path);
      for (let i = 0; i < runs; i++) addSteps(step.copies[i]!, batch, ready, path);
    }
  }
}

/** Reads the number that selects the steps to run from a call's batch. */
export const numberAt = ({ columns }: Batch, column: number): number => numberOf(columns[column]!);

const numberOf = (vector: ColumnVector): number => (vector.kind === 'number' ? vector.values[0]! : 0);

/** Every step once: of a block, the first repetition and the alternative. */
export const everyStep = (steps: readonly PlannedStep[]): readonly StatementStep[] =>
  steps.flatMap((step) => {
    if (step.kind === 'block') return [...everyStep(step.copies[0] ?? []), ...everyStep(step.otherwise)];
    return step.kind === 'statement' ? [step] : [];
  });

interface Value {
  readonly column: Parameter;
  readonly place: number;
}

/** Values, outermost first, rows of files and queries, and captures that the steps within a scope share. */
interface Surroundings {
  readonly values: readonly Value[];
  readonly drawn: DrawnRows;
  readonly captures: readonly { readonly spec: CapturedSpec; readonly slot: number }[];
}

type Fill = (values: ColumnVector[], call: number, pass: number, everything: boolean) => void;

const oneNumber = (value: number): ColumnVector => ({ kind: 'number', values: Float64Array.of(value), nulls: null });

/** The value of steps that a call does not run. */
const unused = oneNumber(0);

const blockLane = 395;
const pauseLane = 396;

/** Plans the items of a mix. `seed` differs by trial. */
export class ItemPlanner {
  readonly #mix: StatementMix;
  readonly #seed: number;
  readonly #keys: TableKeys;
  readonly #storedAs: StoredAs;
  /** The number of scopes that all items together have so far: each has random numbers of its own. */
  #scopes = 0;
  #planned = 0;
  /** Columns, captures and statements of the item that is being planned. */
  #width = 0;
  #slots: ColumnVector[] = [];
  #statements: StatementStep[] = [];

  readonly #worker: number;
  readonly #makersOfPasses = new Map<number, ScopeMaker>();

  constructor(mix: StatementMix, seed: number, keys: TableKeys, storedAs: StoredAs, worker = 0) {
    this.#worker = worker;
    this.#mix = mix;
    this.#seed = seed;
    this.#keys = keys;
    this.#storedAs = storedAs;
  }

  /** `scenario`: the scenario whose values the item shares; absent if there is none. */
  plan(index: number, scenario?: { readonly scope: ParameterScope; readonly number: number }): PlannedItem {
    const item = this.#mix.items[index]!;
    this.#width = 1;
    this.#slots = [];
    this.#statements = [];
    const fills: Fill[] = [];
    let around: Surroundings = { values: [], drawn: new Map(), captures: [] };
    if (scenario) around = this.#shared(scenario.scope, around, fills, firstScenarioScope + scenario.number);
    if (item.transaction) around = this.#shared(item.transaction, around, fills);
    const steps = item.steps.map((step) => this.#step(step, around, fills));
    const planned = this.#planned++;
    const empty = [oneNumber(planned), ...Array<ColumnVector>(this.#width - 1).fill(unused)];
    const batch = (call: number, pass: number, everything: boolean): Batch => {
      const columns = empty.slice();
      for (const fill of fills) fill(columns, call, pass, everything);
      return { rows: 1, columns };
    };
    return {
      item,
      index,
      planned,
      steps,
      statements: this.#statements,
      slots: this.#slots,
      batch: (call, pass) => batch(call, pass, false),
      batchOfAll: (call) => batch(call, call, true),
    };
  }

  /**
   * Adds a scope's values to the surrounding ones, over which they take precedence. `passScope`: a scope whose values
   * are drawn once per pass.
   */
  #shared(scope: ParameterScope, around: Surroundings, fills: Fill[], passScope?: number): Surroundings {
    const maker =
      passScope === undefined ? this.#maker(scope, this.#scopes++, around.drawn) : this.#makerOfPass(scope, passScope);
    const start = this.#width;
    this.#width += maker.columns.length;
    fills.push((values, call, pass) => maker.fill(passScope === undefined ? call : pass, values, start));
    const captures = Object.entries(scope.specs).flatMap(([name, spec]) =>
      spec.type === 'captured' ? [{ name, spec, slot: this.#slots.push(noValue(spec)) - 1 }] : [],
    );
    const own = [
      ...maker.columns.map((column, i): Value => ({ column, place: start + i })),
      ...captures.map(
        ({ name, spec, slot }): Value => ({
          column: { name, type: capturedType(spec), nullable: true },
          place: -1 - slot,
        }),
      ),
    ];
    const fresh = own.filter(({ column }) => !around.values.some((outer) => outer.column.name === column.name));
    return {
      values: [...around.values, ...fresh],
      drawn: new Map([...maker.drawn, ...around.drawn]),
      captures: [...around.captures, ...captures],
    };
  }

  #maker(scope: ParameterScope, number: number, around?: DrawnRows): ScopeMaker {
    return createScopeMaker(scope, number, this.#seed, this.#keys, this.#storedAs, around);
  }

  /** One maker for all items of a scenario, which have the same values in a pass. */
  #makerOfPass(scope: ParameterScope, number: number): ScopeMaker {
    const known = this.#makersOfPasses.get(number);
    if (known) return known;
    const made = this.#maker(scope, number);
    this.#makersOfPasses.set(number, made);
    return made;
  }

  #step(step: MixStep, around: Surroundings, fills: Fill[]): PlannedStep {
    if (typeof step === 'number') return this.#statement(step, around, fills);
    return 'thinkMs' in step ? this.pause(step) : this.#block(step, around, fills);
  }

  #statement(statement: number, around: Surroundings, fills: Fill[]): StatementStep {
    const { own, name } = this.#mix.statements[statement]!;
    const captures = around.captures.filter(({ spec }) => spec.from === name);
    // The statement's own captures have no values before it has run.
    const values = this.#shared(own, around, fills).values.filter(
      ({ place }) => !captures.some(({ slot }) => place === -1 - slot),
    );
    const planned: StatementStep = {
      kind: 'statement',
      id: this.#statements.length,
      statement,
      parameters: values.map(({ column }) => column),
      places: values.map(({ place }) => place),
      captures,
    };
    this.#statements.push(planned);
    return planned;
  }

  pause(step: PauseStep): Pause {
    return {
      kind: 'pause',
      drawMs: createPauses(step, new Sfc32(this.#seed + this.#worker, pauseLane + this.#scopes++)),
    };
  }

  #block(block: MixBlock, around: Surroundings, fills: Fill[]): Block {
    const place = this.#width++;
    const random = new CallRandom(this.#seed, blockLane + 1_000 * (1 + this.#scopes++));
    const always = block.probability === 1 && block.least === block.most ? oneNumber(block.least) : null;
    const drawn = (call: number): ColumnVector => {
      random.begin(call);
      const taken = random.unit() < block.probability;
      return oneNumber(taken ? block.least + random.below(block.most - block.least + 1) : 0);
    };
    const planned = Array.from({ length: block.most }, () => this.#within(block.steps, block.scope, around));
    const otherwise = this.#within(block.otherwise, null, around);
    fills.push((values, call, pass, everything) => {
      const times = always ?? drawn(call);
      values[place] = times;
      const runs = numberOf(times);
      const filledCopies = everything ? 1 : runs;
      for (let i = 0; i < filledCopies; i++) for (const fill of planned[i]!.fills) fill(values, call, pass, everything);
      if (runs === 0 || everything) for (const fill of otherwise.fills) fill(values, call, pass, everything);
    });
    return {
      kind: 'block',
      runs: place,
      copies: planned.map(({ steps }) => steps),
      otherwise: otherwise.steps,
    };
  }

  #within(
    steps: readonly MixStep[],
    scope: ParameterScope | null,
    around: Surroundings,
  ): { readonly steps: readonly PlannedStep[]; readonly fills: readonly Fill[] } {
    const fills: Fill[] = [];
    const own = scope ? this.#shared(scope, around, fills) : around;
    return { steps: steps.map((step) => this.#step(step, own, fills)), fills };
  }
}

/** Scopes of scenarios are numbered from here on: they are shared by items that are planned one by one. */
const firstScenarioScope = 100_000;

/** Plans the items of a mix without scenarios. */
export function planItems(...of: ConstructorParameters<typeof ItemPlanner>): readonly PlannedItem[] {
  const planner = new ItemPlanner(...of);
  return of[0].items.map((_, index) => planner.plan(index));
}
