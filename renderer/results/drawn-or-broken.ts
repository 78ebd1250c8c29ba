import { type DrawnPanel, drawPanel } from '#presentation/outline/draw-panel.ts';
import type { Panel, PanelInput } from '#presentation/outline/panel.ts';

/** A panel whose drawing threw. */
export interface BrokenPanel {
  readonly id: string;
  readonly title: string;
  readonly thrown: unknown;
}

/** The panel as drawn for a run, or the error that drawing it threw. Null if there is nothing to show. */
export function drawnOrBroken(panel: Panel, input: PanelInput): DrawnPanel | BrokenPanel | null {
  try {
    return drawPanel(panel, input);
  } catch (thrown) {
    return { id: panel.id, title: typeof panel.title === 'string' ? panel.title : panel.id, thrown };
  }
}
