import type { EventMark } from '#analysis/run-model/run-model.ts';
import { formatBytes, formatCount, formatMs } from '#model/format/format.ts';
import { inPanel, type Series } from './parts.ts';

/** Events with a duration, on an x axis in ms. Their values are durations in ms on a log axis. */
export interface Marks {
  /** The name of the event, for the tooltip. */
  readonly name: string;
  readonly colour: string;
  readonly marks: readonly EventMark[];
}

/** The least visible width. */
const leastWidthPx = 2;

/**
 * Draws a bar for each event. It begins at the event's start, and is as wide as the event's duration; its height is the
 * duration on the y axis. Sums are pale.
 */
export const markSeries = ({ name, colour, marks }: Marks, panel: number, leastMs: number): Series => ({
  type: 'custom',
  name,
  ...inPanel(panel),
  // A log axis has no zero. Shorter events stand at the lower end of the axis.
  data: marks.map(({ atMs, durationMs, sum }) => [
    atMs,
    Math.max(leastMs, durationMs),
    sum?.spanMs ?? durationMs,
    sum === null ? 0 : 1,
  ]),
  encode: { x: 0, y: 1, tooltip: [1] },
  clip: true,
  itemStyle: { color: colour },
  renderItem: (_, api) => {
    const from = api.coord([api.value(0), api.value(1)]);
    const to = api.coord([Number(api.value(0)) + Number(api.value(2)), leastMs]);
    return {
      type: 'rect',
      shape: {
        x: from[0]!,
        y: from[1]! - 1,
        width: Math.max(leastWidthPx, to[0]! - from[0]!),
        height: Math.max(1, to[1]! - from[1]! + 1),
      },
      style: api.value(3) === 1 ? { fill: colour, opacity: 0.25 } : { fill: colour, opacity: 0.8 },
      emphasisDisabled: true,
    };
  },
  tooltip: { valueFormatter: (_, at) => markText(marks[at]) },
});

function markText(mark: EventMark | undefined): string {
  if (mark === undefined) return '–';
  const { durationMs, bytes, sum, count } = mark;
  const size = bytes === null ? '' : `, ${formatBytes(bytes)}`;
  if (sum !== null)
    return `${formatCount(sum.count)} in ${formatMs(sum.spanMs)}${size}, longest ${formatMs(durationMs)}`;
  return `${formatMs(durationMs)}${size}${count > 1 ? `, longest of ${formatCount(count)}` : ''}`;
}
