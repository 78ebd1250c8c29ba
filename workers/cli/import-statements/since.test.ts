import { expect, test } from 'vitest';
import { sinceOf, sinceProblem } from './since.ts';

const now = Date.parse('2026-12-01T03:00:00Z');

test.each([
  ['30m', '2026-12-01T02:30:00Z'],
  ['2h', '2026-12-01T01:00:00Z'],
  ['7d', '2026-11-24T03:00:00Z'],
  ['2026-11-30', '2026-11-30T00:00:00Z'],
  ['2026-11-30T22:00:00+02:00', '2026-11-30T20:00:00Z'],
])('%s is %s', (value, expected) => {
  expect(sinceOf(value, now)).toBe(Date.parse(expected));
  expect(sinceProblem(value)).toBeNull();
});

test.each(['', 'yesterday', '2', '2y', '2026-13-01', '2026-11-30T25:00Z', '-2h'])('“%s” is refused', (value) => {
  expect(sinceProblem(value)).toContain('a duration');
});
