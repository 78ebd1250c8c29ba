import { describe, expect, it } from 'vitest';
import { Histogram } from '#stats/histogram/histogram.ts';
import { noCalls, noHealth } from '../worker/merge-results.ts';
import { isClientSaturated, littleError } from './client-rules.ts';

const calls = (count: number, ms: number) => {
  const service = new Histogram();
  service.recordMany(ms * 1e6, count);
  return { ...noCalls, calls: count, service: service.encode() };
};
const trial = (totals: ReturnType<typeof calls>, more: Partial<Parameters<typeof littleError>[0]> = {}) =>
  littleError({
    results: [{ totals, health: noHealth }],
    users: 4,
    userMs: 4_000,
    pipelined: false,
    inProcess: false,
    health: noHealth,
    ...more,
  });

describe('Little’s law', () => {
  it('holds when every user is in a call all the time', () => {
    expect(trial(calls(4_000, 1))).toBeCloseTo(0, 2);
  });

  it('counts think times and waits for a connection, where users have them', () => {
    const load = { responseMs: 3_000, thinkMs: 1_000 };
    // The rule reads nothing else of a load.
    const totals = { ...calls(1_000, 1), load } as unknown as ReturnType<typeof calls>;
    expect(trial(totals)).toBeCloseTo(0, 5);
  });

  it('counts the client’s own work, transactions and pauses as part of the cycle', () => {
    const health = { ...noHealth, generateMs: 400, encodeMs: 300, transactionMs: 200, pauseMs: 100 };
    expect(trial(calls(3_000, 1), { health })).toBeCloseTo(0, 2);
    expect(trial(calls(3_000, 1))).toBeCloseTo(-0.25, 2);
  });

  it('says nothing about pipelines, engines in the process, and too few calls', () => {
    expect(trial(calls(4_000, 1), { pipelined: true })).toBeNull();
    expect(trial(calls(4_000, 1), { inProcess: true })).toBeNull();
    expect(trial(calls(100, 40))).toBeNull();
  });
});

describe('client saturation', () => {
  const worker = (health: Partial<typeof noHealth>, elapsedMs = 1_000) => ({
    health: { ...noHealth, ...health },
    elapsedMs,
  });

  it('is a busy event loop or a busy core of any worker', () => {
    const idle = worker({ eventLoopUtilisation: 0.3, cpuUserMs: 200 });
    expect(isClientSaturated([idle, idle], false)).toBe(false);
    expect(isClientSaturated([idle, worker({ eventLoopUtilisation: 0.8 })], false)).toBe(true);
    expect(isClientSaturated([idle, worker({ cpuUserMs: 700, cpuSystemMs: 250 })], false)).toBe(true);
  });

  it('is no process that was ready and had no processor: that is the machine', () => {
    const waited = (noProcessorMs: number | null, eventLoopUtilisation = 0) =>
      worker({ eventLoopUtilisation, pauses: { gcPauses: 0, gcLongestMs: 0, loopLongestMs: 0, noProcessorMs } });
    expect(isClientSaturated([waited(400), waited(null)], false)).toBe(false);
    expect(isClientSaturated([waited(400, 0.9)], false), 'half of it its own work').toBe(false);
    expect(isClientSaturated([waited(100, 0.9)], false), 'most of it its own work').toBe(true);
    expect(isClientSaturated([waited(null, 0.9)], false)).toBe(true);
    const outside = (noProcessorMs: number) =>
      worker({ inCallsMs: 500, pauses: { gcPauses: 0, gcLongestMs: 0, loopLongestMs: 0, noProcessorMs } });
    expect(isClientSaturated([outside(950)], true)).toBe(false);
    expect(isClientSaturated([outside(50)], true)).toBe(true);
  });

  it('is not told of a phase so short that what the process did around it hides it', () => {
    const of = (wallMs: number) =>
      worker({ cpuUserMs: 12, processTime: { ...noHealth.processTime, wallMs, otherMs: wallMs } }, 11);
    expect(isClientSaturated([of(18)], false)).toBe(false);
    expect(isClientSaturated([of(11.5)], false)).toBe(true);
  });

  it('does not hold the engine’s own work against the client where both are one process', () => {
    const busy = { eventLoopUtilisation: 1, cpuUserMs: 1_000 };
    expect(isClientSaturated([worker({ ...busy, inCallsMs: 900 })], true)).toBe(false);
    expect(isClientSaturated([worker({ ...busy, inCallsMs: 300 })], true)).toBe(true);
  });

  it('is judged over the time of the process itself, which may be done before the others', () => {
    expect(isClientSaturated([worker({}), worker({ cpuUserMs: 190 }, 200)], false)).toBe(true);
    expect(isClientSaturated([worker({ inCallsMs: 950 }), worker({ inCallsMs: 190 }, 200)], true)).toBe(false);
  });
});
