import { toErrorData } from '#model/error.ts';
import { errorText } from '#model/error-text.ts';
import type { LoadHostReport } from '#model/load-host-check.ts';
import type { SavedLoadHost } from '#model/load-hosts.ts';
import { listen, request } from '../state/bridge.ts';
import { createStore } from '../state/store.ts';

/** The shown test of a load host, running or finished. */
interface HostTest {
  readonly testId: string;
  readonly host: SavedLoadHost;
  /** Null until the first step begins. */
  readonly report: LoadHostReport | null;
  readonly isRunning: boolean;
  /** The reason why the test could not run. */
  readonly problem: string | null;
}

/** The test in the dialog. Null if there is none. */
export const hostTest = createStore<HostTest | null>(null);

/** Tests a load host, and opens the dialog. */
export async function testHost(host: SavedLoadHost): Promise<void> {
  if (hostTest.get()?.isRunning) return;
  const testId = crypto.randomUUID();
  const update = (change: Partial<HostTest>) =>
    hostTest.update((now) => (now?.testId === testId ? { ...now, ...change } : now));
  hostTest.set({ testId, host, report: null, isRunning: true, problem: null });
  const stop = listen('host:tested', (event) => {
    if (event.testId === testId) update({ report: event.report });
  });
  try {
    update({ ...(await request('hosts:test', { testId, host })), isRunning: false });
  } catch (thrown) {
    update({ isRunning: false, problem: errorText(toErrorData(thrown)) });
  } finally {
    stop();
  }
}

export const cancelHostTest = (): void => {
  const test = hostTest.get();
  // An error means that the test has just ended.
  if (test?.isRunning) request('hosts:cancelTest', { testId: test.testId }).catch(() => {});
};

/** Closing the dialog cancels the test. */
export const closeHostTest = (): void => {
  cancelHostTest();
  hostTest.set(null);
};
