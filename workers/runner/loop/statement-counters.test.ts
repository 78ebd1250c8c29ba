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

test('response times are those of units of work alone, and the warm-up leaves none', () => {
  const phase = new Phase(10);
  const counters = createStatementCounters({ statements: [{ name: 'read' }], items: [transfer] }, () => phase);
  expect(counters.toData().map(({ response }) => response)).toEqual([undefined, undefined]);
  const [transaction] = counters.transactions;
  counters.responded(transaction!, 5, 4);
  counters.reset();
  counters.responded(transaction!, 2, 1);
  const [step, whole] = counters.toData();
  expect(step!.response).toBeUndefined();
  const times = new Histogram();
  times.addEncoded(whole!.response!);
  expect(times.count).toBe(1);
  expect(times.mean / 1e6).toBeCloseTo(2, 1);
  expect(Histogram.decode(whole!.sinceStart!).mean / 1e6).toBeCloseTo(1, 1);
});
