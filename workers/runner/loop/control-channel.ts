import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from '#engine-api/session.ts';
import type { Phase } from './phase.ts';

/** The host's orders to a client worker during its trial: begin a phase, or stop. */
export class ControlChannel {
  /** The running phase, which a stop ends. */
  phase: Phase | null = null;
  /** The sessions that are open now, each of which receives a cancel. */
  sessions: () => readonly Session[] = () => [];
  stopped = false;
  readonly #warmUp = Promise.withResolvers<void>();
  readonly #measure = Promise.withResolvers<void>();
  readonly #counted = Promise.withResolvers<void>();
  #nextCall: PromiseWithResolvers<void> | null = null;
  readonly #cancels: Promise<unknown>[] = [];

  /** Resolves when the host allows the phase to begin, or at once after a stop; the remaining phases are then empty. */
  get warmUpMayBegin(): Promise<void> {
    return this.#warmUp.promise;
  }

  get measureMayBegin(): Promise<void> {
    return this.#measure.promise;
  }

  /** Resolves when the host has read the server's counters of the measured phase, or at once after a stop. */
  get areCountersRead(): Promise<void> {
    return this.#counted.promise;
  }

  /** Resolves when the host allows the next call; at once after a stop. */
  nextCallMayBegin(): Promise<void> {
    this.#nextCall = Promise.withResolvers<void>();
    if (this.stopped) this.#nextCall.resolve();
    return this.#nextCall.promise;
  }

  nextCall(): void {
    this.#nextCall?.resolve();
  }

  warmUp(): void {
    this.#warmUp.resolve();
  }

  /** `atNs`: time of the beginning, by process.hrtime; null: at once. */
  measure(atNs: string | null): void {
    if (atNs === null) this.#measure.resolve();
    else void until(BigInt(atNs)).then(() => this.#measure.resolve());
  }

  counted(): void {
    this.#counted.resolve();
  }

  /** Ends the running phase. `cancel` also stops the running statements. */
  stop(cancel: boolean): void {
    this.stopped = true;
    this.phase?.stop();
    this.#warmUp.resolve();
    this.#measure.resolve();
    this.#counted.resolve();
    this.#nextCall?.resolve();
    if (!cancel) return;
    // If a cancel fails (the server is gone), the call ends by itself; the host waits for a limited time.
    this.#cancels.push(...this.sessions().map((session) => session.cancel().catch(() => {})));
  }

  /**
   * The sessions have no calls any more, so a later stop cancels nothing. Resolves when the servers have answered all
   * cancels, or after a second. PgBouncer can crash ("bad client state") if the connection of a cancel closes earlier.
   */
  async releaseSessions(): Promise<void> {
    this.sessions = () => [];
    await Promise.race([Promise.all(this.#cancels), sleep(longestAnswerMs, undefined, { ref: false })]);
  }
}

/** A server that has stopped never answers a cancel. */
const longestAnswerMs = 1_000;

/** Timers have whole milliseconds, so the process spins for the last of them. */
const spinMs = 3;

async function until(ns: bigint): Promise<void> {
  const leftMs = Number(ns - process.hrtime.bigint()) / 1e6;
  if (leftMs > spinMs) await sleep(leftMs - spinMs);
  while (process.hrtime.bigint() < ns);
}
