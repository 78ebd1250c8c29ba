import type { LoadCounts } from '#contract/measurement.ts';
import type { Connection } from '../loop/connection.ts';
import type { Phase } from '../loop/phase.ts';
import type { Alarm } from '../timing/high-resolution-timer.ts';
import type { Arrivals } from './arrivals.ts';
import { Agenda } from './event-queue.ts';
import type { Intensity } from './intensity.ts';
import { LoadCounter } from './load-counts.ts';
import { type Crowd, gone, plainCrowd } from './user-pool.ts';
import { WaitingLine } from './waiting-line.ts';

/** Which of all users are one worker's: user u is that of worker u mod workers. */
export interface UserShare {
  readonly total: number;
  readonly worker: number;
  readonly workers: number;
}

/** One worker's share of a load, for one phase. */
export interface PhaseLoad {
  /** Null: nobody arrives, the load is closed. */
  readonly arrivals: Arrivals | null;
  /** Of a closed load, over all workers; null: none. */
  readonly users: UserShare | null;
  readonly intensity: Intensity;
  /** Of the phase; those of each are counted apart where there are several. */
  readonly stages: number;
  /** Units of work of who arrives. */
  readonly sessionLength: () => number;
  /** Pauses between an answer and the next unit, ms. */
  readonly thinkMs: () => number;
}

/** So that a load that the server cannot carry does not fill the memory: what arrives beyond is counted, and never begun. */
const mostWaiting = 1_000_000;
/** Work that is due within this comes with the next ring: a thread that wakes the event loop more often than that costs more than it gains. */
const shortestMs = 0.1;
/** Who joins at the very moment at which there is room stays, whatever the last digits say. */
const rounding = 1e-9;
/** A nanosecond: what is to start with a stage is of that stage, whatever the last digits of the clock say. */
const clockRoundingMs = 1e-6;
/** A stop is noticed within this time, however long nothing is due. */
const longestMs = 50;

/**
 * Gives work to connections when it is due: units that arrive, and the next ones of users and sessions that have thought. What is due keeps its
 * intended start, however late a connection takes it, so that a server that stalls makes response times longer and arrivals no fewer.
 */
export class Dispatcher {
  readonly #idle: Connection[];
  readonly #connections: number;
  readonly #alarm: Alarm;
  readonly #crowd: Crowd;
  readonly #agenda = new Agenda();
  readonly #line = new WaitingLine();
  #load!: PhaseLoad;
  #phase!: Phase;
  #counter!: LoadCounter;
  #over = Promise.withResolvers<void>();
  #alarmMs = Number.POSITIVE_INFINITY;
  #stages: readonly LoadCounter[] = [];
  /** Users of this worker that are at it; when the next one joins, ms. */
  #population = 0;
  #joinMs = Number.POSITIVE_INFINITY;
  /** There are no calls left. */
  #exhausted = false;

  constructor(connections: readonly Connection[], alarm: Alarm, crowd: Crowd = plainCrowd) {
    this.#crowd = crowd;
    this.#idle = [...connections];
    this.#connections = connections.length;
    this.#alarm = alarm;
    alarm.onRing = () => {
      this.#alarmMs = Number.POSITIVE_INFINITY;
      this.#dispatch();
    };
  }

  /** Until nothing is due any more, and what was has ended or can no longer be waited for. Never rejects. */
  async run(phase: Phase, load: PhaseLoad): Promise<void> {
    this.#load = load;
    this.#phase = phase;
    this.#counter = phase.counts.load ??= new LoadCounter();
    this.#over = Promise.withResolvers();
    this.#exhausted = false;
    this.#stages = Array.from({ length: load.stages }, () => new LoadCounter());
    this.#population = 0;
    this.#awaitUser(phase.startMs);
    this.#dispatch();
    await this.#over.promise;
    this.#agenda.clear();
    if (Number.isFinite(phase.arrivalsEndMs)) phase.extend(phase.startMs, phase.arrivalsEndMs);
  }

  /** Counts of each stage, by intended starts; of the phase that was run last. */
  get stages(): readonly LoadCounts[] {
    return this.#stages.map((stage) => stage.toData());
  }

  get #acceptsUntilMs(): number {
    return this.#exhausted ? Number.NEGATIVE_INFINITY : this.#phase.arrivalsEndMs;
  }

  /** Whoever has just come, or ended a unit, goes on after thinking. */
  #pause(nowMs: number, who: number): void {
    const { isNewUnit, ownPauseMs } = this.#crowd;
    const thinkMs = (isNewUnit ? this.#load.thinkMs() : 0) + ownPauseMs;
    if (nowMs + thinkMs >= this.#acceptsUntilMs) return;
    this.#counter.thinkMs += thinkMs;
    this.#agenda.add(nowMs + thinkMs, who);
  }

  /** The share of the load from which on this worker's n-th user takes part: numbers of users are rounded. */
  #shareOf(user: number): number {
    const { total, worker, workers } = this.#load.users!;
    return (user * workers + worker + 0.5) / total;
  }

  /** Finds out when one more user joins. */
  #awaitUser(nowMs: number): void {
    const { users, intensity } = this.#load;
    const { startMs } = this.#phase;
    this.#joinMs =
      users === null
        ? Number.POSITIVE_INFINITY
        : startMs + intensity.nextAbove(this.#shareOf(this.#population), this.#sinceBegin(nowMs));
  }

  #join(nowMs: number): void {
    this.#population++;
    this.#pause(nowMs, this.#crowd.join());
    this.#awaitUser(nowMs);
  }

  /** Whether a user goes on; else there are fewer from now on. */
  #stays(nowMs: number): boolean {
    const { intensity } = this.#load;
    if (intensity.shareAt(this.#sinceBegin(nowMs)) > this.#shareOf(this.#population - 1) - rounding) return true;
    this.#population--;
    this.#awaitUser(nowMs);
    return false;
  }

  #sinceBegin(ms: number): number {
    return ms - this.#phase.startMs + clockRoundingMs;
  }

  #stageAt(ms: number): LoadCounter | undefined {
    if (this.#stages.length === 0) return undefined;
    return this.#stages[this.#load.intensity.stageAt(this.#sinceBegin(ms))];
  }

  /** When the next unit arrives, ms; Infinity: nobody arrives. */
  get #arrivalMs(): number {
    const { arrivals } = this.#load;
    return arrivals ? this.#phase.startMs + arrivals.nextMs : Number.POSITIVE_INFINITY;
  }

  /** Takes everything that is due, and wakes for what will be. */
  #dispatch(): void {
    let arrivalMs = this.#arrivalMs;
    let dueMs = Math.min(arrivalMs, this.#agenda.nextMs, this.#joinMs);
    let nowMs = performance.now();
    while (dueMs <= nowMs && dueMs < this.#acceptsUntilMs) {
      if (dueMs === this.#joinMs) this.#join(dueMs);
      else if (dueMs === arrivalMs) {
        this.#load.arrivals!.take();
        const who = this.#crowd.arrive(this.#load.sessionLength());
        if (this.#crowd.ownPauseMs > 0) this.#agenda.add(dueMs + this.#crowd.ownPauseMs, who);
        else this.#arrive(dueMs, nowMs, who);
      } else {
        this.#agenda.take();
        const { who } = this.#agenda;
        if (!this.#crowd.isUser(who) || this.#stays(dueMs)) this.#arrive(dueMs, nowMs, who);
        else this.#crowd.leave(who);
      }
      arrivalMs = this.#arrivalMs;
      dueMs = Math.min(arrivalMs, this.#agenda.nextMs, this.#joinMs);
      nowMs = performance.now();
    }
    const acceptsUntilMs = this.#acceptsUntilMs;
    if (nowMs < acceptsUntilMs) this.#wakeAt(Math.min(dueMs, acceptsUntilMs), nowMs);
    else if (this.#idle.length === this.#connections) this.#over.resolve();
  }

  #arrive(intendedMs: number, nowMs: number, who: number): void {
    this.#counter.arrived(nowMs - intendedMs);
    this.#stageAt(intendedMs)?.arrived(nowMs - intendedMs);
    const connection = this.#idle.shift();
    if (connection) void this.#work(connection, intendedMs, nowMs, who);
    else if (this.#line.length < mostWaiting) this.#line.add(intendedMs, nowMs, who);
    else this.#counter.unfinished++;
    this.#countWaiting(nowMs);
  }

  #countWaiting(nowMs: number): void {
    this.#counter.waiting = this.#line.length;
    const stage = this.#stageAt(nowMs);
    if (stage) stage.waiting = this.#line.length;
  }

  /** One unit, and then those that wait in line. */
  async #work(connection: Connection, intendedMs: number, arrivedMs: number, who: number): Promise<void> {
    const phase = this.#phase;
    const line = this.#line;
    for (;;) {
      const stage = this.#stageAt(intendedMs);
      const waitedMs = performance.now() - arrivedMs;
      this.#counter.begins(waitedMs);
      stage?.begins(waitedMs);
      // Before anything else runs, the connection takes the call.
      this.#crowd.begin(who);
      const outcome = await connection.unit(phase);
      const endMs = performance.now();
      if (outcome === 'nothing') this.#exhausted = true;
      else if (endMs > phase.deadlineMs) this.#counter.unfinished++;
      else {
        this.#counter.ends(endMs - intendedMs, outcome === 'succeeded');
        if (outcome === 'succeeded') phase.slowest.add(intendedMs, endMs);
        stage?.ends(endMs - intendedMs, outcome === 'succeeded');
        if (endMs > phase.arrivalsEndMs) this.#counter.afterwards++;
        const next = this.#crowd.next(who, outcome === 'succeeded', endMs);
        if (next !== gone) this.#pause(endMs, next);
      }
      // What came due meanwhile is in line before the next one is taken from it.
      this.#dispatch();
      if (phase.stopped || this.#exhausted) this.#giveUpWaiting();
      if (!line.take()) break;
      this.#countWaiting(endMs);
      ({ intendedMs, arrivedMs, who } = line);
    }
    this.#idle.push(connection);
    this.#dispatch();
  }

  #giveUpWaiting(): void {
    this.#counter.unfinished += this.#line.length;
    this.#counter.waiting = 0;
    this.#line.clear();
  }

  #wakeAt(dueMs: number, nowMs: number): void {
    const alarmMs = Math.min(nowMs + longestMs, Math.max(dueMs, nowMs + shortestMs));
    if (alarmMs >= this.#alarmMs) return;
    this.#alarmMs = alarmMs;
    this.#alarm.set(alarmMs - nowMs);
  }
}
