import type { SvgRenderer } from '../charts/plot/render-svg.ts';
import { runFileNote } from './appendix.ts';
import type { ReportDocument, ReportLogo, ReportSection } from './document.ts';
import { type Html, html, htmlText, trusted } from './html.ts';
import { type HtmlContext, renderBlock } from './html-blocks.ts';
import { withoutInlineStyles } from './inline-styles.ts';
import { style } from './style.ts';

/** The functions that this folder cannot have, because they need a library or Node. */
export interface HtmlTools {
  /** Draws charts; see charts/plot/render-svg.ts. */
  readonly renderSvg: SvgRenderer;
  /** Returns the SHA-256 of a text in UTF-8, as base64. */
  readonly sha256: (text: string) => string;
}

/**
 * Writes a report as one HTML file. The file has no script, loads nothing, and its policy allows one style sheet by
 * hash. It follows light and dark mode, and prints in light mode.
 */
export function renderHtml(document: ReportDocument, { renderSvg, sha256 }: HtmlTools): string {
  const { title, logo, question, meta, firstPages, appendix } = document;
  const context: HtmlContext = { document, renderSvg };
  const { markup, rules } = withoutInlineStyles(
    htmlText(html`<main>
<header>${logo === null ? '' : logoImage(logo)}<h1>${title}</h1><p class="question">${question}</p>
<p class="meta">${meta.join(' · ')}</p></header>
${firstPages.map((one) => renderSection(one, context))}
${appendix === null ? '' : renderAppendix(appendix, context)}
</main>`),
  );
  const sheet = style + rules;
  return htmlText(html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${trusted(sha256(sheet))}';${logo === null ? '' : ' img-src data:;'} base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${title} – Dyno report</title><style>${trusted(sheet)}</style></head>
<body>${trusted(markup)}</body></html>
`);
}

/** The policy lets pictures come from the file itself only. The logo is decoration beside the title. */
const logoImage = ({ png, widthPx, heightPx }: ReportLogo): Html =>
  html`<img class="logo" alt="" width="${widthPx}" height="${heightPx}" src="data:image/png;base64,${png}">`;

const renderSection = ({ id, title, note, blocks }: ReportSection, context: HtmlContext): Html =>
  html`<section id="${id}"><h2>${title}</h2>${note === '' ? '' : html`<p class="note">${note}</p>`}${blocks.map((one) => renderBlock(one, context))}</section>
`;

const renderAppendix = (sections: readonly ReportSection[], context: HtmlContext): Html =>
  html`<div class="appendix" id="appendix"><h1>Appendix</h1>
<nav>${sections.map(({ id, title }) => html`<a href="#${id}">${title}</a> `)}</nav>
${sections.map((one) => renderSection(one, context))}
<p class="note">${runFileNote}</p></div>`;
