import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cliFile } from './build.mjs';
import { costsOfPlaywright, costsOfVitest } from './file-costs.mjs';
import { missingPrerequisites, missingPrograms } from './missing-prerequisites.mjs';
import { runUnderNode } from './node.mjs';
import { sinceLastTime, withProgress } from './progress.mjs';
import { logToStderr, root, run } from './project.mjs';
import { countsOf, failedFiles, testsOfPlaywright, testsOfVitest, withSecondRun } from './test-reports.mjs';
import { windowDriver } from './window/drive-window.mjs';

const bin = (path) => join(root, 'node_modules', path);
const required = (process.env.DYNO_REQUIRE ?? '').split(',').filter(Boolean);

/** Every engine has a folder with a descriptor. */
const engines = readdirSync(join(root, 'workers/engines')).filter((name) =>
  existsSync(join(root, 'workers/engines', name, 'descriptor.ts')),
);

/** Names allowed in DYNO_REQUIRE, beside a product with a version, such as postgres@17. */
const parts = [...engines, 'sqlfluff', 'pgbouncer', 'e2e'];
const products = [...engines, 'mariadb', 'derby'];

/** The names that no part or product has. */
export const unknownParts = (names) =>
  names.filter((name) => {
    const product = name.replace(/@[\d.]+$/, '');
    return !(product === name ? parts : products).includes(product);
  });

export function checkRequired() {
  const wrong = unknownParts(required);
  if (wrong.length > 0)
    throw new Error(`DYNO_REQUIRE may name ${parts.join(', ')}; it does not know ${wrong.join(', ')}.`);
}

/** Counts a part that cannot run here: a failure if DYNO_REQUIRE names it, else skipped, with a row in the table. */
function cannotRun({ part, reason, fix }) {
  if (!required.includes(part)) return { skipped: 1, notRun: [{ part, reason, fix }] };
  return { failed: 1, failures: [`${part}, which DYNO_REQUIRE names: ${reason}\nTo fix: ${fix}`] };
}

// Each step but `missingHere` shows its own output and resolves with counts. A static check counts as one test.
export const types = () => check('Types', [bin('typescript/bin/tsc'), '-b']);
export const lint = () => check('Lint', [bin('@biomejs/biome/bin/biome'), 'check', '--diagnostic-level=error', '.']);

async function check(title, args) {
  logToStderr('');
  const { code } = await withProgress(`— ${title}`, await sinceLastTime(title.toLowerCase()), () =>
    run(process.execPath, args),
  );
  return code === 0 ? { passed: 1 } : { failed: 1, failures: [title] };
}

/**
 * Calibrates this machine and reads the gallery once, because every test that did so itself would take two seconds
 * more. While `use` runs, DYNO_TEST_HOME names the home whose files tests copy into theirs
 * (workers/integration/home.fixture.ts, e2e/dyno-app.ts).
 */
export async function calibrated(node, use) {
  const folder = await mkdtemp(join(tmpdir(), 'dyno-test-'));
  const home = join(folder, 'home');
  try {
    // Dyno compares a file from outside of its home with the gallery.
    const file = join(folder, 'one.dyno.yaml');
    await writeFile(file, JSON.stringify(calibrationExperiment));
    const args = [cliFile, 'run', file, '--trust'];
    const { code, output } = await withProgress('Calibrating this machine', await sinceLastTime('calibration'), () =>
      runUnderNode(node, args, { capture: true, env: { DYNO_HOME: home } }),
    );
    if (code !== 0) throw new Error(`This machine could not be calibrated:\n${output}`);
    process.env.DYNO_TEST_HOME = home;
    return await use();
  } finally {
    delete process.env.DYNO_TEST_HOME;
    await rm(folder, { recursive: true, force: true });
  }
}

/** An experiment with the usual rows of tests. */
const calibrationExperiment = {
  dyno: 1,
  name: 'Calibration',
  question: 'What does this machine reach at most?',
  dataset: { rows: 1, key: 'id', columns: { id: { type: 'uuid4' }, payload: { type: 'text', length: 20 } } },
  workload: { operation: 'insert' },
  targets: ['sqlite'],
};

/** @type {readonly string[]} */
const noWords = [];

/** Servers of tests live for seconds (workers/managed-servers/servers/brief.ts). */
const briefServers = { DYNO_TEST_BRIEF_SERVERS: 'yes' };

/** Runs of tests measure the ceilings of the machine for less time (workers/orchestrator/run/calibration.ts). */
const briefCalibration = { DYNO_TEST_BRIEF_CALIBRATION: 'yes' };

/** The prerequisites of tests that `dyno doctor` finds missing or unusable here. */
export const missingHere = async (node) => [...missingPrerequisites(await doctor(node)), ...missingPrograms()];

/**
 * Runs Vitest on the workers' Node, without the tests of what is missing here. `npm test` runs all files but those of
 * `npm run test:long`.
 */
export async function unit(node, missing, { files = noWords, options = ['--project=!long'], env = {} } = {}) {
  logToStderr('\n— Unit and conformance tests');
  const sum = {};
  for (const one of missing) add(sum, cannotRun(one));
  const DYNO_SKIP = missing.flatMap(({ skip }) => skip).join();
  const environment = { DYNO_SKIP, DYNO_TEST_BUILT: 'yes', ...briefServers, ...briefCalibration, ...env };
  return add(sum, await vitest(node, files, options, environment));
}

export function add(sum, counts) {
  for (const key of ['passed', 'failed', 'skipped']) sum[key] = (sum[key] ?? 0) + (counts[key] ?? 0);
  for (const key of ['failures', 'retried', 'notRun', 'costs'])
    sum[key] = [...(sum[key] ?? []), ...(counts[key] ?? [])];
  return sum;
}

/** Lines that repeat, after a long output, the failed tests and the tests that passed only on the second try. */
export const namesOf = ({ failures = [], retried = [] }) =>
  [
    { title: 'Failed', names: failures },
    { title: 'Passed only when tried again', names: retried },
  ].flatMap(({ title, names }) => (names.length > 0 ? [`${title}:`, ...names.map((name) => `  ${name}`)] : []));

/** Lines of the closing table: the skipped parts, the reasons, and the commands that add them. */
export function tableOfNotRun({ notRun = [] }) {
  if (notRun.length === 0) return [];
  const rows = [{ part: 'Not run here', reason: 'Why', fix: 'Which command adds it' }, ...notRun].map((row) =>
    [row.part, row.reason, row.fix].map((text) => text.split('\n').map((line) => line.trim())),
  );
  const widths = [0, 1].map((column) => Math.max(...rows.flatMap((row) => row[column].map((line) => line.length))));
  return rows.flatMap((row) =>
    Array.from({ length: Math.max(...row.map((lines) => lines.length)) }, (_, at) =>
      row
        .map((lines, column) => (lines[at] ?? '').padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    ),
  );
}

/** The answer of `dyno doctor`, which starts and checks every server that it can. */
async function doctor(node) {
  const home = await mkdtemp(join(tmpdir(), 'dyno-test-'));
  const dyno = (...args) =>
    runUnderNode(node, [cliFile, ...args], { capture: true, env: { DYNO_HOME: home, ...briefServers } });
  try {
    const { stdout, output } = await withProgress(
      'Checking every server that Dyno can start here',
      await sinceLastTime('doctor'),
      () => dyno('doctor', '--json'),
    );
    if (!stdout.startsWith('{')) throw new Error(`dyno doctor failed:\n${output}`);
    const found = JSON.parse(stdout);
    if (found.problems.length > 0) throw new Error(found.problems.join('\n'));
    return found;
  } finally {
    await dyno('servers', 'stop');
    await dyno('servers', 'reset'); // as root its data is outside of the home
    await rm(home, { recursive: true, force: true });
  }
}

/** Above this number of failed files, chance is no explanation, so they are not repeated. */
const mostFilesAgain = 20;

/**
 * Runs tests, and then once more, one after the other, the files in which some failed: a busy machine is what makes
 * tests of real servers fail that pass alone. There is no other retry, and `npm test` names at its end the tests that
 * needed it. `runFiles(args, file)` runs the runner with these arguments and has it write its report to `file`; a run
 * that fails without a failed test (crashed, interrupted, found no test) is one failure.
 */
async function twiceIfNeeded(runFiles, testsOf, costsOf, { files, options, alone }) {
  const costs = [];
  const runOnce = (args) =>
    withReport(async (file) => {
      const { code } = await runFiles(args, file);
      const report = await readReport(file);
      costs.push(...(await costsOf(report, file)));
      const tests = testsOf(report);
      return { tests, crashed: code !== 0 && failedFiles(tests).length === 0 };
    });
  const first = await runOnce([...files, ...options]);
  const again = failedFiles(first.tests);
  const second = again.length > 0 && again.length <= mostFilesAgain ? await runAgain() : null;
  const sum = { ...countsOf(second ? withSecondRun(first.tests, second.tests) : first.tests), costs };
  return first.crashed || second?.crashed ? add(sum, { failed: 1, failures: ['The test runner itself'] }) : sum;

  function runAgain() {
    logToStderr(`\n— Once more, one after the other: ${again.join(', ')}`);
    return runOnce([...again, ...options, alone]);
  }
}

/** The file in which tests write the cost of each test file, beside the runner's report. */
const costsBeside = (file) => `${file}.costs`;

const vitest = (node, files, options, env) =>
  twiceIfNeeded(
    (args, file) => {
      const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
      const config = ['--config', 'workers/vitest.config.mjs'];
      return runUnderNode(node, [bin('vitest/vitest.mjs'), 'run', ...config, ...reporters, ...args], {
        env: { ...env, DYNO_TEST_COSTS: costsBeside(file) },
      });
    },
    testsOfVitest,
    (_, file) => costsOfVitest(costsBeside(file)),
    { files, options, alone: '--maxWorkers=1' },
  );

/**
 * Gets what the window needs, and resolves with the function that runs programs which drive it. Where no window can be
 * opened, it resolves with an error that has the remedy.
 */
export const windowHere = (node) => windowDriver(node).catch((error) => error);

/** Runs Playwright, which drives the real app, on a virtual display if there is no other. */
export async function e2e(drive, { files = noWords, options = noWords, env = {} } = {}) {
  logToStderr('\n— End-to-end tests');
  if (drive instanceof Error) {
    const [reason, ...fix] = drive.message.split('\n');
    return cannotRun({ part: 'e2e', reason, fix: fix.join('\n') });
  }
  return twiceIfNeeded(
    (args, file) =>
      drive(
        [
          bin('@playwright/test/cli.js'),
          'test',
          '--config',
          'e2e',
          '--pass-with-no-tests',
          '--reporter=list,json',
          ...args,
        ],
        {
          ...briefCalibration,
          ...env,
          PLAYWRIGHT_JSON_OUTPUT_NAME: file,
        },
      ),
    testsOfPlaywright,
    costsOfPlaywright,
    { files, options, alone: '--workers=1' },
  );
}

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
