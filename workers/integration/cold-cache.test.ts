import { expect, test } from 'vitest';
import { perCallSummaries } from '#analysis/cells/per-call.ts';
import { createRunReader } from '#analysis/journal/read-run.ts';
import { newTrustedRun } from '#integration/trusted.fixture.ts';
import { kindOf } from '#managed-servers/servers/kinds.ts';
import { holdServer, supervisorStatus } from '#managed-servers/supervisor-client.ts';
import { experimentYaml, testHome } from './home.fixture.ts';

const yaml = experimentYaml({
  rows: '20000',
  columns: '{ id: { type: sequence }, payload: { type: text, length: 100 } }',
  workload: '{ operation: scan, method: prepared }',
  factors: '{ cache: [unchanged, cold] }',
  targets: '[embedded-postgres, sqlite]',
  measure: '{ until: { calls: 3 }, repeats: 1 }',
});

async function runAll(home: Awaited<ReturnType<typeof testHome>>['home']) {
  const run = await newTrustedRun({ home, yaml });
  const reader = createRunReader();
  run.on('record', (record) => reader.add(record));
  const outcome = await run.start();
  return { outcome, model: reader.model() };
}

test('after a restart the first scan reads the table from files, and the next ones find it in memory', async () => {
  await using test = testHome();
  const { outcome, model } = await runAll(test.home);
  expect(outcome).toMatchObject({ status: 'complete', failedTrials: 0 });
  const order = (target: string, cache: string) =>
    perCallSummaries(model).find((one) => one.target === target && one.variant === `cache=${cache}`)!;
  const [first, second, third] = order('embedded-postgres', 'cold').calls;
  const tablePages =
    model.trials.find(({ trial }) => trial.target === 'embedded-postgres')!.result!.storedBytes!.tableBytes / 8_192;
  expect(first!.pagesRead).toBeGreaterThan(0.9 * tablePages);
  expect([second!.pagesRead, third!.pagesRead]).toEqual([0, 0]);
  expect([first!.state, second!.state, third!.state]).toEqual(['cold', 'hot', 'hot']);
  expect(order('embedded-postgres', 'unchanged').calls[0]!.pagesRead).toBeLessThan(0.5 * tablePages);
  // Sessions start cold with both settings, so there is one cell.
  const { calls } = order('sqlite', 'unchanged');
  expect(calls.map(({ ms }) => ms!.value > 0)).toEqual([true, true, true]);
  expect(calls[0]!.state).toBe('cold');
  expect(model.skipped).toMatchObject([
    { target: 'sqlite', variant: 'cache=cold', reason: expect.stringContaining('Same as') },
  ]);
  expect(model.trials.every(({ result }) => result?.verification.outcome === 'match')).toBe(true);
}, 120_000);

test('a server in use by another run is not restarted, and only the trial fails', async () => {
  await using test = testHome();
  await using held = await holdServer(test.home, kindOf('embedded-postgres')!);
  const { model } = await runAll(test.home);
  expect(model.skipped.map(({ target }) => target)).toEqual(['sqlite']);
  const failed = model.trials.flatMap(({ result }) => (result?.status === 'failed' ? [result] : []));
  expect(failed).toMatchObject([
    {
      variant: 'cache=cold',
      target: 'embedded-postgres',
      error: {
        message: expect.stringContaining('somebody else uses it'),
        hint: expect.stringContaining('dyno servers stop embedded-postgres'),
      },
    },
  ]);
  expect((await supervisorStatus(test.home, kindOf('embedded-postgres')!))?.port).toBe(held.port);
  expect(perCallSummaries(model).map(({ target, variant }) => [target, variant])).toContainEqual([
    'embedded-postgres',
    'cache=unchanged',
  ]);
}, 120_000);
