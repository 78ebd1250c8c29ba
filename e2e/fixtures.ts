import { test as base, expect } from '@playwright/test';
import { type DynoApp, launchDyno } from './driver.ts';

/** Errors that a test provokes on purpose; other errors fail it. */
interface Allowance {
  cspViolations: boolean;
}

/** A fresh app for each test. Uncaught errors and violations of the content security policy fail the test. */
export const test = base.extend<{ allowance: Allowance; dyno: DynoApp }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's dependencies from this pattern
  allowance: async ({}, use) => use({ cspViolations: false }),
  dyno: async ({ allowance }, use, info) => {
    const dyno = await launchDyno();
    const problems: string[] = [];
    dyno.page.on('pageerror', (error) => problems.push(String(error)));
    dyno.page.on('console', (message) => {
      if (/content security policy/i.test(message.text()) && !allowance.cspViolations) problems.push(message.text());
    });
    await use(dyno);
    if (info.status !== info.expectedStatus)
      await info.attach('page', { body: await dyno.page.screenshot({ timeout: 10_000 }).catch(() => '') });
    await dyno.close();
    expect(problems).toEqual([]);
  },
});

export { expect };
