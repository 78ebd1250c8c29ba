import { expect, test } from 'vitest';
import { makeRows, type Row } from './rows.ts';

test('sixty rows hold a null of every nullable type, and none in the others', () => {
  const rows = makeRows(0, 60);
  const withNull = Object.keys(rows[0]!).filter((name) => rows.some((row) => row[name as keyof Row] === null));
  expect(withNull).toEqual(['text', 'uuid', 'price', 'at', 'flag', 'blob', 'details']);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(60);
});
