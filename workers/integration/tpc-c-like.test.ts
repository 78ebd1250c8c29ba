import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { applyOverrides } from '#experiment/yaml/overrides.ts';
import { runOnce } from '#orchestrator/run/run.fixture.ts';

// Whole runs, on machines that may be busy.
vi.setConfig({ testTimeout: 240_000 });

const file = readFileSync(new URL('../../experiments/tpc-c-like.dyno.yaml', import.meta.url), 'utf8');
const short = applyOverrides(file, [
  'targets=sqlite',
  'baseline=',
  'measure.repeats=1',
  'measure.warmupSeconds=0',
  'measure.until.seconds=2',
]);

test('all five transactions run, only unused items are errors, and the standard’s conditions hold', async () => {
  const { result, plan } = await runOnce(short);
  expect(result.status).toBe('ok');
  expect(result.checks?.map(({ found }) => found?.count)).toEqual([0, 0, 0, 0]);
  const failing = result.statements!.filter(({ kind, errors }) => kind === 'statement' && Object.keys(errors).length);
  expect(failing.every(({ name }) => name === 'unused-item')).toBe(true);
  const { transactions = {} } = plan.experiment;
  expect(Object.entries(transactions).map(([name, { weight }]) => [name, weight])).toEqual([
    ['new-order', 45],
    ['payment', 43],
    ['order-status', 4],
    ['delivery', 40],
    ['stock-level', 4],
  ]);
  const calls = Object.fromEntries(result.statements!.map((one) => [one.name, one.calls]));
  expect(calls['enter-order']).toBeGreaterThan(0);
  expect(calls['enter-line']).toBeGreaterThanOrEqual(5 * calls['count-lines']!);
  expect(calls['enter-payment']).toBeGreaterThanOrEqual(calls.payment!);
});

test.each([
  [
    'a payment that its warehouse does not see whole',
    short.replace(
      '{warehouses} SET ytd_cents = ytd_cents + :amount_cents',
      '{warehouses} SET ytd_cents = ytd_cents + 1',
    ),
    'warehouses-have-what-districts-have',
  ],
  ['a number that is left out', short.replace('next_order + 1', 'next_order + 2'), 'new-orders-have-no-gap'],
  [
    'an order that nobody delivers',
    short.replace('SELECT next_order - 1 AS', 'SELECT next_order - 0 AS'),
    'the-next-order-is-next',
  ],
  [
    'lines that are not counted',
    short.replace('(SELECT COUNT(*) FROM', '(SELECT COUNT(*) + 1 FROM'),
    'orders-have-their-lines',
  ],
])('a mix fails with %s', async (_, yaml, check) => {
  expect(yaml).not.toBe(short);
  const { result } = await runOnce(yaml);
  expect(result).toMatchObject({ status: 'failed', error: { kind: 'wrongResult' } });
  expect(result.checks?.find(({ name }) => name === check)?.found?.count).toBeGreaterThan(0);
});
