import type { Session } from '#contract/engine.ts';
import type { Phase } from './phase.ts';

/** What a client worker hears from outside while its trial runs. */
export class ControlChannel {
  /** The phase that runs: a stop ends it. */
  phase: Phase | null = null;
  /** All that are open: a cancel goes to each. */
  sessions: readonly Session[] = [];
  stopped = false;
  readonly #warmUp = Promise.withResolvers<void>();
  readonly #measure = Promise.withResolvers<void>();
  #nextCall: PromiseWithResolvers<void> | null = null;

  /** Resolves with the host's word to begin, or at once after a stop: the phases that are left are passed through, empty. */
  get warmUpMayBegin(): Promise<void> {
    return this.#warmUp.promise;
  }

  get measureMayBegin(): Promise<void> {
    return this.#measure.promise;
  }

  /** Resolves with the host's next word that one may; at once after a stop. */
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

  measure(): void {
    this.#measure.resolve();
  }

  /** Ends the running phase; `cancel` also stops the statements under way. */
  stop(cancel: boolean): void {
    this.stopped = true;
    this.phase?.stop();
    this.#warmUp.resolve();
    this.#measure.resolve();
    this.#nextCall?.resolve();
    if (!cancel) return;
    // A cancel that fails (nothing runs any more, the server is gone) leaves the call to end by itself; the host's patience bounds it.
    for (const session of this.sessions) session.cancel().catch(() => {});
  }
}
