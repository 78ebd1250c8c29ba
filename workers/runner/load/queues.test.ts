import { expect, test } from 'vitest';
import { Sfc32 } from '#stats/random/random.ts';
import { EventQueue } from './event-queue.ts';
import { WaitingQueue } from './waiting-queue.ts';

test('an event queue gives back events in the order of time', () => {
  const random = new Sfc32(5);
  const events = new EventQueue();
  const expected: { dueMs: number; user: number }[] = [];
  for (let step = 0; step < 20_000; step++) {
    if (expected.length > 0 && random.unit() < 0.4) {
      const first = expected.reduce((a, b) => (b.dueMs < a.dueMs ? b : a));
      expect(events.nextMs).toBe(first.dueMs);
      events.take();
      expect(events.user).toBe(first.user);
      expected.splice(expected.indexOf(first), 1);
    } else {
      const entry = { dueMs: random.unit() * 1e6, user: step };
      events.add(entry.dueMs, entry.user);
      expected.push(entry);
    }
  }
  events.clear();
  expect(events.nextMs).toBe(Number.POSITIVE_INFINITY);
});

test('a waiting queue is first in, first out', () => {
  const random = new Sfc32(6);
  const queue = new WaitingQueue();
  const expected: number[] = [];
  for (let step = 0; step < 20_000; step++) {
    if (random.unit() < 0.3) {
      expect(queue.take()).toBe(expected.length > 0);
      if (expected.length > 0)
        expect([queue.intendedMs, queue.arrivedMs, queue.user]).toEqual([0, 1, 2].map((more) => expected[0]! + more));
      expected.shift();
    } else {
      queue.add(step, step + 1, step + 2);
      expected.push(step);
    }
    expect(queue.length).toBe(expected.length);
  }
});
