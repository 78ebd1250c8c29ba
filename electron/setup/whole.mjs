import { join } from 'node:path';
import { ensureProgramsBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { ensureNode, runUnderNode } from './node.mjs';
import { root } from './project.mjs';
import { calibrated } from './test-steps.mjs';

// `npm run faults` and `npm run fuzz`: the tests of faults and of hostile inputs, which sample in `npm test`, do all of
// it here and print their tables. Words after `--` go to Vitest (`-- -t SIGSTOP`). `npm run soak` makes short runs for
// two hours (workers/integration/soak/soak.ts).
const tests = {
  faults: [
    'workers/integration/faults',
    'workers/managed-servers/servers/port-taken.test.ts',
    'renderer/live/damaged-run.test.tsx',
  ],
  fuzz: ['workers/integration/fuzz', 'workers/drda/fuzz.test.ts', 'electron/ipc-schemas.test.ts'],
};
const [name, ...more] = process.argv.slice(2);
await ensureInstalled();
const node = await ensureNode();
await ensureProgramsBuilt(node);
const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--retry=0', '--disableConsoleIntercept'];
const config = ['--config', join(root, 'workers/vitest.config.mjs')];
const args =
  name === 'soak'
    ? [join(root, 'workers/integration/soak/soak.ts'), ...more]
    : [...vitest, ...config, ...tests[name], ...more];
const { code } = await calibrated(node, () =>
  runUnderNode(node, args, { env: { DYNO_WHOLE: '1', DYNO_TEST_BUILT: 'yes' } }),
);
process.exitCode = code;
