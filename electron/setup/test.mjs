import { ensureBuilt } from './build.mjs';
import { addUp, reportCosts } from './file-costs.mjs';
import { ensureInstalled } from './install.mjs';
import { ensureNode } from './node.mjs';
import { logToStderr } from './project.mjs';
import {
  add,
  calibrated,
  checkRequired,
  e2e,
  lint,
  missingHere,
  namesOf,
  tableOfNotRun,
  types,
  unit,
  windowHere,
} from './test-steps.mjs';

// `npm test` checks types and lint, then runs the unit and conformance tests and the end-to-end tests. The last line is
// the sum. `npm test -- PATH…` runs only the tests whose paths contain one of these; those that begin with `e2e` are
// end-to-end. DYNO_REQUIRE=postgres,sqlite,e2e makes a part that cannot run here fail instead of being skipped.
// DYNO_TEST_SQLSERVER=mssql://… names a server that the tests of an engine may use; the same for every other engine.
const isOfWindow = (path) => path.startsWith('e2e');
const paths = process.argv.slice(2);

try {
  checkRequired();
  await ensureInstalled();
  const node = await ensureNode();
  await ensureBuilt(node);
  const sum = {};
  await calibrated(node, () => (paths.length === 0 ? everything(node, sum) : chosen(node, sum)));
  logToStderr('');
  await reportCosts(addUp(sum.costs ?? []));
  for (const line of [...tableOfNotRun(sum), ...namesOf(sum)]) logToStderr(line);
  process.exitCode = sum.failed === 0 ? 0 : 1;
  process.stdout.write(`${sum.passed} passed, ${sum.failed} failed${sum.skipped ? `, ${sum.skipped} skipped` : ''}\n`);
} catch (error) {
  logToStderr(error.message);
  process.exitCode = 1;
  process.stdout.write('0 passed, 1 failed\n');
}

async function everything(node, sum) {
  // Checks need processors, servers that start hardly any, and the parts of the window are downloaded.
  const [missing, window] = await Promise.all([
    missingHere(node),
    windowHere(node),
    (async () => {
      for (const step of [lint, types]) add(sum, await step());
    })(),
  ]);
  add(sum, await unit(node, missing));
  add(sum, await e2e(window));
}

async function chosen(node, sum) {
  const [files, ofWindow] = [paths.filter((path) => !isOfWindow(path)), paths.filter(isOfWindow)];
  if (files.length > 0) add(sum, await unit(node, await missingHere(node), { files }));
  if (ofWindow.length > 0) add(sum, await e2e(await windowHere(node), { files: ofWindow }));
}
