import type { RunModel } from '#analysis/run-model/run-model.ts';
import type { Baseline } from '#planning/rates/baseline.ts';
import type { SvgRenderer } from '../charts/plot/render-svg.ts';
import { panelOf } from '../outline/outline.ts';
import { type Html, html } from './html.ts';

/** The context in which the parts of a report are drawn. */
export interface ReportContext {
  readonly model: RunModel;
  readonly baseline: Baseline;
  readonly renderSvg: SvgRenderer;
  readonly hasAppendix: boolean;
}

/** The width in which charts are drawn. An A4 page is 690 px wide, and their text becomes as small as a table's. */
export const chartWidthPx = 820;

export const section = (id: string, title: string, note: string | null | undefined, body: Html): Html =>
  html`<section id="${id}"><h2>${title}</h2>${note ? html`<p class="note">${note}</p>` : ''}${body}</section>
`;

/** A link to a section of the appendix. Without the appendix, only the text. */
export const linkTo = ({ hasAppendix }: ReportContext, panel: Parameters<typeof panelOf>[0], text: string): Html =>
  hasAppendix ? html`<a href="#${panelOf(panel).id}">${text}</a>` : html`${text}`;
