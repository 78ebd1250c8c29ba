import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
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

/** Names allowed in DYNO_REQUIRE. */
const parts = [...engines, 'sqlfluff', 'pgbouncer', 'e2e'];
export function checkRequired() {
  const wrong = required.filter((name) => !parts.includes(name));
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
 * Calibrates this machine once, because every test that did so itself would take two seconds more. While `use` runs,
 * DYNO_TEST_CALIBRATION names the file that tests copy into their homes (workers/integration/home.fixture.ts,
 * e2e/launch.ts).
 */
export async function calibrated(node, use) {
  const home = await mkdtemp(join(tmpdir(), 'dyno-test-'));
  try {
    const file = join(home, 'one.dyno.yaml');
    await writeFile(file, JSON.stringify(calibrationExperiment));
    const args = [cliFile, 'run', file];
    const { code, output } = await withProgress('Calibrating this machine', await sinceLastTime('calibration'), () =>
      runUnderNode(node, args, { capture: true, env: { DYNO_HOME: home } }),
    );
    if (code !== 0) throw new Error(`This machine could not be calibrated:\n${output}`);
    process.env.DYNO_TEST_CALIBRATION = join(home, 'calibration.json');
    return await use();
  } finally {
    delete process.env.DYNO_TEST_CALIBRATION;
    await rm(home, { recursive: true, force: true });
  }
}

/** An experiment with the usual rows of tests. */
const calibrationExperiment = {
  dyno: 1,
  name: 'Calibration',
  question: 'What does this machine reach at most?',
  dataset: { rows: 1, key: 'id', columns: { id: { type: 'uuid4' }, payload: { type: 'text', length: 20 } } },
  workload: { operation: 'insert' },
  targets: ['noop'],
};

/** @type {readonly string[]} */
const noWords = [];

/** Servers of tests live for seconds (workers/managed-servers/servers/brief.ts). */
const briefServers = { DYNO_TEST_BRIEF_SERVERS: 'yes' };

/** The prerequisites of tests that `dyno doctor` finds missing or unusable here. */
export const missingHere = async (node) => [...missingPrerequisites(await doctor(node)), ...missingPrograms()];

/** Runs Vitest on the workers' Node, without the tests of what is missing here. */
export async function unit(node, missing, { files = noWords, options = noLongTests, env = {} } = {}) {
  logToStderr('\n— Unit and conformance tests');
  return add(countsOfMissing(missing), await twiceIfNeeded([vitest(node, files, options, missing, env)]));
}

/** `npm test` leaves these tests to `npm run test:long`. */
const noLongTests = ['--project=!long'];

function countsOfMissing(missing) {
  const sum = {};
  for (const one of missing) add(sum, cannotRun(one));
  return sum;
}

/**
 * Runs all tests of `npm test`. Tests that mostly compute run beside tests that mostly wait for servers and clocks. The
 * end-to-end tests follow the former. The output of both appears when the waiting tests have ended.
 */
export async function everyTest(node, missing, drive) {
  const sum = countsOfMissing(missing);
  const later = heldBack();
  const computed = ['functions', 'mocks', 'window'];
  const options = computed.map((name) => `--project=${name}`);
  const beside = { together: [`--maxWorkers=${processorWorkers}`], onOutput: later.onOutput };
  const computing = vitest(node, noWords, options, missing, {}, beside);
  const waiting = vitest(node, noWords, ['--project=processes'], missing, {});
  const ofWindow =
    drive instanceof Error ? [] : [playwright(drive, noWords, noWords, {}, { onOutput: later.onOutput })];
  if (drive instanceof Error) add(sum, withoutWindow(drive));
  logToStderr('\n— Unit, conformance and end-to-end tests');
  const inTurn = async () => {
    for (const one of [computing, ...ofWindow]) await one.runOnce();
  };
  await Promise.all([inTurn(), waiting.runOnce().finally(later.release)]);
  return add(sum, await twiceIfNeeded([computing, waiting, ...ofWindow]));
}

/** Holds output back until `release`, after which it is shown at once. */
function heldBack() {
  const held = [];
  let isHeld = true;
  return {
    onOutput: (chunk) => void (isHeld ? held.push(chunk) : process.stderr.write(chunk)),
    release() {
      isHeld = false;
      process.stderr.write(held.join(''));
    },
  };
}

/** Tests that mostly compute leave processors to tests of servers. */
const processorWorkers = Math.max(2, Math.floor(availableParallelism() / 2));

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
 * Runs tests that have not run so far, and then once more, one after the other, the files in which some failed: a busy
 * machine is what makes tests of real servers fail that pass alone. There is no other retry, and `npm test` names at
 * its end the tests that needed it.
 */
async function twiceIfNeeded(runs) {
  const sum = {};
  for (const one of runs) await one.runOnce();
  for (const one of runs) add(sum, await one.runAgain());
  return sum;
}

/**
 * One run of tests. `runFiles(args, file, onOutput)` runs the runner with these arguments and has it write its report
 * to `file`; a run that fails without a failed test (crashed, interrupted, found no test) is one failure. The first run
 * also has the arguments `together`, and the second the argument `alone`.
 */
function testRun(runFiles, testsOf, costsOf, { files, options, together = noWords, alone, onOutput = undefined }) {
  const costs = [];
  const runWith = (args, output) =>
    withReport(async (file) => {
      const { code } = await runFiles(args, file, output);
      const report = await readReport(file);
      costs.push(...(await costsOf(report, file)));
      const tests = testsOf(report);
      return { tests, crashed: code !== 0 && failedFiles(tests).length === 0 };
    });
  /** @type {ReturnType<typeof runWith> | undefined} */
  let first;
  const runOnce = () => (first ??= runWith([...files, ...options, ...together], onOutput));
  return {
    runOnce,
    /** Runs the files with a failed test once more, and resolves with the counts of both runs. */
    async runAgain() {
      const { tests, crashed } = await runOnce();
      const again = failedFiles(tests);
      const isRepeated = again.length > 0 && again.length <= mostFilesAgain;
      if (isRepeated) logToStderr(`\n— Once more, one after the other: ${again.join(', ')}`);
      const second = isRepeated ? await runWith([...again, ...options, alone]) : null;
      const sum = { ...countsOf(second ? withSecondRun(tests, second.tests) : tests), costs };
      return crashed || second?.crashed ? add(sum, { failed: 1, failures: ['The test runner itself'] }) : sum;
    },
  };
}

/** The file in which tests write the cost of each test file, beside the runner's report. */
const costsBeside = (file) => `${file}.costs`;

function vitest(node, files, options, missing, env, beside = {}) {
  const DYNO_SKIP = missing.flatMap(({ skip }) => skip).join();
  return testRun(
    (args, file, output) => {
      const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
      const config = ['--config', 'workers/vitest.config.mjs'];
      return runUnderNode(node, [bin('vitest/vitest.mjs'), 'run', ...config, ...reporters, ...args], {
        ...shownBy(output),
        env: { DYNO_SKIP, DYNO_TEST_BUILT: 'yes', ...briefServers, ...env, DYNO_TEST_COSTS: costsBeside(file) },
      });
    },
    testsOfVitest,
    (_, file) => costsOfVitest(costsBeside(file)),
    { files, options, alone: '--maxWorkers=1', ...beside },
  );
}

/** Options of `run`: the program's output goes to a function, or without one to the terminal. */
const shownBy = (onOutput) => (onOutput ? { capture: true, onOutput } : {});

/**
 * Gets what the window needs, and resolves with the function that runs programs which drive it. Where no window can be
 * opened, it resolves with an error that has the remedy.
 */
export const windowHere = (node) => windowDriver(node).catch((error) => error);

/** Runs end-to-end tests. */
export async function e2e(drive, { files = noWords, options = noWords, env = {} } = {}) {
  logToStderr('\n— End-to-end tests');
  if (drive instanceof Error) return withoutWindow(drive);
  return twiceIfNeeded([playwright(drive, files, options, env)]);
}

function withoutWindow({ message }) {
  const [reason, ...fix] = message.split('\n');
  return cannotRun({ part: 'e2e', reason, fix: fix.join('\n') });
}

/** Playwright drives the real app, on a virtual display if there is no other. */
const playwright = (drive, files, options, env, beside = {}) =>
  testRun(
    (args, file, output) =>
      drive(
        [bin('@playwright/test/cli.js'), 'test', '--config', 'e2e', '--reporter=list,json', ...args],
        { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: file },
        shownBy(output),
      ),
    testsOfPlaywright,
    costsOfPlaywright,
    { files, options, alone: '--workers=1', ...beside },
  );

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
