import type { RunModel } from '#analysis/run-model/run-model.ts';
import type { Baseline } from '#planning/rates/baseline.ts';
import type { ChartTheme } from '../charts/kit/theme.ts';
import { panelOf } from '../outline/outline.ts';
import type { ParagraphLook, ReportBlock, ReportSection, Span, Words } from './document.ts';

/** The context in which the parts of a report are made. */
export interface ReportContext {
  readonly model: RunModel;
  readonly baseline: Baseline;
  /** The theme of all drawings. */
  readonly theme: ChartTheme;
  readonly hasAppendix: boolean;
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

/** A span that leads to a section of the appendix. Without the appendix, it leads nowhere. */
export const linkTo = (
  { hasAppendix }: Pick<ReportContext, 'hasAppendix'>,
  panel: Parameters<typeof panelOf>[0],
  text: string,
): Span => (hasAppendix ? { text, link: panelOf(panel).id } : { text });
