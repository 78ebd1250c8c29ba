import type { ProbeSample } from '#contract/engine.ts';
import type { TrialSeries } from './model.ts';

/**
 * A trial's probe samples as per-second differences. A counter that goes back (server restart, statistics reset) has no difference
 * at that moment: the point is left out, never shown as negative.
 */
export function createProbeSeries() {
  const rates = new Map<string, { atMs: number[]; perSecond: number[] }>();
  const gauges = new Map<string, { atMs: number[]; values: number[] }>();
  let previous: { readonly atMs: number; readonly counters: ProbeSample['counters'] } | null = null;

  return {
    add(atMs: number, sample: ProbeSample): void {
      const seconds = previous === null ? 0 : (atMs - previous.atMs) / 1_000;
      for (const [name, value] of Object.entries(sample.counters)) {
        const before = previous?.counters[name];
        if (before === undefined || value < before || seconds <= 0) continue;
        const rate = entry(rates, name, () => ({ atMs: [], perSecond: [] }));
        rate.atMs.push(atMs);
        rate.perSecond.push((value - before) / seconds);
      }
      for (const [name, value] of Object.entries(sample.gauges)) {
        const gauge = entry(gauges, name, () => ({ atMs: [], values: [] }));
        gauge.atMs.push(atMs);
        gauge.values.push(value);
      }
      previous = { atMs, counters: sample.counters };
    },

    /** Copies: what the window holds does not change under it. */
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

function entry<V>(map: Map<string, V>, key: string, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
