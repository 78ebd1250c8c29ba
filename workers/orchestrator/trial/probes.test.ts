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

it('does not wait for the disk’s space of a server that stops while it is measured', async () => {
  using _ = fakeTimers();
  const trial = new AbortController();
  const also = vi.fn(() => new Promise<void>(() => {}));
  const watch = watchServer(telling(...Array<Partial<ProbeSample>>(9).fill({})), trial.signal, () => {}, also);
  await watch.before();
  watch.start();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(also).toHaveBeenCalledOnce();
  const finished = watch.finish();
  await vi.advanceTimersByTimeAsync(10_000);
  await finished;
});

it('leaves the question of the space where it is when the trial is over', async () => {
  using _ = fakeTimers();
  const trial = new AbortController();
  const watch = watchServer(
    telling(...Array<Partial<ProbeSample>>(9).fill({})),
    trial.signal,
    () => {},
    () => new Promise(() => {}),
  );
  await watch.before();
  watch.start();
  await vi.advanceTimersByTimeAsync(5_000);
  trial.abort();
  await watch.finish();
});

function fakeTimers(): Disposable {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
  return { [Symbol.dispose]: () => void vi.useRealTimers() };
}

/** A control connection whose server answers with these samples, one per question. */
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
