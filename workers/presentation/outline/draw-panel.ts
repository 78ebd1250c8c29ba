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
  const { model, baseline } = input;
  if (!panel.when(model, baseline)) return null;
  const content = inColumns(withoutEmptyCharts(panel.draw(input)), model.plan);
  return isEmpty(content) ? null : { id: panel.id, title: panelTitle(panel, model), content };
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
