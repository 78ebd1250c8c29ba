import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { missingLibraries } from './libraries.mjs';
import { say } from './project.mjs';
import { ensureRuntime } from './runtime.mjs';
import { add, calibrated, checkRequired, e2e, lint, namesOf, types, unit } from './test-steps.mjs';

// `npm test`: types, lint, unit and conformance tests, then the real app. The last line sums everything up.
// DYNO_REQUIRE=postgres,sqlite,e2e turns the skipping of what is named there into failures; DYNO_TEST_SQLSERVER=mssql://… (and so on for
// every engine) names a server that its tests may use.
try {
  checkRequired();
  await ensureInstalled();
  const electron = await ensureRuntime();
  const missing = await missingLibraries(electron);
  if (missing) throw new Error(missing); // nothing runs without them: the product's Node is Electron's
  await ensureBuilt();
  const steps = [types, lint, () => unit(electron), () => e2e(electron)];
  const sum = {};
  await calibrated(electron, async () => {
    for (const step of steps) add(sum, await step());
  });
  for (const line of namesOf(sum)) say(line);
  process.exitCode = sum.failed === 0 ? 0 : 1;
  process.stdout.write(`${sum.passed} passed, ${sum.failed} failed${sum.skipped ? `, ${sum.skipped} skipped` : ''}\n`);
} catch (error) {
  say(error.message);
  process.exitCode = 1;
  process.stdout.write('0 passed, 1 failed\n');
}
