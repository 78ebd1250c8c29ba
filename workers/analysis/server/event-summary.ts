import { keyOf } from '#protocol/cell-key.ts';
import type { Cell } from '#protocol/plan.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { percentileMs } from '#stats/histogram/percentiles.ts';
import type { EventTimeline, RunModel } from '../run-model/run-model.ts';
import { knownSum } from './event-series.ts';

/** One kind of a server's background work over all repeats of a cell. */
interface EventSummary extends Cell {
  /** The engine's name for the kind, and its label. */
  readonly kind: string;
  readonly label: string;
  readonly count: number;
  readonly totalMs: number;
  /** Null with too few samples, and if the server reported some events only as sums. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  readonly maxMs: number;
  /** Null if the server does not report it. */
  readonly bytes: number | null;
}

type Facts = Pick<RunModel, 'plan' | 'targets' | 'trials'>;

/** The servers' background work as they timed it; the kinds are in the order of the engine's explanations. */
export function eventSummaries(model: Facts): readonly EventSummary[] {
  const trials = Map.groupBy(model.trials, ({ trial }) => keyOf(trial));
  return model.plan.variants.flatMap(({ id: variant }) =>
    model.plan.targets.flatMap(({ name: target }) => {
      const views = trials.get(keyOf({ variant, target })) ?? [];
      const kinds = [...new Set(views.flatMap(({ series }) => Object.keys(series.events)))];
      return orderedKinds(model, target, kinds).map((kind) => ({
        variant,
        target,
        kind,
        label: eventText(model, target, kind),
        ...summed(views.flatMap(({ series }) => series.events[kind] ?? [])),
      }));
    }),
  );
}

function summed(timelines: readonly EventTimeline[]): Omit<EventSummary, 'variant' | 'target' | 'kind' | 'label'> {
  const durations = new Histogram();
  for (const timeline of timelines) durations.addEncoded(timeline.durations);
  const count = timelines.reduce((total, timeline) => total + timeline.count, 0);
  const percentile = (p: number) => (durations.count < count ? null : percentileMs(durations, p));
  return {
    count,
    totalMs: timelines.reduce((total, { totalMs }) => total + totalMs, 0),
    p50Ms: percentile(50),
    p99Ms: percentile(99),
    maxMs: timelines.reduce((most, { longestMs }) => Math.max(most, longestMs), 0),
    bytes: timelines.reduce<number | null>((total, { bytes }) => knownSum(total, bytes), null),
  };
}

/** The engine's label of the event, or its name if it has none. */
export const eventText = ({ targets }: Pick<Facts, 'targets'>, target: string, kind: string): string =>
  targets.find(({ name }) => name === target)?.probeInfo[kind]?.label ?? kind;

/** Kinds in the order of the engine's explanations, then unexplained kinds. */
export function orderedKinds(
  { targets }: Pick<Facts, 'targets'>,
  target: string,
  kinds: readonly string[],
): readonly string[] {
  const explained = Object.keys(targets.find(({ name }) => name === target)?.probeInfo ?? {});
  const rank = (kind: string) => (explained.includes(kind) ? explained.indexOf(kind) : explained.length);
  return kinds.toSorted((a, b) => rank(a) - rank(b));
}
