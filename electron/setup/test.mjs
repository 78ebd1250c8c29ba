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
} from './test-steps.mjs';

// `npm test` checks types and lint, then runs the unit and conformance tests and the end-to-end tests. The last line is
// the sum. DYNO_REQUIRE=postgres,sqlite,e2e makes a part that cannot run here fail instead of being skipped.
// DYNO_TEST_SQLSERVER=mssql://… names a server that the tests of an engine may use; the same for every other engine.
try {
  checkRequired();
  await ensureInstalled();
  const node = await ensureNode();
  await ensureBuilt(node);
  const sum = {};
  add(sum, await lint());
  await calibrated(node, async () => {
    // The compiler needs one processor, and servers that start hardly more than another.
    const [checked, missing] = await Promise.all([types(), missingHere(node)]);
    for (const counts of [checked, await unit(node, missing), await e2e(node)]) add(sum, counts);
  });
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
