import type { RunModel } from '#analysis/run-model/run-model.ts';
import { conditionsPanels } from './conditions-panels.ts';
import { latencyPanels } from './latency-panels.ts';
import type { Panel } from './panel.ts';
import { resultsPanels } from './results-panels.ts';
import { timelinePanels } from './timeline-panels.ts';

/**
 * Every panel of a run's results, once, in the order of the report; the window shows those of a tab in the same order.
 * To add a chart, write its file, and an entry in the list of its tab.
 */
const entries = [...resultsPanels, ...latencyPanels, ...timelinePanels, ...conditionsPanels] as const;

type PanelId = (typeof entries)[number]['id'];
export const outline: readonly Panel[] = entries;

/** The panel with this id. */
export const panelOf = (id: PanelId): Panel => outline.find((panel) => panel.id === id)!;

export const panelTitle = ({ title }: Panel, model: RunModel): string =>
  typeof title === 'string' ? title : title(model);

/** The name of a panel, for texts that speak of it. */
export const titleOf = (id: PanelId, model: RunModel): string => panelTitle(panelOf(id), model);
