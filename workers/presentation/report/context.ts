import type { RunModel } from '#analysis/run-model/run-model.ts';
import type { Baseline } from '#planning/rates/baseline.ts';
import type { ChartTheme } from '../charts/kit/theme.ts';
import { panelOf } from '../outline/outline.ts';
import type { ParagraphLook, ReportBlock, ReportSection, Span, Words } from './document.ts';

export type PanelId = Parameters<typeof panelOf>[0];

/** The context in which the parts of a report are made. */
export interface ReportContext {
  readonly model: RunModel;
  readonly baseline: Baseline;
  /** The theme of all drawings. */
  readonly theme: ChartTheme;
  /** True if the appendix has the panel. */
  readonly hasPanel: (panel: PanelId) => boolean;
}

/** The width in which charts are drawn. An A4 page is 690 px wide, and their text becomes as small as a table's. */
export const chartWidthPx = 820;

export const section = (
  id: string,
  title: string,
  blocks: readonly ReportBlock[],
  note: string | null | undefined = '',
): ReportSection => ({ id, title, note: note ?? '', blocks });

export const paragraph = (look: ParagraphLook, words: Words): ReportBlock => ({ kind: 'paragraph', look, words });

/** A span that leads to a section of the appendix. If the report does not have the section, the span leads nowhere. */
export const linkTo = ({ hasPanel }: Pick<ReportContext, 'hasPanel'>, panel: PanelId, text: string): Span =>
  hasPanel(panel) ? { text, link: panelOf(panel).id } : { text };
