import { describe, expect, it } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { sharedHome } from '#integration/shared-home.fixture.ts';
import { newTrustedRun } from '#integration/trusted.fixture.ts';
import { whole } from '#platform/whole.fixture.ts';
import { searchTable } from '#presentation/tables/load/search-table.ts';
import { loadRun } from '#workspace/runs/load-run.ts';

const test = sharedHome();

/** Work that goes by the clock and not by the processor takes the same time on every machine. */
const onServer = (workload: string, statement: string, search: string) => `
dyno: 1
name: By the clock
question: Where does it end?
workload: { operation: statement, method: prepared, ${workload} }
statements: { wait: { text: "${statement}" } }
targets: [embedded-postgres]
goals: { p99Ms: 300 }
measure: { until: { seconds: 1 }, search: { ${search}, relativeStep: 0.1 }, warmupSeconds: 0.2, repeats: 2 }
`;

async function found(text: string) {
  const run = await newTrustedRun({ home: test.home, yaml: text });
  expect(await run.start()).toMatchObject({ status: 'complete', failedTrials: 0 });
  const model = await loadRun(test.home, run.file);
  const [{ end, at } = { end: null, at: null }] = model.searches;
  return { model, end: end!, at: at! };
}

// The searches wait for the clock: together they take hardly longer than one.
describe.skipIf(isSkipped('embedded-postgres')).concurrent('a search on a server', { timeout: 240_000 }, () => {
  it('finds the users that four connections are enough for', async () => {
    const { end, model } = await found(
      onServer(
        'connections: 4, thinkMs: 60, thinkTime: constant',
        'SELECT pg_sleep(0.02)',
        'find: saturation, setting: users, from: 4, to: 128',
      ),
    );
    // 20 ms of work and 60 ms of thinking: sixteen users keep four connections busy.
    expect(end.reason).toBe('found');
    expect(end.answer!.value).toBeGreaterThanOrEqual(11);
    expect(end.answer!.value).toBeLessThanOrEqual(24);
    expect(searchTable(model).rows[0]!.cells[2]).toMatch(/^\d+ \(/);
  });

  it.runIf(whole)('finds the rate up to which four connections answer in time', async () => {
    const { end, at } = await found(
      onServer(
        'load: open, connections: 4',
        'SELECT pg_sleep(0.02)',
        'find: limit, setting: arrivalsPerSecond, from: 20, to: 1280',
      ),
    );
    // Four connections × 50 a second are 200; beyond, what waits grows by the second.
    expect(end.reason).toBe('found');
    expect(at.load).toBe(end.answer!.value);
    expect(at.load).toBeGreaterThan(40);
    expect(at.load).toBeLessThan(400);
  });

  it.runIf(whole)('finds the knee of work of which a fifth is done one at a time', async () => {
    const { end, model } = await found(
      onServer(
        '',
        'SELECT pg_sleep(0.016), (SELECT pg_advisory_xact_lock(20140331)), pg_sleep(0.004)',
        'find: knee, setting: connections, from: 1, to: 32',
      ),
    );
    expect(end.law?.fit, end.law?.whyNoFit ?? '').not.toBeNull();
    expect(end.law!.fit!.sigma).toBeGreaterThan(0.05);
    expect(end.reason).toBe('found');
    expect(end.answer!.value).toBeGreaterThan(2);
    expect(end.answer!.value).toBeLessThan(14);
    expect(searchTable(model).columns.map(({ title }) => title)).toContain('σ contention');
  });
});
