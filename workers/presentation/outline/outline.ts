import type { RunModel } from '#analysis/run-model/run-model.ts';
import { environmentPanels } from './environment-panels.ts';
import { latencyPanels } from './latency-panels.ts';
import type { Panel } from './panel.ts';
import { queryPlanPanels } from './query-plan-panels.ts';
import { summaryPanels } from './summary-panels.ts';
import { timeSeriesPanels } from './time-series-panels.ts';

/**
 * Every panel of a run's results, once, in the order of the report; the window shows those of a tab in the same order.
 * To add a chart, write its file, and an entry in the list of its tab.
 */
const entries = [
  ...summaryPanels,
  ...latencyPanels,
  ...timeSeriesPanels,
  ...queryPlanPanels,
  ...environmentPanels,
] as const;

type PanelId = (typeof entries)[number]['id'];
export const outline: readonly Panel[] = entries;

/** The panel with this id. */
export const panelOf = (id: PanelId): Panel => outline.find((panel) => panel.id === id)!;

export const panelTitle = ({ title }: Panel, model: RunModel): string =>
  typeof title === 'string' ? title : title(model);

/** The name of a panel, for texts that speak of it. */
export const titleOf = (id: PanelId, model: RunModel): string => panelTitle(panelOf(id), model);
