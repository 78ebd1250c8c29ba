import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { loadRun } from '#workspace/runs/load-run.ts';
import { testHome } from '../home.fixture.ts';
import { trusted } from '../trusted.fixture.ts';
import { adviceFor } from './advise.fixture.ts';

// Whole runs, on machines that may be busy.
vi.setConfig({ testTimeout: 300_000 });

test.skipIf(isSkipped('sqlite'))(
  'a missing index is found, measured and kept as a run with its experiment',
  async () => {
    await using own = testHome();
    const { home } = own;
    const report = await adviceFor(home, 'missing-index', 'sqlite', 240, ['targets=[sqlite]', 'dataset.rows=6000'], {
      seconds: 0.3,
      repeats: 4,
    });
    const [first] = report.advice;
    expect(first).toMatchObject({
      verdict: 'recommended',
      candidate: {
        kind: 'missingIndex',
        steps: [{ do: 'createIndex', table: 'orders', index: { columns: ['customer'] } }],
      },
    });
    expect(first?.effects.map(({ work, kind }) => [work, kind])).toEqual([
      ['find', 'read'],
      ['probe-insert-orders', 'probe'],
    ]);
    const { plan, advice, status } = await loadRun(home, report.run);
    expect([advice?.advice, status]).toEqual([report.advice, 'complete']);
    expect(plan.variants.map(({ levels }) => levels.advice)).toEqual(['unchanged', 'index on orders (customer)']);
    expect(trusted(home, parseFile(readFileSync(report.file!, 'utf8')).text).plan.trials).toHaveLength(
      plan.trials.length,
    );
  },
);

test.skipIf(isSkipped('sqlite'))('a run that found nothing to measure keeps the reasons', async () => {
  await using own = testHome();
  const { home } = own;
  const overrides = ['targets=[sqlite]', 'dataset.rows=100', 'statements.find.text=SELECT count(*) FROM {orders}'];
  const report = await adviceFor(home, 'missing-index', 'sqlite', 60, overrides, { seconds: 0.2, repeats: 3 });
  expect(report.advice.filter(({ verdict }) => verdict !== 'notTried')).toEqual([]);
  const { advice, plan } = await loadRun(home, report.run);
  expect(advice).toMatchObject({ repeats: 0, advice: report.advice });
  expect([report.file, plan.variants.length]).toEqual([null, 1]);
});

test('statements that write to tables of the user’s own are refused before anything runs', async () => {
  await using own = testHome();
  const { home } = own;
  const overrides = ['targets=[sqlite]', 'statements.find.text=DELETE FROM mine WHERE customer = :customer'];
  await expect(adviceFor(home, 'missing-index', 'sqlite', 60, overrides)).rejects.toThrow('a table of your own');
});
