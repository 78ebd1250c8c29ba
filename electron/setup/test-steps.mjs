import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runUnderNode } from './cli.mjs';
import { hasDisplay, root, run, say } from './project.mjs';

const bin = (path) => join(root, 'node_modules', path);
const required = (process.env.DYNO_REQUIRE ?? '').split(',');

/** Each step shows its own output and resolves with counts; a static check counts as one test. */
export const types = () => check('Types', [bin('typescript/bin/tsc'), '-b']);
export const lint = () => check('Lint', [bin('@biomejs/biome/bin/biome'), 'check', '--diagnostic-level=error', '.']);

async function check(title, args) {
  say(`\n— ${title}`);
  const { code } = await run(process.execPath, args);
  return code === 0 ? { passed: 1 } : { failed: 1 };
}

/** Vitest in the product's own runtime. */
export async function unit(electron) {
  say('\n— Unit and conformance tests');
  return withReport(async (file) => {
    const { code } = await runUnderNode(electron, [
      bin('vitest/vitest.mjs'),
      'run',
      '--config',
      'workers/vitest.config.ts',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
    ]);
    const report = await readReport(file);
    return counts(code, {
      passed: report?.numPassedTests ?? 0,
      // A file that cannot even be loaded has no tests to count.
      failed: Math.max(report?.numFailedTests ?? 0, report?.numFailedTestSuites ? 1 : 0),
      skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
    });
  });
}

/** Playwright driving the real app, on a virtual display where there is no other. */
export async function e2e(electron) {
  say('\n— End-to-end tests');
  const xvfb = hasDisplay() ? [] : ['xvfb-run', '-a', '-s', '-screen 0 1920x1200x24'];
  if (xvfb.length > 0 && (await run('xvfb-run', ['--help'], { capture: true }).catch(() => null)) === null) {
    const reason = 'End-to-end tests need a display or Xvfb: sudo apt-get install xvfb xauth';
    say(required.includes('e2e') ? `FAILED: ${reason}` : `SKIPPED: ${reason}`);
    return required.includes('e2e') ? { failed: 1 } : { skipped: 1 };
  }
  return withReport(async (file) => {
    const [command, ...args] = [...xvfb, process.execPath, bin('@playwright/test/cli.js'), 'test', '--config', 'e2e'];
    const { code } = await run(command, [...args, '--reporter=list,json'], {
      env: { DYNO_ELECTRON: electron, PLAYWRIGHT_JSON_OUTPUT_NAME: file },
    });
    const { expected = 0, flaky = 0, unexpected = 0, skipped = 0 } = (await readReport(file))?.stats ?? {};
    return counts(code, { passed: expected + flaky, failed: unexpected, skipped });
  });
}

/** A run that fails without a failed test (crashed, interrupted, nothing found) counts as one failure. */
const counts = (code, found) => ({ ...found, failed: code === 0 ? found.failed : Math.max(1, found.failed) });

async function withReport(use) {
  const dir = await mkdtemp(join(tmpdir(), 'dyno-test-'));
  try {
    return await use(join(dir, 'report.json'));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

const readReport = async (file) => {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return null;
  }
};
