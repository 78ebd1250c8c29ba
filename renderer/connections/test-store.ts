import type { CheckReport } from '#model/connections.ts';
import { toErrorData } from '#model/error.ts';
import { errorText } from '#model/error-text.ts';
import type { Tested } from '#protocol/ipc.ts';
import { listen, request } from '../state/bridge.ts';
import { withAnswers } from '../state/passwords.ts';
import { createStore } from '../state/store.ts';

/** A connection test, running or finished. */
export interface Test {
  readonly testId: string;
  /** The tested form or target. Each subject has one test at a time. */
  readonly subject: string;
  /** The tested content. It shows whether the form has changed since. */
  readonly content: string;
  /** Null until the first step begins. */
  readonly report: CheckReport | null;
  readonly isRunning: boolean;
  /** The reason why the test could not run. */
  readonly problem: string | null;
}

/** The last test by subject. */
export const tests = createStore<Readonly<Record<string, Test>>>({});

const put = (test: Test) => tests.update((all) => ({ ...all, [test.subject]: test }));

export const forgetTest = (subject: string): void => tests.update(({ [subject]: _, ...rest }) => rest);

/** Tests a connection, and asks the user for passwords that are not stored. */
export async function startTest(subject: string, tested: Tested, content = ''): Promise<void> {
  const before = tests.get()[subject];
  if (before?.isRunning) return;
  const testId = crypto.randomUUID();
  let test: Test = { testId, subject, content, report: null, isRunning: true, problem: null };
  const update = (change: Partial<Test>) => {
    test = { ...test, ...change };
    if (tests.get()[subject]?.testId === testId) put(test);
  };
  put(test);
  const stop = listen('connection:tested', (event) => {
    if (event.testId === testId) update({ report: event.report });
  });
  try {
    const done = await withAnswers(({ passwords }) => request('connections:test', { testId, tested, passwords }));
    if (done) update({ report: done.report, isRunning: false });
    else forgetTest(subject);
  } catch (thrown) {
    update({ isRunning: false, problem: errorText(toErrorData(thrown)) });
  } finally {
    stop();
  }
}

export const cancelTest = (subject: string): void => {
  const test = tests.get()[subject];
  // An error means that the test has just ended.
  if (test?.isRunning) request('connections:cancelTest', { testId: test.testId }).catch(() => {});
};
