import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  outputDir: '../test-results',
  // Each app has a home of its own. What they measure is not asserted.
  workers: 2,
  fullyParallel: false,
  timeout: 180_000,
  // As for unit tests (workers/vitest.config.ts).
  retries: 1,
  expect: { timeout: 20_000 },
  reporter: 'list',
});
