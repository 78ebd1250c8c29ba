import { execFileSync, fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { report } from '#engines/shared/bench-report.fixture.ts';
import type { JournalRecord } from '#protocol/journal.ts';

/**
 * The overhead of a trial: trials per minute on the no-op engine with almost no rows, on the packaged command line,
 * compared with forking a process that only says hello. No trial in a separate process can be faster than that.
 */
const trials = 60;
const folder = mkdtempSync(join(tmpdir(), 'dyno-bench-'));
const program = fileURLToPath(new URL('../../../dist/programs/workers/cli.js', import.meta.url));

const yaml = `dyno: 1
name: Overhead
question: What does a trial cost beside its work?
dataset:
  rows: 100
  columns:
    id: { type: uuid4 }
workload: { operation: insert, method: prepared }
targets: [noop]
measure: { repeats: ${trials} }
`;

async function emptyForks(): Promise<number> {
  const file = join(folder, 'empty.mjs');
  writeFileSync(file, "process.send('hello', () => process.disconnect());\n");
  const start = performance.now();
  for (let i = 0; i < trials; i++) {
    const child = fork(file);
    await new Promise((done) => child.once('exit', done));
  }
  return (trials * 60_000) / (performance.now() - start);
}

function nullTrials(): number {
  const [experiment, run] = [join(folder, 'overhead.dyno.yaml'), join(folder, 'overhead.dyno-run')];
  writeFileSync(experiment, yaml);
  const env = { ...process.env, DYNO_HOME: join(folder, 'home') };
  execFileSync(process.execPath, [program, 'run', experiment, '--trust', '--quiet', '--out', run], {
    env,
    stdio: 'ignore',
  });
  // The time starts at the first result, because calibration and the target's record occur once per run.
  const lines = readFileSync(run, 'utf8').trimEnd().split('\n');
  const ends = lines
    .map((line) => JSON.parse(line) as JournalRecord)
    .flatMap((one) => (one.record === 'result' && one.result.status === 'ok' ? [Date.parse(one.at)] : []));
  if (ends.length !== trials) throw new Error(`${ends.length} of ${trials} trials are ok.`);
  return ((trials - 1) * 60_000) / (ends.at(-1)! - ends[0]!);
}

try {
  const floor = await emptyForks();
  const ours = nullTrials();
  for (const [row, perMinute] of [
    ['processes that do nothing but say hello', floor],
    ['trials on the no-op engine', ours],
  ] as const) {
    console.log(`${row}: ${perMinute.toFixed(0)} a minute, ${(perMinute / floor).toFixed(2)} ×`);
    report({ table: 'trials', row, perMinute, ratio: perMinute / floor });
  }
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
