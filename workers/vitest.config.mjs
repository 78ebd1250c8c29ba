import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { startBuiltPrograms } from '../electron/package/source-urls.mjs';

const functions = [
  'workers/{model,engine-api,experiment,protocol,planning,stats,analysis,presentation}/**/*.test.ts',
  'renderer/**/*.test.{ts,tsx}',
];

const root = new URL('..', import.meta.url).pathname;

// Tests run beside the code they test, on the Node that workers run on. `npm test` builds the programs first and lets
// tests start them as built, as packages have them: that is faster than their sources, which tests start otherwise.
export default defineConfig({
  plugins: process.env.DYNO_TEST_BUILT ? [startBuiltPrograms(root, `${root}dist/programs`)] : [],
  test: {
    root,
    testTimeout: 60_000,
    // Real servers on a machine with other work: what fails is tried once more, and `npm test` names at its end what
    // needed it.
    retry: 1,
    // Most wait for servers, so that there may be one more than processors; but every file may start one, and they all
    // want memory.
    maxWorkers: Math.min(4, availableParallelism() + 1),
    projects: [
      // These tests only call pure functions: their files may share a process and its modules.
      { extends: true, test: { name: 'functions', include: functions, isolate: false } },
      {
        extends: true,
        test: {
          name: 'processes',
          include: ['workers/**/*.test.ts', 'electron/**/*.test.{ts,mjs}'],
          exclude: functions,
        },
      },
    ],
  },
});
