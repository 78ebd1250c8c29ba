import { expect, test } from 'vitest';
import { Sfc32 } from '#stats/random/random.ts';
import { openDeliveryQueue } from './delivery-queue.ts';

test('what is due first comes first, and of those due together the one that was added first', async () => {
  await using queue = await openDeliveryQueue();
  const random = new Sfc32(3);
  const startMs = performance.now() + 50;
  const items = Array.from({ length: 2_000 }, (_, number) => ({ dueMs: startMs + random.below(100), number }));
  const delivered: typeof items = [];
  await new Promise<void>((resolve) => {
    for (const item of items)
      queue.add(item.dueMs, () => {
        if (delivered.push(item) === items.length) resolve();
      });
  });
  expect(delivered).toEqual(items.toSorted((a, b) => a.dueMs - b.dueMs || a.number - b.number));
});

test('what is not due waits for its time', async () => {
  await using queue = await openDeliveryQueue();
  const startMs = performance.now();
  const order: number[] = [];
  const late = await new Promise<number>((resolve) => {
    queue.add(startMs + 20, (lateMs) => {
      order.push(20);
      resolve(lateMs);
    });
    queue.add(startMs + 5, () => order.push(5));
    queue.add(startMs, () => order.push(0));
    expect(order).toEqual([0]);
  });
  expect(order).toEqual([0, 5, 20]);
  expect(late).toBeGreaterThanOrEqual(0);
  expect(performance.now() - startMs).toBeGreaterThanOrEqual(20);
});
