import { expect, test } from 'vitest';
import type { JudgedAdvice } from '#protocol/advice.ts';
import { indexOf } from './candidate.ts';
import { isDecided, looksOf } from './looks.ts';

const advice = (
  title: string,
  verdict: JudgedAdvice['verdict'],
  [low, value, high]: readonly [number, number, number],
  statements = ['find'],
): JudgedAdvice => ({
  candidate: {
    ...{ kind: 'missingIndex', title, why: '', tables: ['orders'], statements, change: {} },
    steps: [{ do: 'createIndex', table: 'orders', index: indexOf(['a']) }],
  },
  ...{ verdict, why: '', total: { value, low, high }, effects: [], bytes: null, buildMs: null, insteadOf: null },
});

const good = advice('good', 'recommended', [0.1, 0.2, 0.3]);

test('a run is judged after few, more and all of its repeats', () => {
  expect(looksOf(3)).toEqual([3]);
  expect(looksOf(4)).toEqual([4]);
  expect(looksOf(8)).toEqual([4, 8]);
  expect(looksOf(30)).toEqual([4, 10, 30]);
});

test('a run goes on while a candidate may still gain', () => {
  expect(isDecided([])).toBe(false);
  expect(isDecided([good])).toBe(true);
  expect(isDecided([advice('open', 'notShown', [0.5, 0.8, 1.1])])).toBe(false);
  expect(isDecided([good, advice('other', 'notShown', [0.5, 0.8, 1.1], ['list'])])).toBe(false);
});

test('a run ends where the others are slower, gain nothing, or are worse than the best for the same statements', () => {
  expect(isDecided([good, advice('slow', 'notRecommended', [1.2, 1.4, 1.6])])).toBe(true);
  expect(isDecided([good, advice('idle', 'notShown', [0.97, 1, 1.03], ['list'])])).toBe(true);
  expect(isDecided([good, advice('worse', 'notShown', [0.5, 0.8, 1.1])])).toBe(true);
  expect(isDecided([advice('idle', 'notShown', [0.97, 1, 1.03])])).toBe(true);
});

test('a run goes on while another recommended one seems better than the simpler first one', () => {
  expect(isDecided([good, advice('better', 'recommended', [0.05, 0.1, 0.2])])).toBe(false);
  expect(isDecided([good, advice('equal', 'recommended', [0.1, 0.19, 0.3])])).toBe(true);
});
