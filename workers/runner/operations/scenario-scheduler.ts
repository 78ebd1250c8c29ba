import type { MixScenario } from '#model/statements/statements.ts';
import type { Sfc32 } from '#stats/random/random.ts';
import { gone, type UserPool } from '../load/user-pool.ts';
import type { Pause } from './plan-items.ts';

/** The work of a scenario's virtual users. */
export interface PlannedScenario extends Pick<MixScenario, 'name' | 'users'> {
  /** The planned item of each step, and the pauses before it. */
  readonly steps: readonly { readonly item: number; readonly pauses: readonly Pause[] }[];
  /** The pauses after the last step. */
  readonly pausesAfter: readonly Pause[];
}

/** The item that each call runs, and the pass through a scenario whose values the call has. */
export interface CallAssignments {
  /** The item and the pass that {@link find} has found. A pass is known by the serial number of its first call. */
  readonly item: number;
  readonly pass: number;
  /** Looks a call up; a new one is for the user whose unit began last. `serial`: its number over all workers. */
  find(call: number, serial: number): void;
}

interface VirtualUser {
  readonly scenario: number;
  /** Remaining passes; Infinity for a user of a closed load. */
  passes: number;
  step: number;
  /** Serial number of the first call of its pass; −1: the pass has not begun. */
  pass: number;
  beganMs: number;
}

const nobody: VirtualUser = { scenario: 0, passes: 0, step: 0, pass: -1, beganMs: 0 };

/**
 * Leads the virtual users of one worker through their scenarios. A unit of work is one step of a scenario; a failed
 * step ends the pass. `counted` is called after each complete pass.
 */
export class ScenarioScheduler implements UserPool, CallAssignments {
  item = 0;
  pass = 0;
  scriptPauseMs = 0;
  thinksNext = true;
  readonly #scenarios: readonly PlannedScenario[];
  readonly #random: Sfc32;
  readonly #counted: (scenario: number, startMs: number, endMs: number) => void;
  readonly #users: VirtualUser[] = [];
  /** Numbers of users that have left. */
  readonly #free: number[] = [];
  /** The number of users of a closed load that take part, by scenario. */
  readonly #present: number[];
  /** The users of all scenarios together, which are their weights. */
  readonly #planned: number;
  /** The user whose unit began last. */
  #current: VirtualUser = nobody;
  /** Item (−1: not yet assigned) and pass of each call. */
  #items = new Int32Array(1_024).fill(-1);
  #passes = new Float64Array(1_024);

  constructor(
    scenarios: readonly PlannedScenario[],
    random: Sfc32,
    counted: (scenario: number, startMs: number, endMs: number) => void,
  ) {
    this.#scenarios = scenarios;
    this.#random = random;
    this.#counted = counted;
    this.#present = scenarios.map(() => 0);
    this.#planned = scenarios.reduce((sum, { users }) => sum + users, 0);
  }

  /** Adds a user to the scenario that is furthest below its share of users. */
  addUser(): number {
    const total = this.#present.reduce((sum, count) => sum + count, 1);
    const missing = this.#scenarios.map(({ users }, s) => (users / this.#planned) * total - this.#present[s]!);
    const scenario = missing.indexOf(Math.max(...missing));
    this.#present[scenario]!++;
    return this.#add(scenario, Number.POSITIVE_INFINITY);
  }

  /** Adds a user for this many passes through a scenario, which is drawn by weight. */
  addArrival(passes: number): number {
    let drawn = this.#random.unit() * this.#planned;
    const found = this.#scenarios.findIndex(({ users }) => {
      drawn -= users;
      return drawn < 0;
    });
    return this.#add(Math.max(0, found), passes);
  }

  isOfClosedLoad(user: number): boolean {
    return this.#users[user]!.passes === Number.POSITIVE_INFINITY;
  }

  remove(user: number): void {
    if (this.isOfClosedLoad(user)) this.#present[this.#users[user]!.scenario]!--;
    this.#free.push(user);
  }

  begin(user: number): void {
    this.#current = this.#users[user]!;
    if (this.#current.step === 0) this.#current.beganMs = performance.now();
  }

  find(call: number, serial: number): void {
    if (call >= this.#items.length) this.#grow(call);
    if (this.#items[call] === -1) {
      const user = this.#current;
      if (user.pass === -1) user.pass = serial;
      this.#items[call] = this.#scenarios[user.scenario]!.steps[user.step]!.item;
      this.#passes[call] = user.pass;
    }
    this.item = this.#items[call]!;
    this.pass = this.#passes[call]!;
  }

  next(number: number, succeeded: boolean, endMs: number): number {
    const user = this.#users[number]!;
    const { steps, pausesAfter } = this.#scenarios[user.scenario]!;
    user.step++;
    this.thinksNext = !succeeded || user.step === steps.length;
    // 1. Within a pass, the next step follows after its pauses.
    if (!this.thinksNext) {
      this.scriptPauseMs = drawSumMs(steps[user.step]!.pauses);
      return number;
    }
    // 2. The pass is over.
    if (succeeded) this.#counted(user.scenario, user.beganMs, endMs);
    user.step = 0;
    user.pass = -1;
    user.passes--;
    // 3. After its last pass a user leaves; others begin the next one.
    if (user.passes <= 0) {
      this.remove(number);
      return gone;
    }
    this.scriptPauseMs = (succeeded ? drawSumMs(pausesAfter) : 0) + drawSumMs(steps[0]!.pauses);
    return number;
  }

  #add(scenario: number, passes: number): number {
    const number = this.#free.pop() ?? this.#users.length;
    this.#users[number] = { scenario, passes, step: 0, pass: -1, beganMs: 0 };
    this.scriptPauseMs = drawSumMs(this.#scenarios[scenario]!.steps[0]!.pauses);
    this.thinksNext = true;
    return number;
  }

  #grow(call: number): void {
    const length = Math.max(call + 1, this.#items.length * 2);
    const items = new Int32Array(length).fill(-1);
    items.set(this.#items);
    this.#items = items;
    const passes = new Float64Array(length);
    passes.set(this.#passes);
    this.#passes = passes;
  }
}

const drawSumMs = (pauses: readonly Pause[]): number => pauses.reduce((sum, { drawMs }) => sum + drawMs(), 0);
