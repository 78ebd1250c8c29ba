import { defineConfig } from '@playwright/test';

// One app at a time: what it runs is measured, and the machine is shared.
export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  outputDir: '../test-results',
  workers: 1,
  fullyParallel: false,
  timeout: 180_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
});
