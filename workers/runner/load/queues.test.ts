import { expect, test } from 'vitest';
import { Sfc32 } from '#stats/random.ts';
import { Agenda } from './event-queue.ts';
import { WaitingLine } from './waiting-line.ts';

test('an agenda gives back what is due in the order of time', () => {
  const random = new Sfc32(5);
  const agenda = new Agenda();
  const expected: { dueMs: number; who: number }[] = [];
  for (let step = 0; step < 20_000; step++) {
    if (expected.length > 0 && random.unit() < 0.4) {
      const first = expected.reduce((a, b) => (b.dueMs < a.dueMs ? b : a));
      expect(agenda.nextMs).toBe(first.dueMs);
      agenda.take();
      expect(agenda.who).toBe(first.who);
      expected.splice(expected.indexOf(first), 1);
    } else {
      const entry = { dueMs: random.unit() * 1e6, who: step };
      agenda.add(entry.dueMs, entry.who);
      expected.push(entry);
    }
  }
  agenda.clear();
  expect(agenda.nextMs).toBe(Number.POSITIVE_INFINITY);
});

test('a line is left in the order in which it was joined', () => {
  const random = new Sfc32(6);
  const line = new WaitingLine();
  const expected: number[] = [];
  for (let step = 0; step < 20_000; step++) {
    if (random.unit() < 0.3) {
      expect(line.take()).toBe(expected.length > 0);
      if (expected.length > 0)
        expect([line.intendedMs, line.arrivedMs, line.who]).toEqual([expected[0], expected[0]! + 1, expected[0]! + 2]);
      expected.shift();
    } else {
      line.add(step, step + 1, step + 2);
      expected.push(step);
    }
    expect(line.length).toBe(expected.length);
  }
});
