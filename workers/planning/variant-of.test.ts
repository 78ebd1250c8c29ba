import { expect, test } from 'vitest';
import { formatLevels } from './variant-of.ts';

test('levels have their factor’s name and unit; values that stand for no number are told in words', () => {
  expect(formatLevels({ method: 'prepared', connections: 1_000 })).toBe('prepared · Connections: 1,000');
  expect(formatLevels({ sortMemoryKb: 64 })).toBe('Sort memory: 64\u00a0KB');
  expect(formatLevels({ sortMemoryKb: 0 })).toBe('Sort memory: the server’s own');
  expect(formatLevels({ networkMbit: 0, users: 0, nullShare: -1 })).toBe(
    'Network bandwidth: no limit · Users: one per connection · Null share: as the dataset defines',
  );
  expect(formatLevels({ nullShare: 0.5, connections: 0 })).toBe('Null share: 0.5 · Connections: 0');
});
