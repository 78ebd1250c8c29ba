import type { EventMark, EventTimeline, RunModel, TrialView } from '#analysis/run-model/run-model.ts';
import { mostMarks, thinned } from '#analysis/server/event-series.ts';
import { eventText, orderedKinds } from '#analysis/server/event-summary.ts';
import { formatCount, formatMs } from '#model/format/format.ts';
import { msAxis } from '../kit/axes.ts';
import { type ChartTheme, colourOf } from '../kit/theme.ts';
import type { Panel } from './panels.ts';

export const lanePx = 104;

/** The lanes under a throughput panel, one for each kind of work and target, and how complete they are. */
interface Lanes {
  readonly panels: readonly Panel[];
  /** The end of the last event, on the x axis. */
  readonly toMs: number;
  readonly events: number;
  readonly drawn: number;
  /** True if some marks stand for several events, and true if some marks are sums of the server. */
  readonly merged: boolean;
  readonly sums: boolean;
}

/**
 * Builds the lanes. `fromMs` is the start of a trial's measured phase on the x axis. All lanes share one scale, so that
 * kinds of work can be compared.
 */
export function eventLanes(
  model: RunModel,
  views: readonly TrialView[],
  theme: ChartTheme,
  fromMs: (view: TrialView) => number,
): Lanes {
  const targets = model.plan.targets.filter(({ name }) => views.some(({ trial }) => trial.target === name));
  const lanes = targets.flatMap(({ name: target, index }) => {
    const own = views.filter(({ trial }) => trial.target === target);
    const kinds = orderedKinds(model, target, [...new Set(own.flatMap(({ series }) => Object.keys(series.events)))]);
    return kinds.map((kind) => {
      const trials = own.flatMap((view) => {
        const timeline = view.series.events[kind];
        return timeline === undefined ? [] : [{ timeline, fromMs: fromMs(view) }];
      });
      const share = 2 ** Math.max(0, Math.ceil(Math.log2((2 * mostMarks) / trials.length)));
      const all = trials.flatMap(({ timeline, fromMs: from }) =>
        fewer(timeline, share).map((mark): EventMark => ({ ...mark, atMs: mark.atMs + from })),
      );
      return {
        target,
        index,
        label: eventText(model, target, kind),
        count: trials.reduce((sum, { timeline }) => sum + timeline.count, 0),
        longestMs: Math.max(...trials.map(({ timeline }) => timeline.longestMs)),
        marks: thinned(all, mostMarks),
      };
    });
  });
  const several = new Set(lanes.map(({ target }) => target)).size > 1;
  const durations = lanes.flatMap(({ marks }) => marks.map(({ durationMs }) => durationMs)).filter((ms) => ms > 0);
  const scale = decades(durations);
  return {
    panels: lanes.map(({ target, index, label, count, longestMs, marks }) => ({
      title: `${label}${several ? `, ${target}` : ''}: ${formatCount(count)} times, longest ${formatMs(longestMs)}`,
      ...msAxis,
      heightPx: lanePx,
      log: true,
      ...scale,
      lines: [],
      marks: { name: several ? `${label}, ${target}` : label, colour: colourOf(theme, index), marks },
    })),
    toMs: Math.max(
      0,
      ...lanes.flatMap(({ marks }) => marks.map(({ atMs, durationMs, sum }) => atMs + (sum?.spanMs ?? durationMs))),
    ),
    events: lanes.reduce((sum, { count }) => sum + count, 0),
    drawn: lanes.reduce((sum, { marks }) => sum + marks.length, 0),
    merged: lanes.some(({ marks }) => marks.some(({ count, sum }) => count > (sum?.count ?? 1))),
    sums: lanes.some(({ marks }) => marks.some(({ sum }) => sum !== null)),
  };
}

/**
 * A trial's marks in a lane. They are cached, because a live run would otherwise thin them again several times a
 * second.
 */
function fewer(timeline: EventTimeline, most: number): readonly EventMark[] {
  if (timeline.marks.length <= most) return timeline.marks;
  const known = shares.get(timeline);
  if (known?.most === most) return known.marks;
  const marks = thinned(timeline.marks, most);
  shares.set(timeline, { most, marks });
  return marks;
}
const shares = new WeakMap<EventTimeline, { readonly most: number; readonly marks: readonly EventMark[] }>();

/** Returns whole decades that contain all values. There are at least two, so that noise does not look large. */
function decades(values: readonly number[]): { readonly min: number; readonly max: number } {
  const low = values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
  const high = values.reduce((most, value) => Math.max(most, value), 0);
  if (high === 0) return { min: 0.01, max: 1 };
  const top = Math.ceil(Math.log10(high));
  return { min: 10 ** Math.min(top - 2, Math.floor(Math.log10(low))), max: 10 ** top };
}

/** The note that explains how to read the lanes. */
export const lanesText = ({ events, drawn, merged, sums }: Lanes): string =>
  `Each bar is a piece of background work of the server: it starts where the work began, and its width and height are the duration. All lanes share one log scale.${
    merged
      ? ` ${formatCount(events)} pieces of work are drawn as ${formatCount(drawn)} bars: of neighbours only the longest is drawn.`
      : ''
  }${sums ? ' A pale bar stands for several pieces of work of which the server reports only the sum: it spans their time and is as high as the longest.' : ''}`;
