import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { ensureNode } from './node.mjs';
import { say } from './project.mjs';
import { add, calibrated, checkRequired, e2e, lint, namesOf, tableOfNotRun, types, unit } from './test-steps.mjs';

// `npm test`: types, lint, unit and conformance tests, then the real app. The last line sums everything up.
// DYNO_REQUIRE=postgres,sqlite,e2e turns the skipping of what is named there into failures; DYNO_TEST_SQLSERVER=mssql://… (and so on for
// every engine) names a server that its tests may use.
try {
  checkRequired();
  await ensureInstalled();
  const node = await ensureNode();
  await ensureBuilt(node);
  const steps = [types, lint, () => unit(node), () => e2e(node)];
  const sum = {};
  await calibrated(node, async () => {
    for (const step of steps) add(sum, await step());
  });
  say('');
  for (const line of [...tableOfNotRun(sum), ...namesOf(sum)]) say(line);
  process.exitCode = sum.failed === 0 ? 0 : 1;
  process.stdout.write(`${sum.passed} passed, ${sum.failed} failed${sum.skipped ? `, ${sum.skipped} skipped` : ''}\n`);
} catch (error) {
  say(error.message);
  process.exitCode = 1;
  process.stdout.write('0 passed, 1 failed\n');
}
