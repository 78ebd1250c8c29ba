import { latencyTitle } from '#analysis/cells/load-summary.ts';
import type { LatencyColumns, RunModel, TrialSeries, TrialView } from '#analysis/run-model/run-model.ts';
import { formatCount } from '#model/format/format.ts';
import { sentences } from '../text/sentences.ts';
import { msAxis } from './kit/axes.ts';
import type { PanelChart } from './kit/chart.ts';
import type { ChartTheme } from './kit/theme.ts';
import { drawPanels, type Line, type Panel } from './plot/panels.ts';
import { chosenVariants, type Selection } from './plot/select.ts';
import { timeAxis } from './plot/ticks.ts';
import { chosenViews, joinRepeats, trialLook } from './plot/trial-line.ts';

const percentiles = [
  ['p50', 'p50Ms'],
  ['p95', 'p95Ms'],
  ['p99', 'p99Ms'],
] as const;
type Percentile = (typeof percentiles)[number];

/** The most rows of panels that show all percentiles. With more rows, each has the highest known percentile only. */
const mostFullRows = 8;
/** The most points of a line. The highest of neighbouring seconds is one point, so that no spike is lost. */
const mostPoints = 600;
/** The ratio of values above which an axis is logarithmic. */
const widestLinearSpread = 20;

/** The calls of a variant, or the calls of one of its statements. */
interface Row {
  readonly title: string;
  readonly views: readonly TrialView[];
  readonly latencies: (series: TrialSeries) => LatencyColumns | undefined;
}

/** p50, p95 and p99 of each second: one row for each variant and statement, one line for each target and repeat. */
export function percentilesOverTime(model: RunModel, theme: ChartTheme, selection: Selection = {}): PanelChart {
  const views = chosenViews(model, selection).filter(({ series }) => series.atMs.length > 1);
  const rows = rowsOf(model, views, selection);
  const isFull = rows.length <= mostFullRows;
  const drawn = rows.map((row) => panelsOf(model, row, theme, isFull));
  return {
    id: 'percentiles-over-time',
    title: 'Percentiles over time',
    note: noteOf(model, views, drawn.flat(), isFull),
    ...drawPanels(
      isFull ? drawn.flatMap((panels) => panels.map((panel, i) => ({ ...panel, startsRow: i === 0 }))) : drawn.flat(),
      { columns: 3, widthPx: selection.widthPx, ...timeAxis },
      theme,
    ),
    get data() {
      return {
        columns: ['variant', 'target', 'repeat', 'statement', 'at ms', ...percentiles.map(([name]) => `${name} ms`)],
        rows: views.flatMap(({ trial: { variant, target, repeat }, series }) =>
          [{ name: 'all calls', latencies: series as LatencyColumns }, ...series.statements].flatMap(
            ({ name, latencies }) =>
              series.atMs.map((at, i) => [
                ...[variant, target, repeat, name, at],
                ...percentiles.map(([, column]) => latencies[column][i] ?? null),
              ]),
          ),
        ),
      };
    },
  };
}

function rowsOf(model: RunModel, views: readonly TrialView[], selection: Selection): readonly Row[] {
  const own = (id: string) => views.filter(({ trial }) => trial.variant === id);
  const variants = chosenVariants(model, selection).filter(({ id }) => own(id).length > 0);
  return variants.flatMap(({ id, label }): readonly Row[] => {
    const statements = [...new Set(own(id).flatMap(({ series }) => series.statements.map(({ name }) => name)))];
    const titled = (name: string) =>
      [...(variants.length > 1 ? [label] : []), ...(name === '' ? [] : [name])].join(' · ');
    return [
      { title: titled(statements.length > 0 ? 'all calls' : ''), views: own(id), latencies: (series) => series },
      ...statements.map((name) => ({
        title: titled(name),
        views: own(id),
        latencies: ({ statements: all }: TrialSeries) => all.find((one) => one.name === name)?.latencies,
      })),
    ];
  });
}

/** The panels of a row, without percentiles that have no value. */
function panelsOf(model: RunModel, row: Row, theme: ChartTheme, isFull: boolean): readonly Panel[] {
  const panels = percentiles.map((percentile) => panelOf(model, row, percentile, theme)).filter((one) => one !== null);
  return isFull ? panels : panels.slice(-1);
}

function panelOf(model: RunModel, row: Row, [name, column]: Percentile, theme: ChartTheme): Panel | null {
  const lines = row.views.map(
    (view): Line => ({
      ...trialLook(model, view, theme),
      points: highestOfEach(view.series.atMs, row.latencies(view.series)?.[column] ?? []),
    }),
  );
  const values = lines.flatMap(({ points }) => points.flatMap(([, value]) => (value === null ? [] : value)));
  if (values.length === 0) return null;
  const [least, most] = values.reduce(([low, high], one) => [Math.min(low, one), Math.max(high, one)], [
    Number.POSITIVE_INFINITY,
    0,
  ] as [number, number]);
  const log = least > 0 && most / least > widestLinearSpread;
  return {
    title: `${[name, row.title].filter((part) => part !== '').join(' · ')}${log ? ' (log)' : ''}`,
    ...msAxis,
    log,
    lines: joinRepeats(lines),
  };
}

/** A line of at most `mostPoints` points, each the highest value of as many seconds. */
function highestOfEach(atMs: readonly number[], values: readonly (number | null)[]): Line['points'] {
  const seconds = secondsPerPoint(atMs.length);
  const points: [number, number | null][] = [];
  for (let from = 0; from < atMs.length; from += seconds) {
    const end = Math.min(from + seconds, atMs.length);
    let highest: number | null = null;
    for (let i = from; i < end; i++) {
      const value = values[i] ?? null;
      if (value !== null && (highest === null || value > highest)) highest = value;
    }
    points.push([atMs[end - 1]!, highest]);
  }
  return points;
}

const secondsPerPoint = (seconds: number): number => Math.ceil(seconds / mostPoints);

function noteOf(model: RunModel, views: readonly TrialView[], panels: readonly Panel[], isFull: boolean): string {
  const seconds = secondsPerPoint(Math.max(0, ...views.map(({ series }) => series.atMs.length)));
  const isKnown = (name: string) => panels.some(({ title }) => title.startsWith(name));
  const latency = latencyTitle(model.cells).toLowerCase();
  return sentences(
    seconds > 1
      ? `The ${latency} of the calls that ended in each second, one line per repeat. A point is the highest value of up to ${formatCount(seconds)} seconds.`
      : `The ${latency} of the calls that ended in each second, one line per repeat.`,
    views.some(({ series }) => series.statements.length > 0) && latency !== 'service time'
      ? 'Statements have their service times.'
      : '',
    isFull
      ? ''
      : 'Each panel shows the highest percentile that is known. To see p50, p95 and p99, choose a variant above.',
    isFull && !isKnown('p99') ? 'A second needs 1,000 calls for its p99, 200 for its p95, and 20 for its p50.' : '',
  );
}
