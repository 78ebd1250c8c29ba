import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { ensureNode, runUnderNode } from './node.mjs';
import { logToStderr, root } from './project.mjs';
import { ensureWindow } from './window/ensure-window.mjs';

// `npm run bench [-- part-of-a-name [part…]]` runs every workers/**/*.bench.ts whose path contains the name, one after
// the other; `all` is every one. A benchmark of several parts runs those that are named, else all. Each prints its own
// table. `npm run bench -- window` measures the start of the window (e2e/cold-start.ts). With `--markdown` each that
// has figures runs three times, and docs/performance.md gets what they report.
const times = 3;
const [given = '', ...parts] = process.argv.slice(2).filter((argument) => argument !== '--markdown');
const markdown = process.argv.includes('--markdown');
const name = given === 'all' ? '' : given;

/** Whether a benchmark has figures for the tables, by what it imports. */
const reports = (file) =>
  /(bench-report|peer-comparison|beside-peer)\.fixture/.test(readFileSync(join(root, 'workers', file), 'utf8'));

await ensureInstalled();
const node = await ensureNode();
if (given === 'window') {
  const window = await ensureWindow({ display: 'any' });
  await ensureBuilt(node);
  const { code } = await window.withDisplay((env) =>
    runUnderNode(node, [join(root, 'e2e/cold-start.ts')], {
      env: { ...env, DYNO_ELECTRON: window.electron, DYNO_NODE: node },
    }),
  );
  process.exit(code);
}
const files = (await readdir(join(root, 'workers'), { recursive: true })).filter((file) => file.endsWith('.bench.ts'));
const wanted = files.filter((file) => file.includes(name) && (!markdown || reports(file))).sort();
if (wanted.length === 0) {
  logToStderr(`No benchmark matches. There are: ${files.join(', ')}`);
  process.exitCode = 1;
}
const folder = await mkdtemp(join(tmpdir(), 'dyno-bench-report-'));
const report = join(folder, 'measured.jsonl');
const env = markdown ? { DYNO_BENCH_REPORT: report } : {};
try {
  for (const file of wanted) {
    for (let run = 0; run < (markdown ? times : 1); run++) {
      logToStderr(`\n— ${file}`);
      const { code } = await runUnderNode(node, [join(root, 'workers', file), ...parts], { env });
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
