import { latencyTitle } from '#analysis/cells/load-summary.ts';
import type { RunModel, TrialView } from '#analysis/run-model/run-model.ts';
import { countsRows, rateUnit } from '#analysis/run-model/select-cells.ts';
import { formatNumber, formatPercent, formatPercentTick } from '#model/format/format.ts';
import { variantText } from '#planning/variant-of.ts';
import { keyOf } from '#protocol/cell-key.ts';
import { sentences } from '../text/sentences.ts';
import { msAxis, rateAxis, shareAxis } from './kit/axes.ts';
import type { PanelChart } from './kit/chart.ts';
import { textPx } from './kit/fit-text.ts';
import { type Box, freeSides, type Side } from './kit/label-sides.ts';
import { smallPx } from './kit/scene.ts';
import { type ChartTheme, lookOf } from './kit/theme.ts';
import { eventLanes, lanesText } from './plot/event-lanes.ts';
import { drawPanels, type Line, type Panel } from './plot/panels.ts';
import { chosenTargets, defaultWidthPx } from './plot/select.ts';
import { timeAxis } from './plot/ticks.ts';

/** The metrics of a trial at one moment of the run. */
interface Sample {
  readonly view: TrialView;
  readonly runMs: number;
  readonly rate: number;
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  readonly failedPerSecond: number;
  readonly clientCores: number | null;
  readonly eventLoopUtilisation: number | null;
}

/** The most samples of the timeline. More samples would overlap, and would be redrawn several times a second. */
const mostSamples = 2_000;
/** The height of the throughput panel, and the approximate space for titles, ticks and gaps. */
const ratesPx = 250;
const axesPx = { widthPx: 76, heightPx: 46 };
const shortestAxisMs = 10_000;
/** The ratio of throughputs above which the axis is logarithmic. */
const widestLinearSpread = 20;

/** The least number of trials that have one point each, because their seconds could not be told apart. */
const leastDenseTrials = 100;

/** The samples of a run, as they are drawn. */
interface Timeline {
  readonly model: RunModel;
  readonly targets: ReturnType<typeof chosenTargets>;
  /** The samples of each trial, on every target. */
  readonly samples: readonly (readonly Sample[])[];
  /** The samples of the targets that the chart shows. */
  readonly shown: readonly Sample[];
  /** The number of seconds that one sample summarises. Null: each trial is one sample. */
  readonly stride: number | null;
  /** True if the axis of throughput is logarithmic. */
  readonly log: boolean;
  /** True if a line joins the repeats of a variant and target: each trial is one point, and there are few trials. */
  readonly joinsRepeats: boolean;
}

/**
 * Draws the whole run over one time axis, with all targets side by side. The current trial and long trials have a
 * sample per second. A trial below two seconds is one point in its middle. In a run of very many trials, each is a
 * point. Each of several variants is named once on each target.
 */
export function runTimeline(model: RunModel, theme: ChartTheme, widthPx = defaultWidthPx): PanelChart {
  const timeline = timelineOf(model);
  const { shown } = timeline;
  const measured = model.trials.filter(({ measuredFromMs }) => measuredFromMs !== null);
  const lanes = eventLanes(model, measured, theme, ({ measuredFromMs }) => measuredFromMs ?? 0);
  const box = { widthPx: widthPx - axesPx.widthPx, heightPx: ratesPx - axesPx.heightPx };
  const newestMs = Math.max(0, ...shown.map(({ runMs }) => runMs));
  const toMs = Math.max(shortestAxisMs, lanes.toMs, newestMs / (1 - marginOf(timeline, box)));
  const isOne = model.plan.variants.length === 1;
  const sides = isOne || timeline.stride === null ? undefined : sidesOf(timeline, toMs, box);
  const latencies = latencyPanels(timeline, theme);
  const layout = { widthPx, panelHeightPx: 132, ...timeAxis, xName: 'since the start of the run' };
  return {
    id: 'run-timeline',
    title: 'Timeline of the run',
    note: noteOf(timeline, latencies.length, lanes.events > 0 ? lanesText(lanes) : ''),
    ...drawPanels(
      [
        ...driftPanels(timeline, theme),
        ratePanel(timeline, sides, theme),
        ...lanes.panels,
        ...latencies,
        ...healthPanels(timeline, theme),
      ],
      { ...layout, xMax: toMs, shared: true, zooms: true },
      theme,
    ),
    data: {
      columns: [
        ...['variant', 'target', 'repeat', 'run time ms', rateUnit(model), 'p50 ms', 'p99 ms', 'errors/s'],
        ...['client cores', 'event-loop utilisation'],
      ],
      rows: shown.map(({ view: { trial }, runMs, rate, p50Ms, p99Ms, failedPerSecond, ...client }) => [
        ...[trial.variant, trial.target, trial.repeat, Math.round(runMs), rate, p50Ms, p99Ms, failedPerSecond],
        ...[client.clientCores, client.eventLoopUtilisation],
      ]),
    },
  };
}

function timelineOf(model: RunModel): Timeline {
  const targets = chosenTargets(model, {});
  const every = model.trials.map((view) => samplesOf(model, view));
  const isDense = every.filter(({ length }) => length > 0).length >= leastDenseTrials;
  const stride = isDense ? null : Math.ceil(every.reduce((sum, { length }) => sum + length, 0) / mostSamples);
  const joinsRepeats = !isDense && every.every(({ length }) => length <= 1);
  const samples = every.map((trial) => thinned(trial, stride ?? trial.length));
  const shown = samples.flat().filter(({ view }) => targets.some(({ name }) => name === view.trial.target));
  const rates = shown.map(({ rate }) => rate).filter((rate) => rate > 0);
  const log = rates.length > 0 && Math.max(...rates) / Math.min(...rates) > widestLinearSpread;
  return { model, targets, samples, shown, stride, log, joinsRepeats };
}

/** The room to the right of the newest point, for labels, as a share of the panel's width. */
function marginOf({ model: { plan }, joinsRepeats }: Timeline, { widthPx }: Box): number {
  const label = joinsRepeats ? Math.max(0, ...plan.variants.map(({ id }) => labelPx(variantText(plan, id)))) : 0;
  return Math.max(0.08, Math.min(0.25, label / widthPx));
}

const labelPx = (text: string): number => textPx(text, smallPx) + 8;

function noteOf(timeline: Timeline, latencies: number, lanes: string): string {
  const { model, targets, shown, stride, log, joinsRepeats } = timeline;
  return sentences(
    stride === null
      ? 'One point per trial: mean throughput, highest latency of its seconds. Without drift, trials lie near the median of their variant and target.'
      : stride > 1
        ? `One point per ${stride} seconds of a measured phase: mean throughput, highest latency.`
        : joinsRepeats
          ? 'One point per trial. A line joins the repeats of a variant on a target.'
          : 'One point per second of a measured phase; a shorter trial is one point.',
    log ? 'Throughput has a log axis.' : '',
    targets.length < model.plan.targets.length ? 'Reference targets are left out, because they do no work.' : '',
    shown.length > 0 && latencies < latencyValues.length
      ? `There are too few calls per second for ${latencies === 0 ? 'percentiles' : 'the p99'} of latency.`
      : '',
    lanes,
  );
}

/** One line for each target. */
const linesOf = (
  { model, targets, samples, stride, joinsRepeats }: Timeline,
  theme: ChartTheme,
  value: (sample: Sample) => number | null,
  sides?: Sides,
): readonly Line[] =>
  targets.flatMap((target): readonly Line[] => {
    const own = samples.filter((trial) => trial[0]?.view.trial.target === target.name);
    const strokes = strokesOf(own, joinsRepeats);
    return own.length === 0
      ? []
      : [{ ...lookOf(target, theme), ...marksOf(stride), ...joined(model, strokes, value, sides) }];
  });

/** The samples that one line joins: those of a trial, or all of a variant and target. */
const strokesOf = (trials: readonly (readonly Sample[])[], joinsRepeats: boolean): readonly (readonly Sample[])[] =>
  joinsRepeats ? [...Map.groupBy(trials.flat(), ({ view: { trial } }) => keyOf(trial)).values()] : trials;

const marksOf = (stride: number | null) => ({ marked: true, crowded: stride === null });

/**
 * The throughput of each trial, as its difference to the median of the trials of the same variant and target. Points of
 * all variants can be compared, so that drift of the machine is visible. Empty unless each trial is one point.
 */
function driftPanels(timeline: Timeline, theme: ChartTheme): readonly Panel[] {
  const { shown, stride } = timeline;
  if (stride !== null) return [];
  const cellOf = ({ view: { trial } }: Sample) => keyOf(trial);
  const medians = new Map(
    [...Map.groupBy(shown, cellOf)].map(([key, own]) => [key, median(own.map(({ rate }) => rate))] as const),
  );
  const differenceOf = (sample: Sample) => {
    const middle = medians.get(cellOf(sample)) ?? 0;
    return middle > 0 ? sample.rate / middle - 1 : null;
  };
  const farthest = Math.max(0, ...shown.map((sample) => Math.abs(differenceOf(sample) ?? 0)));
  const max = Math.max(0.1, Math.ceil(farthest * 10) / 10);
  return [
    {
      title: 'Throughput of each trial, compared with the median of its variant and target',
      format: formatDifference,
      tick: formatDifferenceTick,
      min: -max,
      max,
      lines: linesOf(timeline, theme, differenceOf),
      levels: [{ value: 0, label: 'median' }],
    },
  ];
}

const formatDifference = (share: number): string =>
  Math.abs(share) < 0.0005 ? '0 %' : `${share > 0 ? '+' : '−'}${formatPercent(Math.abs(share))}`;

const formatDifferenceTick = (share: number): string =>
  Math.abs(share) < 0.0005 ? '0 %' : `${share > 0 ? '+' : '−'}${formatPercentTick(Math.abs(share))}`;

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return (sorted[Math.floor(half)]! + sorted[Math.ceil(half) - 1]!) / 2;
}

const ratePanel = (timeline: Timeline, sides: Sides | undefined, theme: ChartTheme): Panel => ({
  title: `Throughput (${rateUnit(timeline.model)})`,
  ...rateAxis,
  heightPx: ratesPx,
  log: timeline.log,
  lines: linesOf(timeline, theme, ({ rate }) => (timeline.log && rate <= 0 ? null : rate), sides),
});

const latencyValues: readonly (readonly [string, (sample: Sample) => number | null])[] = [
  ['p50', ({ p50Ms }) => p50Ms],
  ['p99', ({ p99Ms }) => p99Ms],
];

/** The percentiles that have at least one value. */
const latencyPanels = (timeline: Timeline, theme: ChartTheme): readonly Panel[] =>
  latencyValues
    .map(
      ([name, value]): Panel => ({
        title: `${latencyTitle(timeline.model.cells)}, ${name} (log)`,
        ...msAxis,
        log: true,
        lines: linesOf(timeline, theme, value),
      }),
    )
    .filter(({ lines }) => lines.some(({ points }) => points.some(([, value]) => value !== null)));

/** Failed calls, if there are any, and the load of the client. */
const healthPanels = (timeline: Timeline, theme: ChartTheme): readonly Panel[] => [
  ...(timeline.shown.some(({ failedPerSecond }) => failedPerSecond > 0)
    ? [
        {
          title: 'Failed calls per second',
          ...rateAxis,
          lines: linesOf(timeline, theme, ({ failedPerSecond }) => failedPerSecond),
        },
      ]
    : []),
  {
    title: 'Client processor (cores)',
    format: (value) => formatNumber(value, 2),
    lines: linesOf(timeline, theme, ({ clientCores }) => clientCores),
  },
  {
    title: 'Client event loop, busiest process',
    ...shareAxis,
    lines: linesOf(timeline, theme, ({ eventLoopUtilisation }) => eventLoopUtilisation),
    max: 1,
    levels: [{ value: 0.7, label: 'saturated' }],
  },
];

/** Merges `stride` neighbours to one sample: the mean of rates, and the maximum of other metrics. */
function thinned(samples: readonly Sample[], stride: number): readonly Sample[] {
  if (stride <= 1) return samples;
  return Array.from({ length: Math.ceil(samples.length / stride) }, (_, group) => {
    const own = samples.slice(group * stride, (group + 1) * stride);
    const mean = (of: (sample: Sample) => number) => own.reduce((sum, sample) => sum + of(sample), 0) / own.length;
    const most = (of: (sample: Sample) => number | null) =>
      own.reduce<number | null>((top, sample) => {
        const value = of(sample);
        return value === null ? top : Math.max(top ?? value, value);
      }, null);
    return {
      view: own[0]!.view,
      runMs: own.at(-1)!.runMs,
      rate: mean(({ rate }) => rate),
      p50Ms: most(({ p50Ms }) => p50Ms),
      p99Ms: most(({ p99Ms }) => p99Ms),
      failedPerSecond: mean(({ failedPerSecond }) => failedPerSecond),
      clientCores: most(({ clientCores }) => clientCores),
      eventLoopUtilisation: most(({ eventLoopUtilisation }) => eventLoopUtilisation),
    };
  });
}

/** The samples that have the name of their variant beside them, and the side on which it has room. */
type Sides = ReadonlyMap<Sample, Side | null>;

function sidesOf({ model: { plan }, shown, log, joinsRepeats }: Timeline, toMs: number, panel: Box): Sides {
  const drawn = shown.filter(({ rate }) => !log || rate > 0);
  const heightOf = scaleOf(
    drawn.map(({ rate }) => rate),
    log,
  );
  const placed = drawn.map((sample) => ({
    sample,
    x: (sample.runMs / toMs) * panel.widthPx,
    y: heightOf(sample.rate) * panel.heightPx,
    widthPx: labelPx(variantText(plan, sample.view.trial.variant)),
    key: keyOf(sample.view.trial),
  }));
  const trials = Map.groupBy(placed, ({ sample, key }) => (joinsRepeats ? key : sample.view));
  // A label stands at either end of the line.
  const ends = placed.filter((one, i) => {
    const isOf = (other: typeof one | undefined) => other?.sample.view === one.sample.view;
    return !isOf(placed[i - 1]) || !isOf(placed[i + 1]);
  });
  const sides = freeSides(ends, [...trials.values()], panel);
  return new Map(ends.map(({ sample }, i) => [sample, sides[i]!]));
}

/** The share of the panel's height, estimated from the axis: linear from zero, or logarithmic between powers of ten. */
function scaleOf(values: readonly number[], log: boolean): (value: number) => number {
  const most = Math.max(...values);
  if (!log) return (value) => value / (1.1 * most);
  const [low, high] = [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(most))];
  return (value) => (Math.log10(value) - low) / Math.max(1, high - low);
}

/** One line for all trials of a target, with gaps between its strokes. */
function joined(
  { plan }: RunModel,
  strokes: readonly (readonly Sample[])[],
  value: (sample: Sample) => number | null,
  sides?: Sides,
): Pick<Line, 'points' | 'texts'> {
  const parts = strokes.map((samples, i) => {
    const text = variantText(plan, samples[0]!.view.trial.variant);
    const points = samples.map((sample) => ({
      point: [sample.runMs, value(sample)] as const,
      text: { text, side: sides?.get(sample) ?? null, alone: samples.length === 1 },
    }));
    const gap = { point: [samples.at(-1)!.runMs, null] as const, text: { text, side: null, alone: false } };
    return i < strokes.length - 1 ? [...points, gap] : points;
  });
  return { points: parts.flat().map(({ point }) => point), texts: parts.flat().map(({ text }) => text) };
}

function samplesOf(model: RunModel, view: TrialView): readonly Sample[] {
  const { series, result, measuredFromMs } = view;
  if (measuredFromMs === null) return [];
  const rates = countsRows(model) ? series.rowsPerSecond : series.callsPerSecond;
  const at = (i: number, runMs: number, rate: number): Sample => ({
    view,
    runMs,
    rate,
    p50Ms: series.p50Ms[i] ?? null,
    p99Ms: series.p99Ms[i] ?? null,
    failedPerSecond: series.errorsPerSecond[i] ?? 0,
    clientCores: series.clientCores[i] ?? null,
    eventLoopUtilisation: series.eventLoopUtilisation[i] ?? null,
  });
  if (series.atMs.length > 1 || result === null)
    return series.atMs.map((atMs, i) => at(i, measuredFromMs + atMs, rates[i] ?? 0));
  if (result.status !== 'ok' || result.elapsedMs <= 0) return [];
  const done = countsRows(model) ? result.totals.rows : result.totals.calls;
  return [at(0, measuredFromMs + result.elapsedMs / 2, (done * 1_000) / result.elapsedMs)];
}
