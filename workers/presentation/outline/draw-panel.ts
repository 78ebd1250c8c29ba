import type { RunModel, TrialView } from '#analysis/run-model/run-model.ts';
import { workingTargets } from '#planning/rates/contenders.ts';
import type { Chart } from '../charts/kit/chart.ts';
import { withFactorColumns } from '../tables/shared/factor-columns.ts';
import { panelTitle } from './outline.ts';
import type { Block, Content, Panel, PanelInput, TrialChoice } from './panel.ts';

/** A panel and its content for a run. */
export interface DrawnPanel {
  readonly id: string;
  readonly title: string;
  readonly content: Content;
}

/** Draws a panel. Null if there is nothing to show. Charts without values are left out. */
export function drawPanel(panel: Panel, input: PanelInput): DrawnPanel | null {
  const { model } = input;
  if (!panel.when(model)) return null;
  const content = inColumns(withoutEmptyCharts(panel.draw(input)), model.plan);
  return isEmpty(content) ? null : { id: panel.id, title: panelTitle(panel, model), content };
}

/** A panel about single trials, with a group of blocks for each variant. */
export function drawEveryVariant(panel: Panel, choice: TrialChoice, input: PanelInput): DrawnPanel | null {
  const { model } = input;
  const groups = model.plan.variants.flatMap(({ id, label }): readonly Block[] => {
    const all = trialsOf(model, id, choice);
    const views = choice.repeats === 'all' ? all : firstRepeat(all);
    const drawn = views.length === 0 ? null : drawPanel(panel, { ...input, views });
    return drawn === null ? [] : [{ kind: 'group', title: label, blocks: blocksOf(drawn.content) }];
  });
  return groups.length === 0
    ? null
    : { id: panel.id, title: panelTitle(panel, model), content: { kind: 'blocks', blocks: groups } };
}

/** The trials of a variant that the panel can show, without hidden targets. */
export function trialsOf(model: RunModel, variant: string, { has }: TrialChoice): readonly TrialView[] {
  const targets = new Set(workingTargets(model).map(({ name }) => name));
  return model.trials.filter(
    (view) =>
      view.trial.variant === variant &&
      targets.has(view.trial.target) &&
      view.series.atMs.length > 0 &&
      has(view, model),
  );
}

function firstRepeat(views: readonly TrialView[]): readonly TrialView[] {
  const first = Math.min(...views.map(({ trial }) => trial.repeat));
  return views.filter(({ trial }) => trial.repeat === first);
}

const withoutEmptyCharts = (content: Content): Content =>
  content.kind === 'charts' ? { ...content, charts: content.charts.filter(hasValues) } : content;

/** Tables have one column for each factor. */
const inColumns = (content: Content, plan: RunModel['plan']): Content =>
  content.kind === 'blocks'
    ? { ...content, blocks: content.blocks.map((block) => blockInColumns(block, plan)) }
    : content;

function blockInColumns(block: Block, plan: RunModel['plan']): Block {
  if (block.kind === 'table') return { ...block, table: withFactorColumns(block.table, plan) };
  if (block.kind === 'group' || block.kind === 'fold')
    return { ...block, blocks: block.blocks.map((one) => blockInColumns(one, plan)) };
  return block;
}

/** The numbers of a panel chart are not built for this, because a long trial has tens of thousands of rows. */
const hasValues = (chart: Chart): boolean => ('scene' in chart ? chart.data.rows.length > 0 : chart.panels > 0);

function isEmpty(content: Content): boolean {
  switch (content.kind) {
    case 'charts':
      return content.charts.length === 0;
    case 'blocks':
      return content.blocks.every((block) => block.kind === 'table' && block.table.rows.length === 0);
    default:
      return false;
  }
}

const textBlocks = (text: string | null | undefined): readonly Block[] => (text ? [{ kind: 'text', text }] : []);

function blocksOf(content: Content): readonly Block[] {
  switch (content.kind) {
    case 'charts':
      return content.charts.flatMap((chart): readonly Block[] => {
        const blocks: readonly Block[] = [...textBlocks(chart.note), { kind: 'chart', chart }];
        return chart.fold === undefined
          ? blocks
          : [{ kind: 'fold', summary: chart.title, blocks, isOpenInReport: false }];
      });
    case 'blocks':
      return [...textBlocks(content.note), ...content.blocks];
    default:
      return [];
  }
}
