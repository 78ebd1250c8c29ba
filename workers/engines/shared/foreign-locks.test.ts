import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foreignLocks, holderText, type LockWait } from './foreign-locks.ts';

/** Sessions below 100 are the run's own. */
const wait = (waiter: number, holder: number): LockWait => ({
  waiter,
  holder,
  ownWaiter: waiter < 100,
  ownHolder: holder < 100,
  program: 'psql',
  user: null,
  host: null,
  heldMs: 40_000,
});
const found = (...waits: readonly LockWait[]) => foreignLocks(waits).map(({ holder, waiting }) => [holder, waiting]);

test('every own session behind a foreign lock is counted once, whatever the queue before it', () => {
  // 1 waits for 200; 2 queues behind 1, 3 behind 2 and 1.
  expect(found(wait(1, 200), wait(2, 1), wait(3, 2), wait(3, 1))).toEqual([['psql · session 200', 3]]);
});

test('own sessions that wait for each other name nobody else, also in a circle', () => {
  expect(found(wait(1, 2), wait(2, 1), wait(3, 1), wait(4, 5))).toEqual([]);
});

test('a foreign session that only queues is passed through to the one that holds', () => {
  expect(found(wait(1, 200), wait(200, 300), wait(250, 300))).toEqual([['psql · session 300', 1]]);
});

test('a chain of any length ends at its holder, once for each own session in it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 90 }), (length) => {
      const waits = Array.from({ length }, (_, i) => wait(i, i + 1 === length ? 900 : i + 1));
      expect(found(...waits)).toEqual([['psql · session 900', length]]);
    }),
  );
});

test('a holder is named by what the server tells, and never aged below zero', () => {
  expect(holderText({ program: 'psql', user: 'alice', host: '10.0.0.7', holder: 7 })).toBe(
    'psql · user alice · from 10.0.0.7 · session 7',
  );
  expect(holderText({ program: '', user: null, host: null, holder: '7,12' })).toBe('session 7,12');
  expect(foreignLocks([{ ...wait(1, 200), heldMs: -3 }])).toMatchObject([{ heldMs: 0 }]);
});
