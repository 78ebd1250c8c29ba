import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { logToStderr, root } from './project.mjs';

/*
 * A cost is `{ file, wallMs, processorMs }`. `processorMs` counts the processes of the tests and their children, but no
 * servers, because a supervisor starts them. It is null for end-to-end tests, whose processes are not measured.
 */

/** The costs of each file when `npm test` ran it last, the highest wall time first. */
const costsFile = join(root, '.build/test-costs.json');

const shownFiles = 20;

/** Reads the lines that workers/file-cost.setup.mjs wrote. The two runs of a repeated file are added up. */
export async function costsOfVitest(path) {
  const lines = (await readFile(path, 'utf8').catch(() => '')).split('\n').filter(Boolean);
  return addUp(lines.map((line) => JSON.parse(line)));
}

/** The costs in Playwright's JSON report. */
export function costsOfPlaywright(report) {
  const specs = (suites = []) => suites.flatMap((suite) => [...(suite.specs ?? []), ...specs(suite.suites)]);
  return addUp(
    specs(report?.suites).flatMap(({ file, tests }) =>
      tests.flatMap(({ results }) =>
        results.map(({ duration = 0 }) => ({ file: `e2e/${file}`, wallMs: duration, processorMs: null })),
      ),
    ),
  );
}

export function addUp(costs) {
  const byFile = new Map();
  for (const { file, wallMs, processorMs } of costs) {
    const before = byFile.get(file);
    byFile.set(file, {
      file,
      wallMs: (before?.wallMs ?? 0) + wallMs,
      processorMs: processorMs === null ? null : (before?.processorMs ?? 0) + processorMs,
    });
  }
  return [...byFile.values()].sort((a, b) => b.wallMs - a.wallMs);
}

/** Lines of a table: the slowest files, with their share of the time of all files. */
export function tableOfCosts(costs) {
  if (costs.length === 0) return [];
  const all = costs.reduce((sum, { wallMs }) => sum + wallMs, 0);
  const seconds = (ms) => (ms === null ? '–' : (ms / 1_000).toFixed(1)).padStart(9);
  const shown = costs.slice(0, shownFiles);
  const share = Math.round((100 * shown.reduce((sum, { wallMs }) => sum + wallMs, 0)) / Math.max(1, all));
  return [
    `The ${shown.length} slowest of ${costs.length} test files took ${share} % of the time of all files:`,
    '   wall s     CPU s  file',
    ...shown.map(({ file, wallMs, processorMs }) => `${seconds(wallMs)} ${seconds(processorMs)}  ${file}`),
  ];
}

/** The costs of this run, and of the earlier ones for files that did not run now. Files that are gone are left out. */
export function withKept(costs, kept) {
  const ran = new Set(costs.map(({ file }) => file));
  return addUp([...costs, ...kept.filter(({ file }) => !ran.has(file) && existsSync(join(root, file)))]);
}

/** Saves the costs of every file for later analysis, and prints the slowest of this run. */
export async function reportCosts(costs) {
  await mkdir(dirname(costsFile), { recursive: true });
  await writeFile(costsFile, `${JSON.stringify(withKept(costs, await keptCosts()), null, 2)}\n`);
  for (const line of tableOfCosts(costs)) logToStderr(line);
}

/** @returns {Promise<{ file: string, wallMs: number, processorMs: number | null }[]>} */
const keptCosts = async () => {
  try {
    return JSON.parse(await readFile(costsFile, 'utf8'));
  } catch {
    return []; // the first run, or one that was ended while it wrote
  }
};
