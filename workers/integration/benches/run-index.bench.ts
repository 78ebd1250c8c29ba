import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { factsOf } from '#analysis/history/run-facts.ts';
import type { RunValue } from '#analysis/history/run-values.ts';
import { fixtureRun } from '#analysis/run-model/run.fixture.ts';
import { ensureHome, homeOf } from '#platform/paths.ts';
import { Sfc32 } from '#stats/random/random.ts';
import { normal } from '#stats/random/samples.fixture.ts';
import { openRunEntries } from '#workspace/runs/run-entries.ts';
import { openRunIndex } from '#workspace/runs/run-index.ts';
import { openRuns } from '#workspace/runs/runs.ts';

/** The list of 1,000 runs that are in the index, and the history of their 100,000 values. */

const [runs, cells] = [1_000, 50];
const home = homeOf({ DYNO_HOME: mkdtempSync(join(tmpdir(), 'dyno-index-bench-')) });
ensureHome(home);
const facts = factsOf(fixtureRun());
const random = new Sfc32(1);
const madeValue = (cell: number, quantity: string, run: number): RunValue => {
  const value = (1_000 + cell) * (cell === 7 && run >= 600 ? 1.2 : 1) * Math.exp(0.02 * normal(random));
  return {
    ...{ label: `variant ${cell}`, target: 'shop', index: 0, work: null, quantity, limit: null },
    unit: quantity === 'throughput' ? 'calls/s' : 'ms',
    ...{ value, low: value * 0.97, high: value * 1.03, n: 5, definition: `work of cell ${cell}` },
  };
};
const index = openRunIndex(home.runIndex);
for (let run = 0; run < runs; run++) {
  const id = `run-${String(run).padStart(4, '0')}`;
  const file = join(home.runs, `${id}.dyno-run`);
  writeFileSync(file, 'not read');
  const { size: bytes, mtimeMs: changedMs } = statSync(file);
  const startedAt = new Date(Date.UTC(2026, 0, 1) + run * 3_600_000).toISOString();
  const numbers = Array.from({ length: cells }, (_, cell) => cell);
  const values = numbers.flatMap((cell) => ['throughput', 'p99'].map((quantity) => madeValue(cell, quantity, run)));
  const entry = JSON.stringify({
    ...{ name: 'Checkout', size: null, startedAt, status: 'complete', id, bytes },
    ...{ trialsDone: 250, trialsGood: 250, trialsPlanned: 250, comparison: 'made' },
    ...{ durationMs: 60_000, targets: ['shop'], grade: { level: 'good', reason: 'Enough repeats.' } },
    cells: numbers.map((cell) => ({
      ...{ label: `variant ${cell}`, target: 'shop', index: 0, value: 1_000 + cell, digits: 3, unit: 'calls/s' },
    })),
  });
  const calculation = { machine: facts.use.machine, waited: random.unit(), mayHaveServer: false };
  index.set({ id, bytes, changedMs }, { entry, values, facts: { ...facts, use: calculation } });
}

async function timed(what: string, ask: () => Promise<number>): Promise<void> {
  const [before, used] = [performance.now(), process.cpuUsage()];
  const count = await ask();
  const { user, system } = process.cpuUsage(used);
  const ms = [performance.now() - before, (user + system) / 1_000].map(Math.round);
  console.log(`${what}: ${count} in ${ms[0]} ms, with ${ms[1]} ms of processor time`);
}

const first = openRunEntries(home);
await timed('runs listed by a new process', async () => (await first.list()).length);
await timed('runs listed again', async () => (await first.list()).length);
const asked = { name: 'Checkout', size: null, last: null, since: null };
const values = async (made: ReturnType<typeof first.history>) =>
  (await made).series.reduce((sum, { points }) => sum + points.length, 0);
await timed('values of a history', () => values(openRunEntries(home).history(asked)));
await timed('values of a history, again', () => values(first.history(asked)));
const own = openRuns(home);
await timed('runs listed by a new thread', async () => (await own.list()).length);
await timed('values of a history by that thread', () => values(own.history(asked)));
console.log(`the index has ${Math.round(statSync(home.runIndex).size / 1e6)} MB`);
rmSync(home.root, { recursive: true });
