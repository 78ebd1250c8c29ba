import { existsSync, globSync, readFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';

/** Tests that start no process. */
const functions = [
  'workers/{model,engine-api,experiment,protocol,rules,planning,stats,analysis,presentation}/**/*.test.ts',
  'workers/cli/{ci-commands,dispatch,docs/*,experiments/experiment-text,results/outputs,run/keep-awake,servers/*}.test.ts',
  'workers/drda/{fuzz,read-and-commit,*/*}.test.ts',
  'workers/engines/{engine-folders,hints,local-uses,reads-only,settings,transaction-control}.test.ts',
  'workers/engines/*/{config,documents,errors,grants}.test.ts',
  'workers/engines/*/{dialects,probe,schema,sql,values,wire}/*.test.ts',
  'workers/engines/*/statements/!(commands|requests|statements).test.ts',
  'workers/engines/{drda,oracle,sqlserver}/statements/statements.test.ts',
  'workers/engines/{conformance/rows,oracle/connection/*,shared/*}.test.ts',
  'workers/integration/{docker,gallery-reads,benches/*,gallery/!(run-cards),results/*,source-code/*}.test.ts',
  'workers/load-hosts/{agent,coordinator,ssh}/*.test.ts',
  'workers/load-hosts/bus/{nats-server,spool,stored-keys}.test.ts',
  'workers/managed-servers/{supervisor-protocol,servers/missing-servers,servers/*/orafce-advice}.test.ts',
  'workers/managed-servers/install/{products/dotnet-root,registry/*}.test.ts',
  'workers/network-emulator/{delivery-queue,link}.test.ts',
  'workers/orchestrator/{journal/!(journal),reproducer/make-reproducer,trial/*}.test.ts',
  'workers/orchestrator/{run/environment,run/leftovers,run/time-left}.test.ts',
  'workers/orchestrator/worker/{merge-results,printed-token}.test.ts',
  'workers/platform/*.test.ts',
  'workers/runner/{generator,operations,verify,workload}/**/*.test.ts',
  'workers/runner/{load,timing}/*.test.ts',
  'workers/runner/loop/!(conflicts-on-servers|phase).test.ts',
  'workers/workspace/**/*.test.ts',
  'electron/{addresses,open-wishes,quit-question,window-state}.test.ts',
  'electron/services/{files/*,load-hosts/*,passwords/trust-questions,runs/{follow-journal,watches}}.test.ts',
  'electron/{package,setup}/**/*.test.mjs',
  'e2e/driver/*.test.ts',
  'renderer/**/*.test.{ts,tsx}',
];

/** `npm test` leaves these to `npm run test:long`; each has a smoke test in the file beside it, without the `.long`. */
const longFiles = ['workers/**/*.long.test.ts'];

/** They judge how long calls took, or keep all processors busy, so nothing runs beside them. */
const aloneFiles = ['workers/**/*.alone.test.ts'];

const root = new URL('..', import.meta.url).pathname;

/** Tests of the window's pages, in jsdom. */
const pages = ['renderer/**/*.window.test.tsx'];

const textOf = (file) => readFileSync(`${root}${file}`, 'utf8');

/** These files replace modules: a file that ran before in the same process may have imported them already. */
const mocks = globSync(functions, { cwd: root }).filter((file) => textOf(file).includes('vi.mock('));

/** Tests that start processes. */
const processes = ['workers/**/*.test.ts', 'electron/**/*.test.{ts,mjs}'];

/** These files change the environment, signals, globals or modules of their process, so no other file may share it. */
const changing = globSync(processes, { cwd: root, exclude: [...functions, ...longFiles, ...aloneFiles] }).filter(
  (file) =>
    /vi\.(mock|stub\w+|spyOn|useFakeTimers)\(|process\.env(\.\w+|\[.*\]) \??\??=[^=]|process\.(on|once|chdir|umask|exitCode)\b|\.cache\[\w+\] =/.test(
      textOf(file),
    ),
);

/** Has tests, and the modules that they import, start the programs and threads of dist/programs, not their sources. */
const startBuiltPrograms = {
  name: 'start-built-programs',
  enforce: 'pre',
  transform: (code, id) =>
    id.startsWith(`${root}workers/`)
      ? code.replaceAll(/new URL\('([\w./-]+)\.ts', import\.meta\.url\)/g, (source, path) => {
          const built = join(root, 'dist/programs', relative(root, dirname(id)), `${path}.js`);
          return existsSync(built) ? `new URL('${pathToFileURL(built)}')` : source;
        })
      : null,
};

/**
 * Files that wait for servers, a minute and more. They are short, as what they call is elsewhere, and Vitest begins
 * with the largest files where it does not know how long any takes: at the end one process would work through them
 * alone.
 */
const slow =
  /\/(conformance|supervisor|run|retail-mix|turncoats|strangers|pooled-runs|statement-changes|changes-on-server|password-command)\.test\.ts$|\/integration\/(findings|on-servers)\//;

class SlowFirst extends BaseSequencer {
  async sort(files) {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }) => slow.test(moduleId);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

// Tests run beside the code they test, on the Node that workers run on. `npm test` builds the programs first and has
// tests start them so, as packages have them, in half the processor time of their sources.
export default defineConfig({
  plugins: process.env.DYNO_TEST_BUILT ? [startBuiltPrograms] : [],
  test: {
    root,
    globalSetup: ['workers/managed-servers/shared-servers.setup.mjs'],
    setupFiles: ['workers/file-cost.setup.mjs'],
    testTimeout: 60_000,
    sequence: { sequencer: SlowFirst },
    // Nothing is tried again here: `npm test` runs files with a failed test once more when all others have ended, and
    // names the tests that only then passed (electron/setup/test-steps.mjs).
    retry: 0,
    // Most tests wait for servers and clocks more than half of their time. A worker and its servers want 1.5 GB.
    maxWorkers: Math.max(2, Math.min(6, Math.floor(2.5 * availableParallelism()), Math.floor(totalmem() / 1.5e9))),
    projects: [
      // These leave nothing behind in their process: files may share it, and its modules.
      {
        extends: true,
        test: { name: 'functions', include: functions, exclude: [...mocks, ...pages, ...longFiles], isolate: false },
      },
      { extends: true, test: { name: 'own process', include: [...mocks, ...changing] } },
      {
        extends: true,
        test: {
          name: 'window',
          include: pages,
          isolate: false,
          environment: 'jsdom',
          globalSetup: ['renderer/dev/build-window.setup.mjs'],
          server: { deps: { external: [/\/test-window-/] } },
          setupFiles: ['renderer/dev/dom.setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'processes',
          include: processes,
          exclude: [...functions, ...changing, ...longFiles, ...aloneFiles],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'alone', include: aloneFiles, maxWorkers: 1, sequence: { groupOrder: 1 } } },
      { extends: true, test: { name: 'long', include: longFiles } },
    ],
  },
});
