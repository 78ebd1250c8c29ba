import { expect, it } from 'vitest';
import { gateRates } from './gate-rates.fixture.ts';
import type { MadeHistory } from './made-history.fixture.ts';

const usual: MadeHistory = { cells: 3, slower: 1, factor: 1, repeats: 5, cv: 0.03, drift: 0.01, earlier: 8 };

// gate-rates.long.test.ts has 1,000 histories of each kind.
it('fails without a change in 5 % of gates at most, and finds a change', () => {
  // 5 % of 100 and three standard errors.
  expect(gateRates(3, 100, usual).failed).toBeLessThanOrEqual(0.11);
  expect(gateRates(3, 100, { ...usual, drift: 0.05 }).failed).toBeLessThanOrEqual(0.11);
  expect(gateRates(3, 100, { ...usual, factor: 0.85 }).failed).toBeGreaterThan(0.95);
  // 90 % of 100 and three standard errors.
  expect(gateRates(3, 100, { ...usual, factor: 0.9 }).failed).toBeGreaterThan(0.81);
  expect(gateRates(3, 100, { ...usual, factor: 0.9, earlier: null }).failed).toBeGreaterThan(0.7);
});
