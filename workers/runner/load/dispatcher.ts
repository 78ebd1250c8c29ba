import type { Session } from '#engine-api/session.ts';
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

/** This worker's users of a closed load. User u belongs to worker u mod workers. */
interface UserShare {
  readonly total: number;
  readonly worker: number;
  readonly workers: number;
}

/** Receives the times of a unit of work that has ended well on a session, from its intended and its actual start. */
type Responded = (session: Session, responseMs: number, sinceStartMs: number) => void;

/** One worker's share of a load, for one phase. */
export interface PhaseLoad {
  /** Arrivals; null for a closed load. */
  readonly arrivals: Arrivals | null;
  /** The users of a closed load; null for an open or partly open load. */
  readonly users: UserShare | null;
  readonly intensity: Intensity;
  /** Number of stages of the phase. 0: the load has no stages, and counts by stage are not kept. */
  readonly stages: number;
  /** Draws the number of units of work of an arriving user. */
  readonly sessionLength: () => number;
  /** Draws a pause between an answer and the next unit, ms. */
  readonly thinkMs: () => number;
}

/**
 * Maximum number of waiting units, so that an overload does not fill the memory. Further units are counted but never
 * begun.
 */
const mostWaiting = 1_000_000;
/**
 * Work that is due within this time waits for the next expiry, because more frequent wake-ups cost more than they gain.
 */
const shortestMs = 0.1;
/** The tolerance for comparing shares of users, so that a user who joins at the first possible moment stays. */
const shareRounding = 1e-9;
/**
 * A nanosecond, added to times since the phase began, so that work due at a stage's first moment belongs to the stage.
 */
const clockRoundingMs = 1e-6;
/** The dispatcher checks at least this often whether the phase was stopped. */
const longestMs = 50;

/**
 * Gives due units of work to connections: arriving units, and the next units of users after their pause. A unit keeps
 * its intended start, however late it is taken, so a stall makes response times longer and does not reduce arrivals.
 */
export class Dispatcher {
  readonly #idle: ClientConnection[];
  readonly #connections: number;
  readonly #timer: HighResolutionTimer;
  readonly #pool: UserPool;
  /** Times of arrivals count from the beginning of the phase. */
  readonly #events = new EventQueue();
  readonly #waiting = new WaitingQueue();
  #load!: PhaseLoad;
  #phase!: Phase;
  #counter!: LoadCounter;
  #over = Promise.withResolvers<void>();
  /** The time at which the timer expires. */
  #timerMs = Number.POSITIVE_INFINITY;
  #stages: readonly LoadCounter[] = [];
  /** Number of active users of a closed load, and the time at which the next one joins, in ms since the phase began. */
  #population = 0;
  #joinMs = Number.POSITIVE_INFINITY;
  /** Think time of the users who take part from the beginning. */
  #gatheredThinkMs = 0;
  /** True if no calls are left. */
  #exhausted = false;

  readonly #responded: Responded;

  constructor(
    connections: readonly ClientConnection[],
    timer: HighResolutionTimer,
    pool: UserPool = scriptlessUsers,
    responded: Responded = () => {},
  ) {
    this.#pool = pool;
    this.#responded = responded;
    this.#idle = [...connections];
    this.#connections = connections.length;
    this.#timer = timer;
    timer.onExpiry = () => {
      this.#timerMs = Number.POSITIVE_INFINITY;
      this.#dispatch();
    };
  }

  /**
   * Draws the first think times of the users of a phase of this many seconds. Call it before the phase's clock starts,
   * because a million users take most of a second, and units due meanwhile would start late.
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

  /** Resolves when no more units are due, and the due ones have ended or are given up. Never rejects. */
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

  /** Counts of each stage of the last phase, by intended starts. */
  get stages(): readonly LoadCounts[] {
    return this.#stages.map((stage) => stage.toData());
  }

  #dispatch(): void {
    // 1. Start all due units, the earliest first.
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
    // 3. When no more units may begin, the phase is over as soon as the last connection is idle.
    else if (this.#idle.length === this.#connections) this.#over.resolve();
  }

  get #nextEventMs(): number {
    return Math.min(this.#arrivalMs, this.#phase.startMs + Math.min(this.#events.nextMs, this.#joinMs));
  }

  get #acceptsUntilMs(): number {
    return this.#exhausted ? Number.NEGATIVE_INFINITY : this.#phase.arrivalsEndMs;
  }

  /** Time of the next arrival in ms; Infinity if nobody arrives. */
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

  /** A user of an open load arrives, and begins at once unless the script begins with a pause. */
  #arrive(dueMs: number, nowMs: number): void {
    this.#load.arrivals!.take();
    const user = this.#pool.addArrival(this.#load.sessionLength());
    const { scriptPauseMs } = this.#pool;
    if (scriptPauseMs > 0) this.#events.add(dueMs - this.#phase.startMs + scriptPauseMs, user);
    else this.#start(dueMs, nowMs, user);
  }

  /** A user's pause is over: the user begins the next unit, or leaves because the load has decreased. */
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

  /**
   * Adds the user's next unit, with pauses from this moment of the phase on. Returns the part of the pauses within the
   * phase.
   */
  #think(fromMs: number, user: number, untilMs: number): number {
    const { thinksNext, scriptPauseMs } = this.#pool;
    const pauseMs = (thinksNext ? this.#load.thinkMs() : 0) + scriptPauseMs;
    if (fromMs + pauseMs >= untilMs) return Math.max(0, untilMs - fromMs);
    this.#events.add(fromMs + pauseMs, user);
    return pauseMs;
  }

  /** Computes when the next user joins. `sinceMs`: time since the phase began. */
  #awaitUser(sinceMs: number): void {
    const { users, intensity } = this.#load;
    this.#joinMs =
      users === null
        ? Number.POSITIVE_INFINITY
        : intensity.nextAbove(this.#shareOf(this.#population), sinceMs + clockRoundingMs);
  }

  /** True if a user of a closed load continues; false if the number of users decreases by this user. */
  #stays(nowMs: number): boolean {
    const { intensity } = this.#load;
    if (intensity.shareAt(this.#sinceBegin(nowMs)) > this.#shareOf(this.#population - 1) - shareRounding) return true;
    this.#population--;
    this.#awaitUser(nowMs - this.#phase.startMs);
    return false;
  }

  /** The share of the load at which this worker's n-th user joins; numbers of users are rounded. */
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

  /** Gives a due unit to an idle connection, or queues it. */
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

  /** Lets a connection run a unit, and then the waiting units. */
  async #work(connection: ClientConnection, intendedMs: number, arrivedMs: number, user: number): Promise<void> {
    const phase = this.#phase;
    const waiting = this.#waiting;
    for (;;) {
      // 1. Run the unit. The connection takes its call before anything else runs, because the pool knows whose call it
      // is.
      const stage = this.#stageAt(intendedMs);
      const waitedMs = performance.now() - arrivedMs;
      this.#counter.begins(waitedMs);
      stage?.begins(waitedMs);
      // A failed attempt to connect fails the unit, whose call is left to another one.
      const isConnected = !connection.isDue || (await connection.renew(phase));
      this.#pool.begin(user);
      const outcome = isConnected ? await connection.unit(phase) : 'failed';
      const endMs = performance.now();

      // 2. Count it, and let its user continue after a pause.
      if (outcome === 'nothing') this.#exhausted = true;
      else if (endMs > phase.deadlineMs) this.#counter.unfinished++;
      else {
        const succeeded = outcome === 'succeeded';
        const [responseMs, sinceStartMs] = [endMs - intendedMs, endMs - arrivedMs];
        this.#counter.ends(responseMs, sinceStartMs, succeeded);
        if (succeeded) {
          phase.slowest.add(intendedMs, endMs);
          this.#responded(connection.session, responseMs, sinceStartMs);
        }
        stage?.ends(responseMs, sinceStartMs, succeeded);
        if (endMs > phase.arrivalsEndMs) this.#counter.afterwards++;
        const next = this.#pool.next(user, succeeded, endMs);
        if (next !== gone) this.#pause(endMs, next);
      }

      // 3. Take the unit that has waited longest; units that became due meanwhile wait their turn.
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
