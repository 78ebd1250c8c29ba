import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from '#engine-api/session.ts';
import type { Phase } from './phase.ts';

/** The host's orders to a client worker during its trial: to begin a phase, or to stop. */
export class ControlChannel {
  /** The phase that runs: a stop ends it. */
  phase: Phase | null = null;
  /** The open sessions: a cancel goes to each. */
  sessions: readonly Session[] = [];
  stopped = false;
  readonly #warmUp = Promise.withResolvers<void>();
  readonly #measure = Promise.withResolvers<void>();
  readonly #counted = Promise.withResolvers<void>();
  #nextCall: PromiseWithResolvers<void> | null = null;

  /** Resolves when the host lets the phase begin, or at once after a stop: the phases that are left are then empty. */
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

  /** Resolves when the host lets the next call begin; at once after a stop. */
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

  /** `atNs`: when to begin, by process.hrtime; null: at once. */
  measure(atNs: string | null): void {
    if (atNs === null) this.#measure.resolve();
    else void until(BigInt(atNs)).then(() => this.#measure.resolve());
  }

  counted(): void {
    this.#counted.resolve();
  }

  /** Ends the running phase; `cancel` also stops the statements under way. */
  stop(cancel: boolean): void {
    this.stopped = true;
    this.phase?.stop();
    this.#warmUp.resolve();
    this.#measure.resolve();
    this.#counted.resolve();
    this.#nextCall?.resolve();
    if (!cancel) return;
    // A cancel that fails (the server is gone) leaves the call to end by itself; the host waits for a limited time.
    for (const session of this.sessions) session.cancel().catch(() => {});
  }
}

/** Timers know whole milliseconds: the last of them are spent waiting for the moment itself. */
const spinMs = 3;

async function until(ns: bigint): Promise<void> {
  const leftMs = Number(ns - process.hrtime.bigint()) / 1e6;
  if (leftMs > spinMs) await sleep(leftMs - spinMs);
  while (process.hrtime.bigint() < ns);
}
