import { sweepsOf } from '#analysis/compare/sweep.ts';
import { hasTournament } from '#analysis/compare/tournament.ts';
import { decisionOf } from '#analysis/rehearsal/decision.ts';
import type { RunModel, TrialView } from '#analysis/run-model/run-model.ts';
import { fillingOperations } from '#model/settings/vocabulary.ts';
import { type Baseline, compareOf } from '#planning/rates/baseline.ts';
import type { Chart } from '../charts/kit/chart.ts';
import type { ChartTheme } from '../charts/kit/theme.ts';
import type { Selection } from '../charts/plot/select.ts';
import type { NotedTable, PanelTable } from '../tables/shared/panel-table.ts';
import { sameOnce } from '../tables/shared/same-once.ts';
import type { Fact } from '../text/fact.ts';
import { sentences } from '../text/sentences.ts';
import type { Block, Content, Panel, PanelInput, Tab } from './panel.ts';

/** The panels of one tab. */
export const inTab = <const P extends readonly Omit<Panel, 'tab'>[]>(tab: Tab, panels: P) =>
  panels.map((panel: P[number]) => ({ ...panel, tab }));

export const always = () => true;
export const isMeasured = ({ cells }: RunModel): boolean => cells.some(({ ok }) => ok > 0);
export const showsTournament = (model: RunModel, baseline: Baseline): boolean =>
  isMeasured(model) && model.plan.experiment.rehearsal === undefined && hasTournament(model, baseline);
/** True if the results are the decision of a rehearsal. */
export const isRehearsal = (model: RunModel): boolean => isMeasured(model) && decisionOf(model) !== null;
/** True if the tournament has the judged times. Where targets are compared, these are times of targets. */
export const hasTimesInTournament = (model: RunModel, baseline: Baseline): boolean =>
  showsTournament(model, baseline) && compareOf(model, baseline) === 'levels';
export const hasLatencies = ({ cells }: RunModel): boolean => cells.some(({ latencyMs }) => latencyMs.count > 0);
export const hasCalls = ({ trials }: RunModel): boolean =>
  trials.some(({ result }) => result?.status === 'ok' && result.perCall !== undefined);
export const hasTimeline = ({ trials }: RunModel): boolean => trials.some(({ series }) => series.atMs.length > 1);
export const hasProbes = ({ series: { gauges, probes } }: TrialView): boolean =>
  Object.keys(gauges).length + Object.keys(probes).length > 0;
export const fillsTables = ({ plan }: RunModel): boolean =>
  plan.variants.some(({ settings }) => fillingOperations.includes(settings.operation));
/** True if a sweep over connections has at least this many loads. */
export const hasSweepOf =
  (loads: number) =>
  (model: RunModel): boolean =>
    sweepsOf(model).some(({ points }) => points.length >= loads);
export const hasRows =
  (build: (model: RunModel) => { readonly rows: readonly unknown[] }) =>
  (model: RunModel): boolean =>
    build(model).rows.length > 0;

export const charts = (...all: readonly Chart[]): Content => ({ kind: 'charts', charts: all });
export const blocks = (note: string, ...all: readonly Block[]): Content => ({ kind: 'blocks', note, blocks: all });

type DrawChart = (model: RunModel, theme: ChartTheme, selection: Selection) => Chart;
export const chart =
  (draw: DrawChart) =>
  ({ model, theme, widthPx }: PanelInput): Content =>
    charts(draw(model, theme, { widthPx }));

export const table =
  (build: (model: RunModel) => PanelTable, note = '') =>
  ({ model }: PanelInput): Content =>
    blocks(note, { kind: 'table', table: build(model) });

export const notedTable =
  (build: (model: RunModel) => NotedTable) =>
  ({ model }: PanelInput): Content => {
    const { note, ...built } = build(model);
    return blocks(note, { kind: 'table', table: built });
  };

/** A table, above it the values that all its rows share, and the names of columns without any value. */
export function onceBlocks(built: PanelTable, label: string): readonly Block[] {
  const { same, table } = sameOnce(built);
  const isEmpty = ([, value]: Fact) => value === '–' || value === '';
  const values = same
    .filter((one) => !isEmpty(one))
    .map(([name, value]) => `${name}: ${value.replace(/\.$/, '')}`)
    .join('; ');
  const empty = same
    .filter(isEmpty)
    .map(([name]) => name)
    .join(', ');
  const words = sentences(
    values === '' ? '' : `The same in all rows: ${values}.`,
    empty === '' ? '' : `Not reported in any row: ${empty}.`,
  );
  return [...(words === '' ? [] : [{ kind: 'text', text: words } as const]), { kind: 'table', table, label }];
}
