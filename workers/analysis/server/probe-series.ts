import type { ProbeSample } from '#engine-api/probe.ts';
import type { TrialSeries } from '../run-model/run-model.ts';

/**
 * Samples this close together (usually the last two) form one difference: a separate rate would be noise, and late
 * reports a peak.
 */
const stubMs = 200;

/**
 * A trial's probe samples as per-second differences. A counter that goes back (server restart, statistics reset) has no
 * difference at that time: the point is left out, never shown as negative.
 */
export function createProbeSeries() {
  const rates = new Map<string, { atMs: number[]; perSecond: number[] }>();
  const gauges = new Map<string, { atMs: number[]; values: number[] }>();
  const gaugesAtMs: number[] = [];
  let previous: Moment | null = null;
  let beforePrevious: Moment | null = null;

  return {
    add(atMs: number, sample: ProbeSample): void {
      const stub = previous !== null && beforePrevious !== null && atMs - previous.atMs < stubMs;
      const from = stub ? beforePrevious : previous;
      const seconds = from === null ? 0 : (atMs - from.atMs) / 1_000;
      for (const [name, value] of Object.entries(sample.counters)) {
        const before = from?.counters[name];
        if (before === undefined || value < before || seconds <= 0) continue;
        const rate = entry(rates, name, () => ({ atMs: [], perSecond: [] }));
        if (stub && rate.atMs.at(-1) === previous?.atMs) {
          rate.atMs.pop();
          rate.perSecond.pop();
        }
        rate.atMs.push(atMs);
        rate.perSecond.push((value - before) / seconds);
      }
      // A sample names waiting sessions only if there are any, so an absent gauge means none.
      for (const name of Object.keys(sample.gauges))
        entry(gauges, name, () => ({ atMs: [...gaugesAtMs], values: gaugesAtMs.map(() => 0) }));
      for (const [name, gauge] of gauges) {
        gauge.atMs.push(atMs);
        gauge.values.push(sample.gauges[name] ?? 0);
      }
      gaugesAtMs.push(atMs);
      if (!stub) beforePrevious = previous;
      previous = { atMs, counters: sample.counters };
    },

    /** Copies, so that the window's data stay unchanged. */
    series(): Pick<TrialSeries, 'probes' | 'gauges'> {
      return {
        probes: Object.fromEntries(
          [...rates].map(([name, { atMs, perSecond }]) => [name, { atMs: [...atMs], perSecond: [...perSecond] }]),
        ),
        gauges: Object.fromEntries(
          [...gauges].map(([name, { atMs, values }]) => [name, { atMs: [...atMs], values: [...values] }]),
        ),
      };
    },
  };
}

interface Moment {
  readonly atMs: number;
  readonly counters: ProbeSample['counters'];
}

function entry<V>(map: Map<string, V>, key: string, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
