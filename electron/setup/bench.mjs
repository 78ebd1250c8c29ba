import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, ensureProgramsBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { ensureNode, runUnderNode } from './node.mjs';
import { logToStderr, root } from './project.mjs';
import { windowDriver } from './window/drive-window.mjs';

// `npm run bench [-- part-of-a-name [part…]]` runs every *.bench.ts of workers/ and e2e/ whose path contains the name,
// one after the other; `all` is every one. A benchmark of several parts runs those that are named, else all. Each
// prints its own table. With `--markdown` each that has figures runs three times, and docs/performance.md gets what
// they report.
const times = 3;
const [given = '', ...parts] = process.argv.slice(2).filter((argument) => argument !== '--markdown');
const markdown = process.argv.includes('--markdown');
const name = given === 'all' ? '' : given;

/** True if a benchmark has figures for the tables, by its imports. */
const reports = (file) =>
  /(bench-report|peer-comparison|beside-peer)\.fixture/.test(readFileSync(join(root, file), 'utf8'));

await ensureInstalled();
const node = await ensureNode();
const found = await Promise.all(
  ['workers', 'e2e'].map(async (folder) =>
    (await readdir(join(root, folder), { recursive: true })).map((file) => join(folder, file)),
  ),
);
const files = found.flat().filter((file) => file.endsWith('.bench.ts'));

/** Runs a benchmark; benchmarks of the window run in its program, which is built first. */
async function runBench(file, env) {
  if (!file.startsWith('e2e')) return runUnderNode(node, [join(root, file), ...parts], { env });
  const drive = await windowDriver(node);
  await ensureBuilt(node);
  return drive([join(root, file)], env);
}

const wanted = files.filter((file) => file.includes(name) && (!markdown || reports(file))).sort();
if (wanted.length === 0) {
  logToStderr(`No benchmark matches. There are: ${files.join(', ')}`);
  process.exitCode = 1;
} else await ensureProgramsBuilt(node);
const folder = await mkdtemp(join(tmpdir(), 'dyno-bench-report-'));
const report = join(folder, 'measured.jsonl');
const env = markdown ? { DYNO_BENCH_REPORT: report } : {};
try {
  for (const file of wanted) {
    for (let run = 0; run < (markdown ? times : 1); run++) {
      logToStderr(`\n— ${file}`);
      const { code } = await runBench(file, env);
      if (code !== 0) process.exitCode = 1;
    }
  }
  if (markdown) {
    const { code } = await runUnderNode(node, [join(root, 'workers/integration/benches/write-performance.ts'), report]);
    if (code !== 0) process.exitCode = 1;
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
