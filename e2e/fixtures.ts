import { test as base, type ConsoleMessage, expect, type TestInfo } from '@playwright/test';
import { appOf, type DynoApp, killApps, launchApp } from './dyno-app.ts';
import { type Reset, resetOf } from './reset.ts';

/** Errors that a test provokes on purpose; other errors fail it. */
interface Allowance {
  cspViolations: boolean;
}

interface ForTests {
  allowance: Allowance;
  /**
   * An app in the state of its first start: the app of the previous tests, after a reset (reset.ts). Playwright ends
   * the process of a failed test together with the app, so the next test gets another app.
   */
  dyno: DynoApp;
  /** A separate app for tests that change the main process, or test the app's start or end. */
  freshDyno: DynoApp;
}

interface ForWorkers {
  /** Resolves with the app that tests share, in the state of its first start. */
  firstStart: () => Promise<DynoApp>;
  /** Runs in every worker, and ensures that no app outlives the worker. */
  noAppStays: undefined;
}

/** Uncaught errors and violations of the content security policy fail the test. */
export const test = base.extend<ForTests, ForWorkers>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's dependencies from this pattern
  allowance: async ({}, use) => use({ cspViolations: false }),
  dyno: async ({ allowance, firstStart }, use, info) => watch(appOf(await firstStart()), allowance, use, info),
  freshDyno: async ({ allowance }, use, info) => {
    const dyno = await launchApp();
    try {
      await watch(dyno, allowance, use, info);
    } finally {
      await dyno.close();
    }
  },
  firstStart: [
    // biome-ignore lint/correctness/noEmptyPattern: the same
    async ({}, use) => {
      let shared: { readonly app: DynoApp; readonly reset: Reset } | null = null;
      await use(async () => {
        if (shared !== null && (await isReset(shared.reset))) return shared.app;
        await shared?.app.close();
        const app = await launchApp();
        shared = { app, reset: await resetOf(app) };
        return app;
      });
      await (shared as { readonly app: DynoApp } | null)?.app.close();
    },
    { scope: 'worker' },
  ],
  noAppStays: [
    // biome-ignore lint/correctness/noEmptyPattern: the same
    async ({}, use) => {
      await use(undefined);
      killApps();
    },
    { scope: 'worker', auto: true },
  ],
});

/** True if the app could be reset. */
async function isReset(reset: Reset): Promise<boolean> {
  try {
    await reset();
    return true;
  } catch (thrown) {
    console.warn('Another app takes the place of one that cannot be reset:', thrown);
    return false;
  }
}

/** Lets the test use the app and fails it for the page's errors. */
async function watch(
  dyno: DynoApp,
  allowance: Allowance,
  use: (dyno: DynoApp) => Promise<void>,
  info: TestInfo,
): Promise<void> {
  const { page } = dyno;
  const problems: string[] = [];
  const onError = (error: Error) => problems.push(String(error));
  const onMessage = (message: ConsoleMessage) => {
    if (/content security policy/i.test(message.text()) && !allowance.cspViolations) problems.push(message.text());
  };
  page.on('pageerror', onError).on('console', onMessage);
  await use(dyno);
  page.off('pageerror', onError).off('console', onMessage);
  if (info.status !== info.expectedStatus)
    await info.attach('page', { body: await page.screenshot({ timeout: 10_000 }).catch(() => '') });
  expect(problems).toEqual([]);
}

export { expect };
