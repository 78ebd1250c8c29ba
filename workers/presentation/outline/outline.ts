import type { RunModel } from '#analysis/run-model/run-model.ts';
import { environmentPanels } from './environment-panels.ts';
import { latencyPanels } from './latency-panels.ts';
import type { Panel } from './panel.ts';
import { queryPlanPanels } from './query-plan-panels.ts';
import { summaryPanels } from './summary-panels.ts';
import { timeSeriesPanels } from './time-series-panels.ts';

/**
 * All panels of a run's results. Tabs of the window show their panels in this order, and report/appendix.ts names those
 * of the report. To add a chart, write its file, and add an entry to the list of its tab.
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

/** The name of a panel, for texts that mention it. */
export const titleOf = (id: PanelId, model: RunModel): string => panelTitle(panelOf(id), model);
