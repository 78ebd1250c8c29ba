import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { report } from '#engines/shared/bench-report.fixture.ts';
import { createRun } from '#orchestrator/run/run.ts';
import { ensureHome, homeOf } from '#platform/paths.ts';

/**
 * What a trial costs beside its work: trials a minute on the no-op engine with next to no rows, against forking a
 * process that does nothing but say hello, which no trial in a process of its own can undercut.
 */
const trials = 20;
const folder = mkdtempSync(join(tmpdir(), 'dyno-bench-'));
const home = homeOf({ DYNO_HOME: join(folder, 'home') });
ensureHome(home);

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

async function nullTrials(): Promise<number> {
  const run = await createRun({ home, yaml });
  // From the first result on: the calibration and the target's record come once a run, not once a trial.
  const times: number[] = [];
  run.on('record', (record) => {
    if (record.record === 'result') times.push(performance.now());
  });
  const outcome = await run.start();
  if (outcome.status !== 'complete' || times.length !== trials) throw new Error(`The run ended as ${outcome.status}.`);
  return ((trials - 1) * 60_000) / (times.at(-1)! - times[0]!);
}

try {
  const floor = await emptyForks();
  const ours = await nullTrials();
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
