import { expect, test } from 'vitest';
import { Sfc32 } from '#stats/random.ts';
import { type Due, DueQueue } from './due-queue.ts';

test('what is due first comes first, and of those due together the one that was added first', () => {
  const random = new Sfc32(3);
  const queue = new DueQueue<Due>();
  const items = Array.from({ length: 2_000 }, (_, turn) => ({ atMs: random.below(100), turn }));
  for (const item of items) queue.add(item);
  const out: Due[] = [];
  for (let item = queue.takeBy(99); item !== null; item = queue.takeBy(99)) out.push(item);
  expect(out).toEqual(items.toSorted((a, b) => a.atMs - b.atMs || a.turn - b.turn));
});

test('what is not due stays, and is the first', () => {
  const queue = new DueQueue<Due>();
  queue.add({ atMs: 5, turn: 0 });
  queue.add({ atMs: 2, turn: 1 });
  expect(queue.takeBy(1)).toBeNull();
  expect(queue.first).toEqual({ atMs: 2, turn: 1 });
  expect(queue.takeBy(2)).toEqual({ atMs: 2, turn: 1 });
  expect(queue.first).toEqual({ atMs: 5, turn: 0 });
});
