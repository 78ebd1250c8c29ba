import type { MixScenario } from '#contract/statements.ts';
import type { Sfc32 } from '#stats/random.ts';
import { type Crowd, gone } from '../load/user-pool.ts';
import type { Pause } from './plan-items.ts';

/** What a scenario has users do. */
export interface PlannedScenario extends Pick<MixScenario, 'name' | 'users'> {
  /** Each: a planned item, and the pauses before it. */
  readonly acts: readonly { readonly item: number; readonly pauses: readonly Pause[] }[];
  /** After the last act. */
  readonly pausesAfter: readonly Pause[];
}

/** Which item each call is, and with the call of which it shares the values of its pass. */
export interface Roles {
  /** What {@link find} has found. */
  readonly item: number;
  readonly pass: number;
  /** Of a call that is asked for the first time: the role of whoever is at work. `serial`: of the call, over all workers. */
  find(call: number, serial: number): void;
}

interface Actor {
  readonly scenario: number;
  /** Passes that are left to it; Infinity: a user of a closed load. */
  passes: number;
  act: number;
  /** Serial of the first call of the pass; −1: not yet begun. */
  pass: number;
  beganMs: number;
}

const nobody: Actor = { scenario: 0, passes: 0, act: 0, pass: -1, beganMs: 0 };

/**
 * Everybody who goes through scenarios in one worker, and where each of them is. A unit of work is one step of somebody's scenario; one that fails ends
 * the pass.
 */
export class Cast implements Crowd, Roles {
  item = 0;
  pass = 0;
  ownPauseMs = 0;
  isNewUnit = true;
  readonly #scenarios: readonly PlannedScenario[];
  readonly #random: Sfc32;
  /** By scenario: whole passes. */
  readonly #counted: (scenario: number, startMs: number, endMs: number) => void;
  readonly #actors: Actor[] = [];
  readonly #free: number[] = [];
  readonly #present: number[];
  readonly #users: number;
  #working: Actor = nobody;
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
    this.#users = scenarios.reduce((sum, { users }) => sum + users, 0);
  }

  /** The scenario that has fewest of the users that are its part. */
  join(): number {
    const total = this.#present.reduce((sum, count) => sum + count, 1);
    const missing = this.#scenarios.map(({ users }, s) => (users / this.#users) * total - this.#present[s]!);
    const scenario = missing.indexOf(Math.max(...missing));
    this.#present[scenario]!++;
    return this.#enter(scenario, Number.POSITIVE_INFINITY);
  }

  arrive(passes: number): number {
    let drawn = this.#random.unit() * this.#users;
    const found = this.#scenarios.findIndex(({ users }) => {
      drawn -= users;
      return drawn < 0;
    });
    return this.#enter(Math.max(0, found), passes);
  }

  isUser(who: number): boolean {
    return this.#actors[who]!.passes === Number.POSITIVE_INFINITY;
  }

  leave(who: number): void {
    if (this.isUser(who)) this.#present[this.#actors[who]!.scenario]!--;
    this.#free.push(who);
  }

  begin(who: number): void {
    this.#working = this.#actors[who]!;
    if (this.#working.act === 0) this.#working.beganMs = performance.now();
  }

  find(call: number, serial: number): void {
    if (call >= this.#items.length) this.#grow(call);
    if (this.#items[call] === -1) {
      const actor = this.#working;
      if (actor.pass === -1) actor.pass = serial;
      this.#items[call] = this.#scenarios[actor.scenario]!.acts[actor.act]!.item;
      this.#passes[call] = actor.pass;
    }
    this.item = this.#items[call]!;
    this.pass = this.#passes[call]!;
  }

  next(who: number, succeeded: boolean, endMs: number): number {
    const actor = this.#actors[who]!;
    const { acts, pausesAfter } = this.#scenarios[actor.scenario]!;
    actor.act++;
    this.isNewUnit = !succeeded || actor.act === acts.length;
    if (!this.isNewUnit) {
      this.ownPauseMs = lengthOf(acts[actor.act]!.pauses);
      return who;
    }
    if (succeeded) this.#counted(actor.scenario, actor.beganMs, endMs);
    actor.act = 0;
    actor.pass = -1;
    actor.passes--;
    if (actor.passes <= 0) {
      this.leave(who);
      return gone;
    }
    this.ownPauseMs = (succeeded ? lengthOf(pausesAfter) : 0) + lengthOf(acts[0]!.pauses);
    return who;
  }

  #enter(scenario: number, passes: number): number {
    const who = this.#free.pop() ?? this.#actors.length;
    this.#actors[who] = { scenario, passes, act: 0, pass: -1, beganMs: 0 };
    this.ownPauseMs = lengthOf(this.#scenarios[scenario]!.acts[0]!.pauses);
    this.isNewUnit = true;
    return who;
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

const lengthOf = (pauses: readonly Pause[]): number => pauses.reduce((sum, { drawMs }) => sum + drawMs(), 0);
