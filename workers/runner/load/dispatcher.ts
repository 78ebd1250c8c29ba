import type { LoadCounts } from '#protocol/measurement.ts';
import type { ClientConnection } from '../loop/client-connection.ts';
import { LoadCounter } from '../loop/load-counts.ts';
import type { Phase } from '../loop/phase.ts';
import type { HighResolutionTimer } from '../timing/high-resolution-timer.ts';
import type { Arrivals } from './arrivals.ts';
import { EventQueue } from './event-queue.ts';
import type { Intensity } from './intensity.ts';
import { gone, scriptlessUsers, type UserPool } from './user-pool.ts';
import { WaitingQueue } from './waiting-queue.ts';

/** This worker's users of a closed load: user u belongs to worker u mod workers. */
interface UserShare {
  readonly total: number;
  readonly worker: number;
  readonly workers: number;
}

/** One worker's share of a load, for one phase. */
export interface PhaseLoad {
  /** Null: the load is closed, and nobody arrives. */
  readonly arrivals: Arrivals | null;
  /** The users of a closed load; null: it is open or partly open. */
  readonly users: UserShare | null;
  readonly intensity: Intensity;
  /** The number of stages of the phase; 0: there are none, and counts by stage are not kept. */
  readonly stages: number;
  /** Draws how many units of work a user who arrives does. */
  readonly sessionLength: () => number;
  /** Draws a pause between an answer and the next unit, ms. */
  readonly thinkMs: () => number;
}

/** The most units that wait, so that an overload does not fill the memory: others are counted, and never begun. */
const mostWaiting = 1_000_000;
/** Work that is due within this waits for the next expiry: waking the event loop more often does not pay. */
const shortestMs = 0.1;
/** The tolerance for comparing shares of users, so that a user who joins at the first possible moment stays. */
const shareRounding = 1e-9;
/** A nanosecond, added to times since the phase began: what is due at a stage's first moment belongs to that stage. */
const clockRoundingMs = 1e-6;
/** The dispatcher looks at least this often whether the phase was stopped. */
const longestMs = 50;

/**
 * Gives units of work to connections when they are due: units that arrive, and the next units of users who have paused.
 * A unit keeps its intended start, however late it is taken: a stall makes responses longer, and arrivals no fewer.
 */
export class Dispatcher {
  readonly #idle: ClientConnection[];
  readonly #connections: number;
  readonly #timer: HighResolutionTimer;
  readonly #pool: UserPool;
  /** Their times count from the beginning of the phase. */
  readonly #events = new EventQueue();
  readonly #waiting = new WaitingQueue();
  #load!: PhaseLoad;
  #phase!: Phase;
  #counter!: LoadCounter;
  #over = Promise.withResolvers<void>();
  /** The time at which the timer expires. */
  #timerMs = Number.POSITIVE_INFINITY;
  #stages: readonly LoadCounter[] = [];
  /** Users of a closed load that take part; and when the next one joins, ms since the phase began. */
  #population = 0;
  #joinMs = Number.POSITIVE_INFINITY;
  /** Think time of those who take part from the beginning. */
  #gatheredThinkMs = 0;
  /** No calls are left. */
  #exhausted = false;

  constructor(connections: readonly ClientConnection[], timer: HighResolutionTimer, pool: UserPool = scriptlessUsers) {
    this.#pool = pool;
    this.#idle = [...connections];
    this.#connections = connections.length;
    this.#timer = timer;
    timer.onExpiry = () => {
      this.#timerMs = Number.POSITIVE_INFINITY;
      this.#dispatch();
    };
  }

  /**
   * Has the users think who take part in a phase of so many seconds from its beginning. To be called before its clock
   * starts: a million of them take most of a second, and what is due meanwhile would be late.
   */
  gather(load: PhaseLoad, seconds: number): void {
    this.#load = load;
    this.#population = 0;
    this.#gatheredThinkMs = 0;
    this.#awaitUser(0);
    while (this.#joinMs <= clockRoundingMs) {
      this.#population++;
      this.#gatheredThinkMs += this.#think(0, this.#pool.addUser(), seconds * 1_000);
      this.#awaitUser(0);
    }
  }

  /** Resolves when no unit is due any more, and those that were have ended or are given up. Never rejects. */
  async run(phase: Phase): Promise<void> {
    const load = this.#load;
    this.#phase = phase;
    this.#counter = phase.counts.load ??= new LoadCounter();
    this.#counter.thinkMs += this.#gatheredThinkMs;
    this.#over = Promise.withResolvers();
    this.#exhausted = false;
    this.#stages = Array.from({ length: load.stages }, () => new LoadCounter());
    this.#dispatch();
    await this.#over.promise;
    this.#events.clear();
    if (Number.isFinite(phase.arrivalsEndMs)) phase.extend(phase.startMs, phase.arrivalsEndMs);
  }

  /** Counts of each stage of the phase that was run last, by intended starts. */
  get stages(): readonly LoadCounts[] {
    return this.#stages.map((stage) => stage.toData());
  }

  #dispatch(): void {
    // 1. Start everything that is due, the earliest first.
    let nowMs = performance.now();
    let dueMs = this.#nextEventMs;
    while (dueMs <= nowMs && dueMs < this.#acceptsUntilMs) {
      if (dueMs === this.#phase.startMs + this.#joinMs) this.#join(dueMs);
      else if (dueMs === this.#arrivalMs) this.#arrive(dueMs, nowMs);
      else this.#goOn(dueMs, nowMs);
      nowMs = performance.now();
      dueMs = this.#nextEventMs;
    }
    const acceptsUntilMs = this.#acceptsUntilMs;
    // 2. Wake up for the next event, or to end the phase.
    if (nowMs < acceptsUntilMs) this.#wakeAt(Math.min(dueMs, acceptsUntilMs), nowMs);
    // 3. Once no unit may begin any more, the phase is over when the last connection is idle.
    else if (this.#idle.length === this.#connections) this.#over.resolve();
  }

  get #nextEventMs(): number {
    return Math.min(this.#arrivalMs, this.#phase.startMs + Math.min(this.#events.nextMs, this.#joinMs));
  }

  get #acceptsUntilMs(): number {
    return this.#exhausted ? Number.NEGATIVE_INFINITY : this.#phase.arrivalsEndMs;
  }

  /** The time at which the next user arrives, ms; Infinity: nobody arrives. */
  get #arrivalMs(): number {
    const { arrivals } = this.#load;
    return arrivals ? this.#phase.startMs + arrivals.nextMs : Number.POSITIVE_INFINITY;
  }

  /** One more user of a closed load begins, with a pause. */
  #join(nowMs: number): void {
    this.#population++;
    this.#pause(nowMs, this.#pool.addUser());
    this.#awaitUser(nowMs - this.#phase.startMs);
  }

  /** A user of an open load arrives, and begins at once unless its script begins with a pause. */
  #arrive(dueMs: number, nowMs: number): void {
    this.#load.arrivals!.take();
    const user = this.#pool.addArrival(this.#load.sessionLength());
    const { scriptPauseMs } = this.#pool;
    if (scriptPauseMs > 0) this.#events.add(dueMs - this.#phase.startMs + scriptPauseMs, user);
    else this.#start(dueMs, nowMs, user);
  }

  /** A user has paused, and begins its next unit, or leaves because the load has become less. */
  #goOn(dueMs: number, nowMs: number): void {
    this.#events.take();
    const { user } = this.#events;
    if (!this.#pool.isOfClosedLoad(user) || this.#stays(dueMs)) this.#start(dueMs, nowMs, user);
    else this.#pool.remove(user);
  }

  /** Adds the user's next unit to the events, after the think time and the pauses of its script. */
  #pause(nowMs: number, user: number): void {
    const { startMs } = this.#phase;
    this.#counter.thinkMs += this.#think(nowMs - startMs, user, this.#acceptsUntilMs - startMs);
  }

  /** The same from a moment of the phase on; returns how much of the pause is within the phase. */
  #think(fromMs: number, user: number, untilMs: number): number {
    const { thinksNext, scriptPauseMs } = this.#pool;
    const pauseMs = (thinksNext ? this.#load.thinkMs() : 0) + scriptPauseMs;
    if (fromMs + pauseMs >= untilMs) return Math.max(0, untilMs - fromMs);
    this.#events.add(fromMs + pauseMs, user);
    return pauseMs;
  }

  /** Finds out when one more user joins. `sinceMs`: since the phase began. */
  #awaitUser(sinceMs: number): void {
    const { users, intensity } = this.#load;
    this.#joinMs =
      users === null
        ? Number.POSITIVE_INFINITY
        : intensity.nextAbove(this.#shareOf(this.#population), sinceMs + clockRoundingMs);
  }

  /** True if a user of a closed load goes on; if not, one user fewer takes part from now on. */
  #stays(nowMs: number): boolean {
    const { intensity } = this.#load;
    if (intensity.shareAt(this.#sinceBegin(nowMs)) > this.#shareOf(this.#population - 1) - shareRounding) return true;
    this.#population--;
    this.#awaitUser(nowMs - this.#phase.startMs);
    return false;
  }

  /** The share of the load from which on this worker's n-th user takes part: numbers of users are rounded. */
  #shareOf(user: number): number {
    const { total, worker, workers } = this.#load.users!;
    return (user * workers + worker + 0.5) / total;
  }

  #sinceBegin(ms: number): number {
    return ms - this.#phase.startMs + clockRoundingMs;
  }

  #stageAt(ms: number): LoadCounter | undefined {
    if (this.#stages.length === 0) return undefined;
    return this.#stages[this.#load.intensity.stageAt(this.#sinceBegin(ms))];
  }

  /** Gives a unit that is due to an idle connection, or lets it wait for one. */
  #start(intendedMs: number, nowMs: number, user: number): void {
    this.#counter.arrived(nowMs - intendedMs);
    this.#stageAt(intendedMs)?.arrived(nowMs - intendedMs);
    const connection = this.#idle.shift();
    if (connection) void this.#work(connection, intendedMs, nowMs, user);
    else if (this.#waiting.length < mostWaiting) this.#waiting.add(intendedMs, nowMs, user);
    else this.#counter.unfinished++;
    this.#countWaiting(nowMs);
  }

  #countWaiting(nowMs: number): void {
    this.#counter.waiting = this.#waiting.length;
    const stage = this.#stageAt(nowMs);
    if (stage) stage.waiting = this.#waiting.length;
  }

  /** Has a connection do a unit, and then those that wait. */
  async #work(connection: ClientConnection, intendedMs: number, arrivedMs: number, user: number): Promise<void> {
    const phase = this.#phase;
    const waiting = this.#waiting;
    for (;;) {
      // 1. Do the unit. The connection takes its call before anything else runs: the pool knows whose call it is.
      const stage = this.#stageAt(intendedMs);
      const waitedMs = performance.now() - arrivedMs;
      this.#counter.begins(waitedMs);
      stage?.begins(waitedMs);
      this.#pool.begin(user);
      const outcome = await connection.unit(phase);
      const endMs = performance.now();

      // 2. Count it, and have its user go on after a pause.
      if (outcome === 'nothing') this.#exhausted = true;
      else if (endMs > phase.deadlineMs) this.#counter.unfinished++;
      else {
        const succeeded = outcome === 'succeeded';
        this.#counter.ends(endMs - intendedMs, succeeded);
        if (succeeded) phase.slowest.add(intendedMs, endMs);
        stage?.ends(endMs - intendedMs, succeeded);
        if (endMs > phase.arrivalsEndMs) this.#counter.afterwards++;
        const next = this.#pool.next(user, succeeded, endMs);
        if (next !== gone) this.#pause(endMs, next);
      }

      // 3. Take the unit that has waited longest; what came due meanwhile waits in its turn.
      this.#dispatch();
      if (phase.stopped || this.#exhausted) this.#giveUpWaiting();
      if (!waiting.take()) break;
      this.#countWaiting(endMs);
      ({ intendedMs, arrivedMs, user } = waiting);
    }
    this.#idle.push(connection);
    this.#dispatch();
  }

  #giveUpWaiting(): void {
    this.#counter.unfinished += this.#waiting.length;
    this.#counter.waiting = 0;
    this.#waiting.clear();
  }

  #wakeAt(dueMs: number, nowMs: number): void {
    const timerMs = Math.min(nowMs + longestMs, Math.max(dueMs, nowMs + shortestMs));
    if (timerMs >= this.#timerMs) return;
    this.#timerMs = timerMs;
    this.#timer.setAt(timerMs);
  }
}
