import { DynoError } from '#model/error.ts';

/** The tests that the page started and that are still running, by id. */
interface RunningTests {
  /** Runs a test until it ends; `signal` cancels it. Throws 'badInput' with `already` where it is going on. */
  run<T>(testId: string, already: string, test: (signal: AbortSignal) => Promise<T>): Promise<T>;
  cancel(testId: string): void;
  /** Cancels running tests, because no page shows them. */
  cancelAll(): void;
  /** Cancels running tests and resolves when they have cleaned up. */
  close(): Promise<void>;
}

export function createRunningTests(): RunningTests {
  const tests = new Map<string, { readonly stop: AbortController; readonly ended: Promise<unknown> }>();
  const cancelAll = () => {
    for (const { stop } of tests.values()) stop.abort();
  };
  return {
    async run(testId, already, test) {
      if (tests.has(testId)) throw new DynoError('badInput', already);
      const stop = new AbortController();
      const ended = test(stop.signal);
      tests.set(testId, { stop, ended });
      try {
        return await ended;
      } finally {
        tests.delete(testId);
      }
    },
    cancel: (testId) => tests.get(testId)?.stop.abort(),
    cancelAll,
    async close() {
      cancelAll();
      await Promise.allSettled([...tests.values()].map(({ ended }) => ended));
    },
  };
}
