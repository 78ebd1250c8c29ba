import { getEventListeners } from 'node:events';
import { expect, it, vi } from 'vitest';
import type { ProbeSample, ServerEvent } from '#engine-api/probe.ts';
import type { Control } from '../worker/control.ts';
import { watchServer } from './probes.ts';

it('does not wait for the counters of a server that hangs once the trial is over', async () => {
  const silent = { ask: () => new Promise(() => {}) } as unknown as Control;
  const trial = new AbortController();
  const watch = watchServer(silent, trial.signal, () => {});
  const before = watch.before();
  trial.abort();
  await before;
  expect(await watch.finish()).toEqual({});
});

it('leaves nothing with the signal of a trial that is over, by which a whole run would stay in memory', async () => {
  const { signal } = new AbortController();
  const watch = watchServer(telling({ counters: { n: 1 } }, { counters: { n: 2 } }), signal, () => {});
  await watch.before();
  watch.start();
  expect(await watch.finish()).toEqual({ n: 1 });
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('waits neither for what else it asks of a server that has stopped, nor asks it again', async () => {
  vi.useFakeTimers();
  try {
    let asked = 0;
    const also = vi.fn(() => new Promise<void>(() => {}));
    const stops = {
      ask: () => (asked++ < 6 ? Promise.resolve({ counters: {}, gauges: {}, unavailable: [] }) : new Promise(() => {})),
    } as unknown as Control;
    const watch = watchServer(stops, new AbortController().signal, () => {}, also);
    await watch.before();
    watch.start();
    // The fifth sample is followed by a request without an answer, and nothing is requested while it waits.
    await vi.advanceTimersByTimeAsync(14_000);
    expect([asked, also.mock.calls.length]).toEqual([6, 1]);
    const finished = watch.finish();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await finished).toEqual({});
    expect([asked, also.mock.calls.length]).toEqual([6, 1]);
  } finally {
    vi.useRealTimers();
  }
});

it('tells no differences of a part of the phase as those of the whole', async () => {
  vi.useFakeTimers();
  try {
    let asked = 0;
    const stops = {
      ask: () =>
        asked++ < 3 ? Promise.resolve({ counters: { n: asked }, gauges: {}, unavailable: [] }) : new Promise(() => {}),
    } as unknown as Control;
    const watch = watchServer(stops, new AbortController().signal, () => {});
    await watch.before();
    watch.start();
    await vi.advanceTimersByTimeAsync(2_500);
    const finished = watch.finish();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(asked).toBe(4);
    expect(await finished).toEqual({});
  } finally {
    vi.useRealTimers();
  }
});

it('asks for the counters of a lap when those of the second are there, not beside them', async () => {
  vi.useFakeTimers();
  try {
    let [underWay, most, n] = [0, 0, 0];
    const slow = {
      async ask() {
        most = Math.max(most, ++underWay);
        await new Promise((done) => setTimeout(done, 400));
        underWay--;
        return { counters: { n: ++n }, gauges: {}, unavailable: [] };
      },
    } as unknown as Control;
    const watch = watchServer(slow, new AbortController().signal, () => {});
    const begun = watch.before();
    await vi.advanceTimersByTimeAsync(400);
    await begun;
    watch.start();
    await vi.advanceTimersByTimeAsync(900);
    const lap = watch.lap();
    await vi.advanceTimersByTimeAsync(500);
    expect(await lap).toEqual({ n: 1 });
    const finished = watch.finish();
    await vi.advanceTimersByTimeAsync(1_000);
    await finished;
    expect(most).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});

/** A control connection whose server answers with these samples, one per request. */
const telling = (...samples: readonly Partial<ProbeSample>[]): Control => {
  const left = [...samples];
  return { ask: async () => ({ counters: {}, gauges: {}, unavailable: [], ...left.shift() }) } as unknown as Control;
};
const flush = (agoMs: number): ServerEvent => ({ kind: 'flush', agoMs, durationMs: 5, bytes: 4_096 });

it('hands on what the server did during the measured phase, and nothing of what it did before', async () => {
  const told: (readonly [number, ProbeSample])[] = [];
  const control = telling({ counters: { n: 1 }, events: [flush(900), flush(20)] }, { events: [flush(10)] });
  const watch = watchServer(control, new AbortController().signal, (atMs, sample) => told.push([atMs, sample]));
  await watch.before();
  watch.start();
  await watch.finish();
  expect(told.map(([, { events }]) => events)).toEqual([undefined, [flush(10)]]);
  expect(told[0]![0]).toBe(0);
  expect(told[1]![0]).toBeGreaterThan(0);
});

it('says how long each answer took', async () => {
  const slow = {
    ask: async () => {
      await new Promise((done) => setTimeout(done, 40));
      return { counters: { n: 1 }, gauges: {}, unavailable: [] };
    },
  } as unknown as Control;
  const took: number[] = [];
  const watch = watchServer(slow, new AbortController().signal, (_, __, tookMs) => took.push(tookMs));
  await watch.before();
  watch.start();
  await watch.finish();
  expect(took).toHaveLength(2);
  // A timer may be a millisecond early.
  for (const ms of took) expect(ms).toBeGreaterThanOrEqual(39);
});
