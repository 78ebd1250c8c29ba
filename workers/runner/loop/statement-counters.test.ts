import { expect, test } from 'vitest';
import { Histogram } from '#stats/histogram/histogram.ts';
import { Phase } from './phase.ts';
import { createStatementCounters } from './statement-counters.ts';

const transfer = { name: 'transfer', transaction: { specs: {}, lists: {} } } as const;

test('the intervals of a statement add up to its whole phase', () => {
  const phase = new Phase(10);
  const counters = createStatementCounters(
    { statements: [{ name: 'read' }, { name: 'write' }], items: [] },
    () => phase,
  );
  const [read, write] = counters.statements;
  const end = phase.startMs + 1;
  counters.succeeded(read!, end - 0.25, end, 1);
  counters.reset();
  const merged = new Histogram();
  for (const ms of [0.25, 0.5]) {
    counters.succeeded(read!, end - ms, end, 1);
    counters.succeeded(read!, end - 3 * ms, end, 1);
    const interval = counters.takeInterval();
    expect(interval.map(({ name, kind }) => [name, kind])).toEqual([['read', 'statement']]);
    merged.addEncoded(interval[0]!.service);
  }
  expect(counters.takeInterval()).toEqual([]);
  expect(merged.count).toBe(4);
  expect(merged.encode()).toBe(counters.toData()[0]!.service);
  counters.succeeded(write!, end - 1, end, 1);
  expect(counters.takeInterval().map(({ name }) => name)).toEqual(['write']);
});

test('a single statement has no intervals of its own', () => {
  const phase = new Phase(10);
  const counters = createStatementCounters({ statements: [{ name: 'read' }], items: [] }, () => phase);
  counters.succeeded(counters.statements[0]!, phase.startMs, phase.startMs + 1, 1);
  expect(counters.takeInterval()).toEqual([]);
  const inTransaction = createStatementCounters({ statements: [{ name: 'read' }], items: [transfer] }, () => phase);
  inTransaction.succeeded(inTransaction.statements[0]!, phase.startMs, phase.startMs + 1, 1);
  expect(inTransaction.takeInterval()).toHaveLength(1);
});
