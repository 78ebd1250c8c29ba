import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { addUp, reportCosts } from './file-costs.mjs';
import { ensureInstalled } from './install.mjs';
import { ensureNode, runUnderNode } from './node.mjs';
import { logToStderr, root } from './project.mjs';
import {
  add,
  calibrated,
  checkRequired,
  e2e,
  missingHere,
  namesOf,
  tableOfNotRun,
  unit,
  windowHere,
} from './test-steps.mjs';

// `npm run test:long` runs the tests that take too long for `npm test`, which has a smoke test of each. A name after
// `--` runs one part of them, and further words go to Vitest (`-- faults -t SIGSTOP`) or Playwright (`-- window -g
// SIGSTOP`). The soak test of two hours (workers/integration/soak/soak.ts) runs by its name alone.
const parts = {
  advise: ['workers/integration/advise/'],
  faults: ['workers/integration/faults', 'damaged-run.test.tsx'],
  fuzz: ['workers/integration/fuzz', 'workers/drda/fuzz.test.ts', 'workers/protocol/ipc-arguments.test.ts'],
  long: ['.long.test.ts'],
  servers: filesOfSamples(),
  truths: ['workers/integration/truths/'],
  window: filesOfWindow(),
};
const soak = 'workers/integration/soak/soak.ts';
const [part, ...words] = process.argv.slice(2);
const env = { DYNO_WHOLE: '1' };

try {
  const names = [...Object.keys(parts), 'soak'];
  if (part !== undefined && !names.includes(part))
    throw new Error(`There is no part ${part}. There are ${names.join(', ')}.`);
  checkRequired();
  await ensureInstalled();
  const node = await ensureNode();
  await ensureBuilt(node);
  await calibrated(node, async () => {
    if (part === 'soak')
      process.exitCode = (await runUnderNode(node, [soak, ...words], { env: { ...env, DYNO_TEST_BUILT: 'yes' } })).code;
    else await test(node, part === undefined ? Object.keys(parts) : [part]);
  });
} catch (error) {
  logToStderr(error.message);
  process.exitCode = 1;
}

/** The files that `npm test` samples, but for those of other parts. Every engine's conformance suite is one of them. */
function filesOfSamples() {
  const ofOtherParts = /\/(faults|fuzz)\/|fuzz\.test|ipc-arguments|\.long\.test/;
  return readdirSync(join(root, 'workers'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !ofOtherParts.test(file))
    .map((file) => join('workers', file))
    .filter(
      (file) =>
        file.endsWith('/conformance.test.ts') || readFileSync(join(root, file), 'utf8').includes('/whole.fixture.ts'),
    );
}

/** The end-to-end files with tests that `npm test` leaves out, which have the tag @long, or that it samples. */
function filesOfWindow() {
  return readdirSync(join(root, 'e2e')).filter(
    (file) =>
      file.endsWith('.e2e.ts') && /'@long'|\/whole\.fixture\.ts/.test(readFileSync(join(root, 'e2e', file), 'utf8')),
  );
}

async function test(node, wanted) {
  const sum = {};
  const files = wanted.filter((name) => name !== 'window').flatMap((name) => parts[name]);
  if (files.length > 0) {
    const options = ['--disableConsoleIntercept', ...words];
    add(sum, await unit(node, await missingHere(node), { files, options, env }));
  }
  if (wanted.includes('window'))
    add(sum, await e2e(await windowHere(node), { files: parts.window, options: words, env }));
  logToStderr('');
  await reportCosts(addUp(sum.costs ?? []));
  for (const line of [...tableOfNotRun(sum), ...namesOf(sum)]) logToStderr(line);
  process.exitCode = sum.failed === 0 ? 0 : 1;
  process.stdout.write(`${sum.passed} passed, ${sum.failed} failed${sum.skipped ? `, ${sum.skipped} skipped` : ''}\n`);
}
