import { clientParts, partLabels } from '#analysis/client/client-time.ts';
import { sweepsOf } from '#analysis/compare/sweep.ts';
import type { Finding } from '#analysis/findings/find-findings.ts';
import type { RuleId } from '#analysis/findings/registry.ts';
import type { Evidence, Shown } from '#analysis/findings/shared/finding.ts';
import type { CellSummary, RunModel, TrialView } from '#analysis/run-model/run-model.ts';
import { countsRows, findCell, rateUnit } from '#analysis/run-model/select-cells.ts';
import { serverSummaries } from '#analysis/server/server-summary.ts';
import { ownShares, rankedClasses } from '#analysis/server/server-time.ts';
import { formatCount, formatMs, formatNumber, formatPercent, formatRate, formatShort } from '#model/format/format.ts';
import { keyOf } from '#protocol/cell-key.ts';
import { resourceLabels } from '../../text/resource-labels.ts';
import type { Scene } from '../picture/scene.ts';
import { type ChartTheme, colourOf } from '../plot/theme.ts';
import { rowsDone } from '../plot/trial-line.ts';
import { drawAmounts, drawCurve, drawParts, type Part } from './draw-small.ts';

/** What a picture is drawn from. */
interface Drawn {
  readonly model: RunModel;
  readonly shown: Shown;
  /** Null: the finding is of the whole run. */
  readonly summary: CellSummary | null;
  readonly colour: string;
  readonly theme: ChartTheme;
}

/** Null: the run does not have what the picture shows. */
type Draw = (drawn: Drawn) => Scene | null;

/** The first picture that the run has something for. */
const firstOf =
  (...all: readonly Draw[]): Draw =>
  (drawn) => {
    for (const draw of all) {
      const scene = draw(drawn);
      if (scene !== null) return scene;
    }
    return null;
  };

/** The picture beside the words of a finding. Null: its evidence is neither amounts nor parts of anything. */
export function findingPicture(model: RunModel, { rule, lead }: Finding, theme: ChartTheme): Scene | null {
  const { cell } = lead;
  const index = model.plan.targets.find(({ name }) => name === cell?.target)?.index ?? 0;
  const summary = cell === null ? null : (findCell(model, cell.variant, cell.target) ?? null);
  const draw = pictures[rule.id as RuleId] ?? byEvidence;
  return draw({ model, shown: lead, summary, colour: colourOf(theme, index), theme });
}

const rest = (share: number, label: string, theme: ChartTheme): Part => ({
  label,
  share: 1 - share,
  text: formatPercent(1 - share),
  fill: theme.grid,
});

const isShare = ({ unit, value }: Evidence): boolean => unit === 'share' && value >= 0 && value <= 1;

/** The first share of the evidence, of its whole. */
const share: Draw = ({ shown, colour, theme }) => {
  const first = shown.evidence.find(isShare);
  return first === undefined
    ? null
    : drawParts(
        first.label,
        [
          { label: 'this part', share: first.value, text: first.text, fill: colour },
          rest(first.value, 'the rest', theme),
        ],
        theme,
      );
};

/** Amounts of one unit, where the evidence has two or more. */
const amounts: Draw = ({ shown, colour, theme }) => {
  const groups = Map.groupBy(
    shown.evidence.filter(({ unit, value }) => !['share', '', 'ratio'].includes(unit) && value > 0),
    ({ unit }) => unit,
  );
  const [most] = [...groups.values()].filter((own) => own.length > 1).toSorted((a, b) => b.length - a.length);
  if (most === undefined) return null;
  const title = { ms: 'Time', bytes: 'Bytes' }[most[0]!.unit] ?? most[0]!.unit;
  return drawAmounts(
    title,
    most.map(({ label, value, text }) => ({ label, value, text, fill: colour })),
    theme,
  );
};

/** The throughput of the cell beside that of the cell that it was compared with. */
const ratio: Draw = ({ model, shown, summary, colour, theme }) => {
  const compared = shown.evidence.find(({ unit, value }) => unit === 'ratio' && value > 0);
  const cell = compared?.link?.cell;
  const other = cell ? findCell(model, cell.variant, cell.target)?.rowsPerSecond : null;
  if (compared === undefined || summary?.rowsPerSecond == null || other == null) return null;
  const amount = (label: string, value: number, fill: string) => ({ label, value, fill, text: formatShort(value) });
  return drawAmounts(
    `Throughput (${rateUnit(model)})`,
    [
      amount('this cell', summary.rowsPerSecond.value, colour),
      amount(compared.label.replace(/^Throughput /, '').replace(/ instead of .*$/, ''), other.value, theme.muted),
    ],
    theme,
  );
};

const byEvidence = firstOf(amounts, ratio, share);

/** A mean call: what of it is network, server and client. */
const callTime: Draw = ({ shown, summary, theme }) => {
  const part = shown.evidence.find(isShare)?.value;
  const steps = [summary?.call, summary?.transaction].flatMap((one) => one ?? []);
  if (part === undefined || steps.length === 0 || !summary?.call) return null;
  const perCall = (of: 'sendMs' | 'waitMs' | 'receiveMs') =>
    steps.reduce((sum, step) => sum + step[of] * step.calls, 0) / summary.call!.calls;
  const [clientMs, waitMs] = [perCall('sendMs') + perCall('receiveMs'), perCall('waitMs')];
  const totalMs = clientMs + waitMs;
  // A round trip of the cheapest statement may be longer than the wait that the sockets saw.
  const network = Math.min(part, waitMs / totalMs);
  const parts = [
    { label: 'network', share: network, fill: theme.parts.wait.fill },
    { label: 'server', share: waitMs / totalMs - network, fill: theme.classes.cpu },
    { label: 'send and receive', share: clientMs / totalMs, fill: theme.parts.encode.fill },
  ];
  return drawParts(
    `A call, ${formatMs(totalMs)}`,
    parts.map((one) => ({ ...one, text: formatPercent(one.share) })),
    theme,
  );
};

/** Where the time of the client's processes went. */
const clientTime: Draw = ({ summary, theme }) =>
  summary?.clientTime
    ? drawParts(
        'Time of the client processes',
        clientParts.map((part) => ({
          label: partLabels[part],
          share: summary.clientTime![part],
          text: formatPercent(summary.clientTime![part]),
          fill: theme.parts[part].fill,
        })),
        theme,
      )
    : null;

/** What the server's own time went into. */
const serverTime: Draw = ({ model, shown, theme }) => {
  const { cell } = shown;
  const time = cell === null ? null : serverSummaries(model).find((one) => keyOf(one) === keyOf(cell))?.time;
  const classes = time ? rankedClasses(ownShares(time)) : [];
  return classes.length === 0
    ? null
    : drawParts(
        'The server’s own time',
        classes.map(([one, value]) => ({
          label: resourceLabels[one],
          share: value,
          text: formatPercent(value),
          fill: theme.classes[one],
        })),
        theme,
      );
};

/** Throughput over the connections, with its knee or peak. */
const loadCurve: Draw = ({ model, shown, colour, theme }) => {
  const { cell } = shown;
  const sweep = sweepsOf(model).find(
    ({ target, points }) => target === cell?.target && points.some(({ variant }) => variant === cell.variant),
  );
  if (sweep === undefined || sweep.points.length < 2) return null;
  const highest = sweep.points.at(-1)!.load;
  const within = (label: string, load: number | undefined) =>
    load === undefined || load > highest ? [] : [{ x: load, label: `${label} ${formatNumber(load, 2)}` }];
  const [knee] = within('knee', sweep.knee?.value);
  return drawCurve(
    {
      title: `Throughput (${sweep.unit})`,
      points: sweep.points.map(({ load, mean }) => ({ x: load, y: mean.value })),
      marks: knee ? [knee] : within('peak', sweep.peak?.load.value),
      ...{ xName: 'connections', xTick: formatCount, colour, isLogX: highest >= 8, hasDots: true },
    },
    theme,
  );
};

const viewOf = ({ model, shown: { cell } }: Drawn): TrialView | undefined =>
  cell === null
    ? undefined
    : model.trials.find(({ trial, series }) => keyOf(trial) === keyOf(cell) && series.atMs.length > 2);

const ratesOf = (model: RunModel, { series }: TrialView) =>
  countsRows(model) ? series.rowsPerSecond : series.callsPerSecond;

/** The seconds of the cell's first trial that were far below its median. */
const lowShare = 0.8;

const seconds: Draw = (drawn) => {
  const { model, colour, theme } = drawn;
  const view = viewOf(drawn);
  if (view === undefined) return null;
  const rates = ratesOf(model, view);
  const { atMs } = view.series;
  const median = rates.toSorted((a, b) => a - b)[Math.floor(rates.length / 2)]!;
  const spans = atMs.flatMap((at, i) => (rates[i]! < median * lowShare ? [{ from: atMs[i - 1] ?? 0, to: at }] : []));
  return drawCurve(
    {
      title: `Throughput (${rateUnit(model)}), repeat ${view.trial.repeat}`,
      points: atMs.map((x, i) => ({ x, y: rates[i]! })),
      marks: [],
      bands: { label: `${formatPercent(1 - lowShare)} or more below the median`, spans },
      ...{ xName: 'time', xTick: (ms: number) => `${formatNumber(ms / 1_000, 3)}\u00a0s`, colour },
      ...{ isLogX: false, hasDots: false },
    },
    theme,
  );
};

const overRows: Draw = (drawn) => {
  const { model, colour, theme } = drawn;
  const view = viewOf(drawn);
  if (view === undefined) return null;
  const done = rowsDone(view);
  return drawCurve(
    {
      title: `Throughput (${rateUnit(model)}), repeat ${view.trial.repeat}`,
      points: done.map((x, i) => ({ x, y: ratesOf(model, view)[i]! })),
      ...{ marks: [], xName: 'rows done', xTick: formatShort, colour, isLogX: false, hasDots: false },
    },
    theme,
  );
};

/** The repeats of the cell, one by one. */
const repeats: Draw = ({ model, shown: { cell }, colour, theme }) => {
  const own =
    cell === null
      ? []
      : model.trials.filter(({ trial, result }) => keyOf(trial) === keyOf(cell) && result?.status === 'ok');
  const found = own.flatMap(({ trial, result }) => {
    if (result === null || result.elapsedMs <= 0) return [];
    const count = countsRows(model) ? result.totals.rows : result.totals.calls;
    const value = (count * 1_000) / result.elapsedMs;
    return [{ label: `repeat ${trial.repeat}`, value, text: formatRate(value, rateUnit(model)), fill: colour }];
  });
  return found.length < 2 ? null : drawAmounts('Throughput of each repeat', found, theme);
};

/** A percentile as it was measured, and with the calls that were not sent meanwhile. */
const corrected: Draw = ({ shown, colour, theme }) => {
  const both = shown.evidence.filter(({ label }) => / as measured$| corrected$/.test(label));
  return both.length < 2
    ? null
    : drawAmounts(
        'Latency',
        both.map(({ label, value, text }, i) => ({ label, value, text, fill: i === 0 ? theme.muted : colour })),
        theme,
      );
};

/** The slowest calls: how much of their time was pauses of their process. */
const pauses: Draw = ({ shown, theme }) => {
  const paused = shown.evidence.find(isShare);
  return paused === undefined
    ? null
    : drawParts(
        'Time of the slowest calls',
        [
          { label: 'pauses of the client', share: paused.value, text: paused.text, fill: theme.parts.generate.fill },
          { ...rest(paused.value, 'network and server', theme), fill: theme.parts.wait.fill },
        ],
        theme,
      );
};

/** Pictures of single rules; every other rule has that of its evidence. */
const pictures: Readonly<Partial<Record<RuleId, Draw>>> = {
  clientSaturated: firstOf(clientTime, byEvidence),
  coordinatedOmission: firstOf(corrected, byEvidence),
  gcInTail: firstOf(pauses, byEvidence),
  generationBound: firstOf(clientTime, byEvidence),
  concurrencyKnee: firstOf(loadCurve, byEvidence),
  decaysWithSize: firstOf(overRows, byEvidence),
  errorsHideThroughput: firstOf(share, byEvidence),
  fetchSizeTooSmall: firstOf(ratio, byEvidence),
  roundTripBound: firstOf(callTime, byEvidence),
  checkpointDips: firstOf(seconds, byEvidence),
  commitBound: firstOf(serverTime, ratio, byEvidence),
  contention: firstOf(serverTime, byEvidence),
  hardParsing: firstOf(ratio, byEvidence),
  statementDominates: firstOf(share, byEvidence),
  typedNull: firstOf(ratio, byEvidence),
  highVariability: firstOf(repeats, byEvidence),
  notSteady: firstOf(seconds, byEvidence),
  settingsDiffer: () => null,
};
