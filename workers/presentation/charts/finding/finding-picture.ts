import { clientParts, partLabels } from '#analysis/client/client-time.ts';
import { sweepsOf } from '#analysis/compare/sweep.ts';
import type { Finding } from '#analysis/findings/find-findings.ts';
import type { RuleId } from '#analysis/findings/registry.ts';
import { dipsOf } from '#analysis/findings/server/checkpoint-dips.ts';
import type { Evidence, Shown } from '#analysis/findings/shared/finding.ts';
import type { CellSummary, RunModel, TrialView } from '#analysis/run-model/run-model.ts';
import { countsRows, findCell, rateUnit } from '#analysis/run-model/select-cells.ts';
import { statementPlans, type UsedPlan } from '#analysis/server/query-plans.ts';
import { serverSummaries } from '#analysis/server/server-summary.ts';
import { ownShares, rankedClasses } from '#analysis/server/server-time.ts';
import { comparedSettingsTable, countsAlways } from '#analysis/settings/compared-settings.ts';
import type { PlanStep } from '#engine-api/query-plan.ts';
import { formatCount, formatMs, formatNumber, formatPercent, formatRate, formatShort } from '#model/format/format.ts';
import { isContender } from '#planning/rates/contenders.ts';
import { isTimed, throughputOf } from '#planning/rates/trial-rate.ts';
import { variantText } from '#planning/variant-of.ts';
import { keyOf } from '#protocol/cell-key.ts';
import { resourceLabels } from '../../text/resource-labels.ts';
import { drawParts, type Part } from '../kit/parts.ts';
import type { Scene } from '../kit/scene.ts';
import { type ChartTheme, colourOf } from '../kit/theme.ts';
import { rowsDone } from '../plot/trial-line.ts';
import { drawAmounts, drawCurve } from './draw-small.ts';
import { drawMatrix, drawTrees } from './draw-words.ts';

/** The data that a picture is drawn from. */
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

/**
 * The picture beside the words of a finding: its rule's own, else that of its evidence, else its cell among the others.
 * Null: of a whole run without anything to draw.
 */
export function findingPicture(model: RunModel, { rule, lead }: Finding, theme: ChartTheme): Scene | null {
  const { cell } = lead;
  const index = model.plan.targets.find(({ name }) => name === cell?.target)?.index ?? 0;
  const summary = cell === null ? null : (findCell(model, cell.variant, cell.target) ?? null);
  const draw = firstOf(pictures[rule.id as RuleId] ?? byEvidence, amongCells);
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

/** Bars beside the cell that a finding is about. */
const mostCells = 5;

/** The throughput of the cell among those of its variant, or else of its target, where nothing else can be drawn. */
const amongCells: Draw = ({ model, shown: { cell }, summary, colour, theme }) => {
  if (cell === null || summary?.rowsPerSecond == null) return null;
  const measured = model.cells.filter(
    ({ rowsPerSecond, target }) => rowsPerSecond !== null && isContender(model, target),
  );
  const sameVariant = measured.filter(({ variant }) => variant === cell.variant);
  const isAcross = sameVariant.length > 1;
  const others = (isAcross ? sameVariant : measured.filter(({ target }) => target === cell.target)).filter(
    (one) => keyOf(one) !== keyOf(cell),
  );
  const bar = (one: CellSummary, fill: string) => ({
    label: isAcross ? one.target : variantText(model.plan, one.variant),
    value: one.rowsPerSecond!.value,
    fill,
    text: formatShort(one.rowsPerSecond!.value),
  });
  return drawAmounts(
    `Throughput (${rateUnit(model)})`,
    [bar(summary, colour), ...others.slice(0, mostCells).map((one) => bar(one, theme.muted))],
    theme,
  );
};

/** Two or more counts of the evidence of one kind, by their labels. */
const counts =
  (title: string, ...labels: readonly RegExp[]): Draw =>
  ({ shown, colour, theme }) => {
    const found = labels.flatMap((label) => shown.evidence.find((one) => label.test(one.label)) ?? []);
    return found.length < labels.length
      ? null
      : drawAmounts(
          title,
          found.map(({ label, value, text }, i) => ({ label, value, text, fill: i === 0 ? colour : theme.muted })),
          theme,
        );
  };

/** Plans and steps that have room. */
const [mostPlans, mostSteps] = [2, 6];

/**
 * The plans that a statement of the cell had: those of the first statement with several, else of the first with any.
 * The steps that the finding is about stand out.
 */
const plans =
  (isAbout: (step: PlanStep) => boolean): Draw =>
  ({ model, shown: { cell }, colour, theme }) => {
    if (cell === null) return null;
    const isOwn = ({ uses }: UsedPlan) => uses.some((use) => keyOf(use) === keyOf(cell));
    const known = statementPlans(model).filter((one) => one.plans.some(isOwn));
    const own = known.map((one) => ({ ...one, plans: one.plans.filter(isOwn) }));
    const several = own.find((one) => one.plans.length > 1) ?? known.find((one) => one.plans.length > 1);
    const chosen = several ?? own[0];
    if (chosen === undefined) return null;
    return drawTrees(
      `Plan of ${chosen.statement ?? 'the operation'}`,
      chosen.plans.slice(0, mostPlans).map(({ plan, uses }) => ({
        label: uses.some(({ repeats }) => repeats.length > 0)
          ? `repeat ${uses
              .flatMap(({ repeats }) => repeats)
              .slice(0, 4)
              .join(', ')}`
          : '',
        lines: plan.steps.slice(0, mostSteps).map((step) => ({
          depth: step.depth,
          text: [step.operator, step.table, step.index].filter((word) => word !== null && word !== '').join(' · '),
          isMarked: isAbout(step),
        })),
      })),
      colour,
      theme,
    );
  };

/** The settings that count and differ, with what each target has. */
const settings: Draw = ({ model, theme }) => {
  const targets = model.targets.filter(({ name }) => isContender(model, name));
  const rows = comparedSettingsTable({ ...model, targets }).filter(
    ({ differs, matters }) => differs && countsAlways(matters),
  );
  if (rows.length === 0) return null;
  const shownTargets = targets.slice(0, mostColumns);
  return drawMatrix(
    'Settings that differ',
    shownTargets.map(({ name }) => ({
      label: name,
      fill: colourOf(theme, model.plan.targets.find((one) => one.name === name)?.index ?? 0),
    })),
    rows.slice(0, mostSteps).map(({ setting, values }) => ({
      label: setting,
      cells: shownTargets.map((_, i) => values[i] ?? '–'),
    })),
    theme,
  );
};

/** Targets that have room beside each other. */
const mostColumns = 3;

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

/** The time of the client's processes by activity. */
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

/** The server's own time by class. */
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

const viewsOf = ({ model, shown: { cell } }: Drawn): readonly TrialView[] =>
  cell === null
    ? []
    : model.trials.filter(({ trial, series }) => keyOf(trial) === keyOf(cell) && series.atMs.length > 2);

const ratesOf = (model: RunModel, { series }: TrialView) =>
  countsRows(model) ? series.rowsPerSecond : series.callsPerSecond;

/** The trial of the cell with the most dips, and where they are: the seconds that the rule counted. */
const dips: Draw = (drawn) => {
  const views = viewsOf(drawn).toSorted((a, b) => dipsOf(b).length - dipsOf(a).length);
  const [view] = views;
  if (view === undefined) return null;
  const spans = dipsOf(view).map(({ fromMs, toMs }) => ({ from: fromMs, to: toMs }));
  return spans.length === 0 ? null : drawSeconds(drawn, view, { label: 'dips', spans });
};

/** The first trial of the cell, second by second. */
const seconds: Draw = (drawn) => {
  const [view] = viewsOf(drawn);
  return view === undefined ? null : drawSeconds(drawn, view);
};

const drawSeconds = (
  { model, colour, theme }: Drawn,
  view: TrialView,
  bands?: Parameters<typeof drawCurve>[0]['bands'],
) =>
  drawCurve(
    {
      title: `Throughput (${rateUnit(model)}), repeat ${view.trial.repeat}`,
      points: view.series.atMs.map((x, i) => ({ x, y: ratesOf(model, view)[i]! })),
      marks: [],
      ...(bands && { bands }),
      ...{ xName: 'time', xTick: (ms: number) => `${formatNumber(ms / 1_000, 3)}\u00a0s`, colour },
      ...{ isLogX: false, hasDots: false },
    },
    theme,
  );

const overRows: Draw = (drawn) => {
  const { model, colour, theme } = drawn;
  const [view] = viewsOf(drawn);
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
    if (result === null || !isTimed(result)) return [];
    const value = throughputOf(result);
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

/** The slowest calls: how many of them spent most of their time in pauses of their process. */
const pauses: Draw = ({ shown, theme }) => {
  const of = (label: string) => shown.evidence.find((one) => one.label === label)?.value;
  const [all, delayed] = [of('Slowest calls'), of('Delayed by pauses')];
  if (!all || delayed === undefined) return null;
  const part = (label: string, count: number, fill: string) => ({
    label,
    share: count / all,
    text: formatCount(count),
    fill,
  });
  return drawParts(
    `The ${formatCount(all)} slowest calls`,
    [
      part('mostly in pauses of the client', delayed, theme.parts.generate.fill),
      part('others', all - delayed, theme.parts.wait.fill),
    ],
    theme,
  );
};

/** The server's own time, where the log takes most of it; where fewer commits were faster, that comparison. */
const commits: Draw = (drawn) => {
  const log = drawn.shown.evidence.find(({ label }) => label === 'Log, of the server’s own time');
  return log !== undefined && log.value >= 0.5 ? serverTime(drawn) : ratio(drawn);
};

/** Trials or calls that failed for a limit, of all of them. */
const refused: Draw = ({ shown, theme, colour }) => {
  const failed = shown.evidence.find(({ label }) => label.endsWith('that failed for a limit'));
  const what = failed?.label.split(' ')[0];
  return failed === undefined
    ? null
    : drawParts(
        `${what} of this cell`,
        [
          { label: 'failed for a limit', share: shown.explains, text: formatPercent(shown.explains), fill: colour },
          rest(shown.explains, 'others', theme),
        ],
        theme,
      );
};

/** The busiest of the client's shares, where it is what made the client the limit. */
const busiest: Draw = (drawn) => {
  const [most] = drawn.shown.evidence.filter(isShare).toSorted((a, b) => b.value - a.value);
  return most === undefined || most.value < 0.7
    ? null
    : share({ ...drawn, shown: { ...drawn.shown, evidence: [most] } });
};

/** Pictures of single rules; every other rule has that of its evidence. */
const pictures: Readonly<Partial<Record<RuleId, Draw>>> = {
  clientSaturated: firstOf(clientTime, busiest),
  coordinatedOmission: firstOf(corrected, byEvidence),
  gcInTail: firstOf(pauses, byEvidence),
  generationBound: firstOf(clientTime, byEvidence),
  concurrencyKnee: firstOf(loadCurve, byEvidence),
  decaysWithSize: firstOf(overRows, byEvidence),
  errorsHideThroughput: share,
  poolExhausted: firstOf(refused, counts('Sessions', /^Connections set$/, /^Most sessions at the server$/), byEvidence),
  fetchSizeTooSmall: firstOf(ratio, byEvidence),
  roundTripBound: firstOf(callTime, byEvidence),
  estimatesOff: firstOf(counts('Rows of a step of the plan', /^Rows estimated$/, /^Rows counted$/), byEvidence),
  foreignKeyWithoutIndex: firstOf(counts('Rows', /^Rows read for each delete$/, /^Rows of /), byEvidence),
  fullScan: firstOf(counts('Rows of one execution', /^Rows read$/, /^Rows wanted$/), byEvidence),
  indexNotUsed: firstOf(counts('Rows of one execution', /^Rows read$/, /^Rows wanted$/), byEvidence),
  planChanged: firstOf(
    plans(() => false),
    byEvidence,
  ),
  spilled: firstOf(
    plans(({ spilled }) => spilled === true),
    byEvidence,
  ),
  checkpointDips: firstOf(dips, byEvidence),
  commitBound: firstOf(commits, byEvidence),
  contention: firstOf(serverTime, byEvidence),
  hardParsing: firstOf(ratio, byEvidence),
  statementDominates: share,
  typedNull: firstOf(ratio, byEvidence),
  highVariability: firstOf(repeats, byEvidence),
  notSteady: seconds,
  settingsDiffer: settings,
};
