import { describe, expect, it } from 'vitest';
import { Sfc32 } from '#stats/random/random.ts';
import { normal } from '#stats/random/samples.fixture.ts';
import { emptySeries } from '../journal/series.ts';
import { type Change, changesOf } from '../server/changes.ts';
import { steadinessText } from '../server/trial-details.ts';
import type { TrialSeries, TrialView } from './run-model.ts';
import { steadinessOf } from './steadiness.ts';

const seconds = (n: number) => Array.from({ length: n }, (_, i) => (i + 1) * 1_000);

/** A good trial with 3 % of noise on `rate` by second. */
function trial(n: number, rate: (second: number) => number, more: Partial<TrialSeries> = {}, seed = 1): TrialView {
  const random = new Sfc32(seed);
  const rates = seconds(n).map((_, i) => rate(i) * (1 + 0.03 * normal(random)));
  return {
    trial: { number: 1, repeat: 1, variant: 'v', target: 't' },
    result: { status: 'ok' },
    series: { ...emptySeries, atMs: seconds(n), rowsPerSecond: rates, callsPerSecond: rates, ...more },
  } as unknown as TrialView;
}

describe('steadinessOf', () => {
  it('gives a steady trial its own interval, without its warm-up', () => {
    const warming = trial(120, (i) => (i < 15 ? 300 + 45 * i : 1_000));
    const { state, cutSeconds, within } = steadinessOf(warming)!;
    expect(state).toBe('steady');
    expect(cutSeconds!).toBeGreaterThanOrEqual(10);
    expect(within!.low!).toBeLessThan(1_000);
    expect(within!.high!).toBeGreaterThan(1_000);
    expect(within!.high! - within!.low!).toBeLessThan(50);
    expect(steadinessText(steadinessOf(warming)!)).toMatch(/^steady after \d+/);
  });

  it('calls a decaying trial not steady, and quantifies the decay', () => {
    const found = steadinessOf(trial(120, (i) => 1_000 * Math.exp(-i / 100)))!;
    expect(found.state).toBe('notSteady');
    expect(found.drift!.ratio).toBeLessThan(0.8);
    expect(steadinessText(found)).toMatch(/not steady: the end ran at .* of the beginning$/);
  });

  it('judges calls where no rows move, and leaves a stub of a last second out', () => {
    const view = trial(30, () => 500, { rowsPerSecond: new Array<number>(30).fill(0) });
    expect(steadinessOf(view)!.within!.value).toBeCloseTo(500, -2);
    const atMs = [...seconds(20).slice(0, -1), 19_300];
    expect(steadinessOf(trial(20, () => 500, { atMs }))!.state).toBe('tooShort');
  });

  it('ignores failed trials, and calls short trials too short', () => {
    const short = trial(19, () => 1_000);
    expect(steadinessOf(short)).toEqual({ state: 'tooShort', cutSeconds: null, drift: null, within: null });
    expect(steadinessOf({ ...short, result: null })).toBeNull();
    expect(steadinessText(steadinessOf(short)!)).toBe('too short to tell');
  });
});

describe('changesOf', () => {
  const dip = (i: number) => (i >= 30 && i < 42 ? 600 : 1_000);
  const names = ({ meanwhile }: Change) => meanwhile.map(({ what, name }) => `${what} ${name}`);
  const timeline = (value: (i: number) => number, n = 70) => ({
    atMs: seconds(n),
    perSecond: seconds(n).map((_, i) => value(i) * (1 + 0.02 * Math.sin(i * 7))),
  });
  const event = (...begins: number[]) => ({
    count: begins.length,
    totalMs: 900 * begins.length,
    longestMs: 900,
    bytes: null,
    durations: '',
    marks: begins.map((atMs) => ({
      atMs,
      durationMs: 900,
      bytes: null,
      sum: null,
      count: 1,
      totalMs: 900,
      totalBytes: null,
    })),
  });

  it('finds a dip and its end where they are, with the rates before and after', () => {
    const [first, second, ...others] = changesOf(trial(70, dip));
    expect(others).toEqual([]);
    expect([first!.atMs, second!.atMs]).toEqual([30_000, 42_000]);
    expect(first!.before).toBeCloseTo(1_000, -2);
    expect(first!.after).toBeCloseTo(600, -2);
  });

  it('names a server’s event within a second and a half, and none that was elsewhere or is always there', () => {
    const events = {
      Checkpoint: event(29_500),
      Vacuum: event(10_000),
      JournalWrite: event(...seconds(70).map((ms) => ms - 900)),
    };
    // All journal writes take equally long, so the nearby one is no evidence although it is as long as the longest.
    const short = { ...events.JournalWrite, longestMs: 5_000 };
    const [first] = changesOf(trial(70, dip, { events: { ...events, JournalWrite: short } }));
    expect(names(first!)).toEqual(['event Checkpoint']);
  });

  it('names counters that changed otherwise than the throughput, not those that follow it', () => {
    const probes = {
      follows: timeline((i) => dip(i) * 130),
      rises: timeline((i) => (i >= 30 && i < 42 ? 50_000 : 10_000)),
      constant: timeline(() => 5_000),
      begins: timeline((i) => (i >= 30 ? 3 : 0)),
    };
    const [first] = changesOf(trial(70, dip, { probes }));
    expect(names(first!).toSorted()).toEqual(['counter begins', 'counter rises']);
    const rise = first!.meanwhile.find(({ name }) => name === 'rises')!;
    expect(rise).toMatchObject({ what: 'counter' });
    if (rise.what === 'counter') expect(rise.after / rise.before).toBeCloseTo(5, 0);
  });

  it('seldom finds one where nothing changes, and none in trials that are short or went wrong', () => {
    let found = 0;
    for (let seed = 0; seed < 40; seed++) if (changesOf(trial(60, () => 1_000, {}, seed)).length > 0) found++;
    expect(found).toBeLessThanOrEqual(2);
    expect(changesOf(trial(19, dip))).toEqual([]);
    expect(changesOf({ ...trial(70, dip), result: null })).toEqual([]);
  });

  it('puts the seconds of a long trial together', () => {
    const [first, ...others] = changesOf(trial(1_000, (i) => (i < 500 ? 1_000 : 700)));
    expect(others).toEqual([]);
    expect(Math.abs(first!.atMs - 500_000)).toBeLessThanOrEqual(5_000);
  });
});
