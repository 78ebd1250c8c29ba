import type { ProbeInfo } from '#engine-api/probe.ts';
import { tQuantile } from '#stats/intervals/student-t.ts';
import { mean, variance } from '#stats/intervals/summary.ts';
import { findSteps } from '#stats/series/change-points.ts';
import type { EventMark, TrialSeries, TrialView } from '../run-model/run-model.ts';
import { wholeSeconds } from '../run-model/steadiness.ts';
import { checkpointMarks } from './server-summary.ts';

/** A time at which the throughput of a trial changed. */
export interface Change {
  /** ms since the measured phase began. */
  readonly atMs: number;
  /** Mean throughput before and after it, up to the neighbouring changes. */
  readonly before: number;
  readonly after: number;
  /** Probability of a change this clear in a constant series. */
  readonly p: number;
  /** Simultaneous changes in the server's work or counters; they need not be the cause. */
  readonly meanwhile: readonly Meanwhile[];
}

/** Name of the counter, gauge or event in the engine's probes. */
export type Meanwhile =
  | { readonly what: 'checkpoint'; readonly name: string; readonly count: number }
  | { readonly what: 'event'; readonly name: string; readonly durationMs: number }
  | { readonly what: 'counter' | 'gauge'; readonly name: string; readonly before: number; readonly after: number };

/** With fewer seconds, the parts before and after a change are too short to compare. */
const leastSeconds = 20;
/**
 * More values are averaged in groups first: the search time grows with the square of their number, and a chart shows no
 * more.
 */
const mostValues = 240;
/** Changes below this share occur on most machines and need no explanation. */
const leastChange = 0.05;
/** An event this close to a change counts as simultaneous: the client counts seconds, and the server times events. */
const sameTimeMs = 1_500;
/** Events that are close to more than this share of all seconds do not explain a single one. */
const mostUsual = 1 / 3;
/** The most simultaneous changes that are named, the most striking first. */
const mostMeanwhile = 4;

const known = new WeakMap<TrialSeries, readonly Change[]>();

/**
 * Searches good trials of at least 20 seconds for changes. A search takes up to some hundred ms, once for each series.
 * `infos`: the target's metrics; with them, checkpoints count as simultaneous work.
 */
export function changesOf(view: TrialView, infos: Readonly<Record<string, ProbeInfo>> = {}): readonly Change[] {
  const { result, series } = view;
  if (result?.status !== 'ok' || series.atMs.length < leastSeconds) return [];
  const found = known.get(series) ?? search(series);
  known.set(series, found);
  const marks = checkpointMarks(infos, view);
  return marks.length === 0 ? found : found.map((change) => withCheckpoints(change, marks, series));
}

function withCheckpoints(change: Change, marks: ReturnType<typeof checkpointMarks>, { atMs }: TrialSeries): Change {
  const near = (ms: number) => marks.filter((mark) => mark.sinceMs <= ms + sameTimeMs && mark.atMs >= ms - sameTimeMs);
  const usual = atMs.filter((ms) => near(ms).length > 0).length / atMs.length;
  if (usual > mostUsual) return change;
  const checkpoints = near(change.atMs).map(({ name, count }) => ({ what: 'checkpoint' as const, name, count }));
  const others = change.meanwhile.filter(({ name }) => !checkpoints.some((one) => one.name === name));
  return { ...change, meanwhile: [...checkpoints, ...others].slice(0, mostMeanwhile) };
}

function search(series: TrialSeries): readonly Change[] {
  const { atMs, rates } = wholeSeconds(series);
  if (rates.length < leastSeconds) return [];
  const size = Math.ceil(rates.length / mostValues);
  const values = Array.from({ length: Math.floor(rates.length / size) }, (_, i) =>
    mean(rates.slice(i * size, (i + 1) * size)),
  );
  const points = findSteps(values);
  const times = points.map(({ at }) => atMs[at * size - 1]!);
  return points.flatMap(({ before, after, p }, i) => {
    if (Math.abs(after / before - 1) < leastChange) return [];
    const atMs = times[i]!;
    const stretch = { fromMs: times[i - 1] ?? 0, atMs, toMs: times[i + 1] ?? Number.POSITIVE_INFINITY };
    return [{ atMs, before, after, p, meanwhile: meanwhileOf(series, stretch, after / before) }];
  });
}

interface Stretch {
  readonly fromMs: number;
  readonly atMs: number;
  readonly toMs: number;
}

function meanwhileOf(series: TrialSeries, stretch: Stretch, factor: number): readonly Meanwhile[] {
  const events = Object.entries(series.events).flatMap(([name, timeline]) => {
    const isNear = (ms: number) => (mark: EventMark) =>
      mark.atMs <= ms + sameTimeMs && mark.atMs + Math.max(mark.durationMs, mark.sum?.spanMs ?? 0) >= ms - sameTimeMs;
    const durationMs = Math.max(0, ...timeline.marks.filter(isNear(stretch.atMs)).map((mark) => mark.durationMs));
    if (durationMs === 0) return [];
    // Continuous work coincides with every change, so only its longest event is mentioned.
    const usual = series.atMs.filter((ms) => timeline.marks.some(isNear(ms))).length / series.atMs.length;
    return usual > mostUsual && durationMs < timeline.longestMs ? [] : [{ what: 'event' as const, name, durationMs }];
  });
  const timelines = [
    ...Object.entries(series.probes).map(([name, { atMs, perSecond }]) => ({
      what: 'counter' as const,
      name,
      atMs,
      values: perSecond,
      // Most counters count the work, so it is no news that they follow the throughput.
      factor,
    })),
    ...Object.entries(series.gauges).map(([name, { atMs, values }]) => ({
      what: 'gauge' as const,
      name,
      atMs,
      values,
      factor: 1,
    })),
  ];
  const level = significance / Math.max(1, timelines.length);
  const moved = timelines.flatMap(({ what, name, atMs, values, factor }) => {
    const shift = shiftAt(atMs, values, stretch, factor, level);
    return shift === null ? [] : [{ what, name, ...shift }];
  });
  const striking = moved.toSorted((a, b) => b.size - a.size).map(({ size: _, ...one }) => one);
  return [...events, ...striking].slice(0, mostMeanwhile);
}

/** All counters and gauges share this level, like the changes themselves. */
const significance = 0.01;
/** Number of compared samples on each side: fewer are not significant, and more are too far from the change. */
const samples = { least: 4, most: 10 };
/** A counter within this share of the value expected from the throughput is not mentioned. */
const leastFactor = 1.5;

/**
 * The means of a timeline before and after the change if, by Welch's t, the later mean differs from the earlier one and
 * from the one expected with the throughput's `factor`, and does not lie between the two. Otherwise null.
 */
function shiftAt(
  atMs: readonly number[],
  values: readonly number[],
  { fromMs, atMs: changeMs, toMs }: Stretch,
  factor: number,
  level: number,
): { readonly before: number; readonly after: number; readonly size: number } | null {
  const left = values.filter((_, i) => atMs[i]! > fromMs && atMs[i]! <= changeMs).slice(-samples.most);
  const right = values.filter((_, i) => atMs[i]! > changeMs && atMs[i]! <= toMs).slice(0, samples.most);
  if (Math.min(left.length, right.length) < samples.least) return null;
  const [before, after] = [mean(left), mean(right)];
  const nearest = Math.min(Math.max(after, before * Math.min(1, factor)), before * Math.max(1, factor));
  const apart = Math.abs(after - nearest);
  if (apart === 0) return null;
  const scale = before === 0 ? 1 : nearest / before;
  const partLeft = (variance(left) * scale * scale) / left.length;
  const partRight = variance(right) / right.length;
  const error = partLeft + partRight;
  if (error > 0) {
    const freedom = error ** 2 / (partLeft ** 2 / (left.length - 1) + partRight ** 2 / (right.length - 1));
    if (apart < tQuantile(1 - level / 2, freedom) * Math.sqrt(error)) return null;
  }
  const [low, high] = [Math.min(after, nearest), Math.max(after, nearest)];
  const size = low > 0 ? high / low : Number.POSITIVE_INFINITY;
  return size < leastFactor ? null : { before, after, size };
}
