import { changeSize, changesWith } from '#analysis/history/changes-with.ts';
import {
  formatChange,
  formatChangeBounds,
  formatInterval,
  formatMsTo,
  formatPercent,
  formatShort,
} from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import { sentence } from '#model/format/sentence.ts';
import type { History, HistoryChange, HistoryPoint, HistorySeries } from '#protocol/history.ts';
import type { RunChange } from '#protocol/run-change.ts';
import { formatChanges } from './changes-text.ts';

/** Changes need two runs on each side. */
export const leastRuns = 4;
/** The number of runs from which on a change is shown, as a sentence. */
export const whenText = `A change is shown from ${leastRuns} runs on: two before it and two after it.`;
/** Moments, and series at each, that sentences name. The table has all of them. */
const [mostMoments, mostSeries] = [3, 2];

/** The answer of a history as sentences: the changes in the order of time, with everything that changed with them. */
export function historyAnswer(history: History, formats: MomentFormats = localFormats): readonly string[] {
  const { runs, series } = history;
  const [first] = runs;
  if (first === undefined) return ['There is no complete run of this experiment.'];
  if (runs.length < leastRuns) return [`${sentence(many(runs.length, 'complete run'))}. ${whenText}`];
  const moments = Map.groupBy(movesOf(series), ({ change }) => change.at);
  if (moments.size === 0)
    return [
      `No change is shown in ${many(runs.length, 'run')} since ${formatRunDay(history, 0, formats)}. Dyno searched ${many(series.length, 'figure')} for one.`,
    ];
  const inOrder = [...moments].toSorted(([a], [b]) => a - b);
  const more = inOrder.length - mostMoments;
  return [
    ...inOrder.slice(0, mostMoments).flatMap(([at, moved]) => momentText(history, at, moved, formats)),
    ...(more > 0 ? [`${sentence(many(more, 'later run'))} changed something as well.`] : []),
  ];
}

/** A change with its series. */
export interface Moved {
  readonly series: HistorySeries;
  readonly change: HistoryChange;
}

/** All changes of all series. */
export const movesOf = (all: readonly HistorySeries[]): readonly Moved[] =>
  all.flatMap((series) => series.changes.map((change) => ({ series, change })));

/** Orders changes, the greatest first. */
export const bySize = (a: Moved, b: Moved): number => changeSize(b.change) - changeSize(a.change);

/** The changes at one run, the greatest first. */
function momentText(history: History, at: number, moved: readonly Moved[], formats: MomentFormats): readonly string[] {
  const day = formatRunDay(history, at, formats);
  const known = moved.filter(({ change }) => change.verdict !== 'cannotTell').toSorted(bySize);
  const open = moved.filter(({ change }) => change.verdict === 'cannotTell').toSorted(bySize);
  const since = Math.min(...moved.map(({ change }) => change.since));
  const together = togetherText(changesWith(history, { at, since }), moved.length);
  const named = (all: readonly Moved[]) => {
    const texts = all.map(({ series, change }) => `${seriesText(history, series)} is ${formatMove(series, change)}`);
    const rest = all.length - mostSeries;
    return `${texts.slice(0, mostSeries).join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`;
  };
  const [machine] = moved.flatMap(({ change }) => change.machine ?? []);
  return [
    ...(known.length === 0 ? [] : [`Since ${day}, ${named(known)}.`]),
    ...(open.length === 0
      ? []
      : [`From ${day} on, ${named(open)}, and Dyno cannot tell the machine from the server as the reason.`]),
    ...(machine === undefined ? [] : [machine]),
    together,
  ];
}

/** A sentence about the changes of the run at which a number of series changed. */
export const togetherText = (changes: readonly RunChange[], series = 1): string =>
  changes.length === 0
    ? 'No version, setting or part of the experiment changed at that run.'
    : `With ${series === 1 ? 'it' : 'them'} changed: ${formatChanges(changes)}.`;

/** "40 % higher (32–48 %)", "1.4× longer (1.3–1.5×)"; shares: "2 % after 0.1 %". */
export const formatMove = (series: Pick<HistorySeries, 'quantity'>, change: HistoryChange): string =>
  `${formatStep(series, change)}${change.ratio === null ? '' : formatChangeBounds(change.ratio)}`;

/** formatMove without the bounds of the interval. */
export function formatStep(
  { quantity }: Pick<HistorySeries, 'quantity'>,
  { ratio, before, after }: HistoryChange,
): string {
  if (ratio === null) return `${formatPercent(after)} after ${formatPercent(before)}`;
  return quantity === 'throughput' ? formatChange(ratio, 'higher', 'lower') : formatChange(ratio, 'longer', 'shorter');
}

/** A value in its unit, with its interval. */
export function formatPoint(
  point: Pick<HistoryPoint, 'value' | 'low' | 'high'>,
  { unit }: Pick<HistorySeries, 'unit'>,
): string {
  if (unit === 'ms') return formatInterval(point, formatMsTo);
  return unit === 'share' ? formatInterval(point, formatPercent) : `${formatInterval(point, formatShort)}\u00a0${unit}`;
}

/** "throughput of bulk on shop", "p99 of browse"; parts that all series share are left out. */
export function seriesText(history: Pick<History, 'series'>, { quantity, work, label, target }: HistorySeries): string {
  const isOnly = (part: 'label' | 'target') => new Set(history.series.map((one) => one[part])).size === 1;
  const of = [...(work === null ? [] : [work]), ...(isOnly('label') ? [] : [label])].join(', ');
  const figure = quantity === 'errors' ? 'the share of failed calls' : quantity;
  return [figure, ...(of === '' ? [] : [`of ${of}`]), ...(isOnly('target') ? [] : [`on ${target}`])].join(' ');
}

/** The texts of moments of a history. */
interface MomentFormats {
  /** "Nov 18". */
  readonly day: (at: string) => string;
  /** "Nov 18, 2026", which ends with the year. */
  readonly dayOfYear: (at: string) => string;
  /** "14:05". */
  readonly time: (at: string) => string;
}

/** The texts of moments in UTC, or in the time zone of this machine. */
export function momentFormats(timeZone: 'UTC' | undefined): MomentFormats {
  const formatOf = (options: Intl.DateTimeFormatOptions) => {
    // Made at its first use: three of them take 15 ms, at the start of every command.
    let format: Intl.DateTimeFormat | null = null;
    return (at: string) => {
      format ??= new Intl.DateTimeFormat('en', { ...options, timeZone });
      return format.format(new Date(at));
    };
  };
  return {
    day: formatOf({ month: 'short', day: 'numeric' }),
    dayOfYear: formatOf({ year: 'numeric', month: 'short', day: 'numeric' }),
    time: formatOf({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
  };
}

const localFormats = momentFormats(undefined);

/** The day of a run, with the year or the time of day where the runs need them: "Nov 18", "Nov 18, 14:05". */
export function formatRunDay(
  { runs }: Pick<History, 'runs'>,
  position: number,
  { day, dayOfYear, time }: MomentFormats = localFormats,
): string {
  const { startedAt } = runs[position]!;
  const dates = runs.map((one) => dayOfYear(one.startedAt));
  const years = new Set(dates.map((one) => one.slice(-4)));
  const text = (years.size > 1 ? dayOfYear : day)(startedAt);
  const sameDay = dates.filter((one) => one === dates[position]).length;
  return sameDay > 1 ? `${text}, ${time(startedAt)}` : text;
}
