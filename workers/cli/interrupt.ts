import { endAllWorkers } from '#orchestrator/worker/fork.ts';
import { exitCodes } from '#platform/exit-codes.ts';

/**
 * The terminal, npm and `timeout` may each deliver the same Ctrl-C, so signals within this time, in ms, count as one.
 */
const sameMs = 500;

/**
 * Handles Ctrl-C (and SIGTERM, SIGHUP): the first signal calls `ask`. A later second signal ends the process once its
 * workers have ended, which have a moment to stop their work at servers; a third signal ends it at once.
 */
export function onInterrupt(ask: () => void): Disposable {
  let askedAt: number | null = null;
  let isEnding = false;
  const handle = () => {
    if (askedAt === null) {
      askedAt = performance.now();
      ask();
      return;
    }
    if (performance.now() - askedAt <= sameMs) return;
    askedAt = performance.now();
    void endAllWorkers(isEnding ? 0 : undefined).finally(() => process.exit(exitCodes.cancelled));
    isEnding = true;
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, handle);
  return {
    [Symbol.dispose]() {
      for (const signal of signals) process.off(signal, handle);
    },
  };
}
