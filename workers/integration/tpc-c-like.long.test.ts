import { expect, test, vi } from 'vitest';
import { runOnce } from '#orchestrator/run/run.fixture.ts';
import { short } from './tpc-c-like.fixture.ts';

// Whole runs, on machines that may be busy.
vi.setConfig({ testTimeout: 240_000 });

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
