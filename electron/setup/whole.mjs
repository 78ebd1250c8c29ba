import { join } from 'node:path';
import { ensureBuilt, ensureProgramsBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { ensureNode, runUnderNode } from './node.mjs';
import { root } from './project.mjs';
import { calibrated } from './test-steps.mjs';
import { windowDriver } from './window/drive-window.mjs';

// `npm run faults`, `npm run window-faults` and `npm run fuzz`: the tests of faults and of hostile inputs, which sample
// in `npm test`, do all of it here and print their tables. Words after `--` go to Vitest (`-- -t SIGSTOP`), or to
// Playwright (`-- -g SIGSTOP`). `npm run soak` makes short runs for two hours (workers/integration/soak/soak.ts).
const vitest = (...files) => [
  ...['node_modules/vitest/vitest.mjs', 'run', '--disableConsoleIntercept'],
  ...['--config', 'workers/vitest.config.mjs', ...files],
];
const programs = {
  faults: vitest(
    'workers/integration/faults',
    'workers/managed-servers/servers/port-taken.test.ts',
    'renderer/live/damaged-run.test.tsx',
  ),
  fuzz: vitest('workers/integration/fuzz', 'workers/drda/fuzz.test.ts', 'electron/ipc-schemas.test.ts'),
  soak: ['workers/integration/soak/soak.ts'],
  'window-faults': [
    ...['node_modules/@playwright/test/cli.js', 'test', '--config', 'e2e', '--retries=0', '--workers=1'],
    'strikes.e2e.ts',
  ],
};
const [name, ...more] = process.argv.slice(2);
const [program, ...words] = programs[name];
await ensureInstalled();
const node = await ensureNode();
const isOfWindow = name === 'window-faults';
const drive = isOfWindow ? await windowDriver(node) : (args, env) => runUnderNode(node, args, { env });
await (isOfWindow ? ensureBuilt(node) : ensureProgramsBuilt(node));
const { code } = await calibrated(node, () =>
  drive([join(root, program), ...words, ...more], { DYNO_WHOLE: '1', DYNO_TEST_BUILT: 'yes' }),
);
process.exitCode = code;
