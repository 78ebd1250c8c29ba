import { availableParallelism, totalmem } from 'node:os';
import { defineConfig } from '@playwright/test';
import { whole } from '#platform/whole.fixture.ts';

export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  // `npm run test:long -- window` runs these, too.
  ...(!whole && { grepInvert: /@long/ }),
  outputDir: '../test-results',
  // Tests may run at the same time: each app has its own home, and no test asserts measured values. There are more apps
  // than processors, because an app often waits for a trial, a frame or another process.
  workers: Math.max(2, Math.min(4, Math.floor(1.5 * availableParallelism()), Math.floor(totalmem() / 2e9))),
  fullyParallel: false,
  timeout: 180_000,
  expect: { timeout: 20_000 },
  reporter: 'list',
});
