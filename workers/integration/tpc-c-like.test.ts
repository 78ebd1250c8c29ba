import { expect, test, vi } from 'vitest';
import { runOnce } from '#orchestrator/run/run.fixture.ts';
import { short } from './tpc-c-like.fixture.ts';

// A whole run, on a machine that may be busy.
vi.setConfig({ testTimeout: 240_000 });

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
