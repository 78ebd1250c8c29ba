import { drawRatioMark, ratioMarkClass, ratioMarkPx } from '../charts/kit/ratio-mark.ts';
import { sceneText, shapeText } from '../charts/kit/scene.ts';
import { colourIndex } from '../charts/kit/theme.ts';
import type { SvgRenderer } from '../charts/plot/render-svg.ts';
import type { PanelColumn, RatioMark } from '../tables/shared/panel-table.ts';
import type { Fact } from '../text/fact.ts';
import { chartWidthPx } from './context.ts';
import {
  type ParagraphLook,
  plainWords,
  type ReportBlock,
  type ReportCaveat,
  type ReportCell,
  type ReportDocument,
  type ReportFinding,
  type ReportTable,
  type Span,
  type SpanLook,
  type Words,
} from './document.ts';
import { type Html, html, trusted, unbrokenRanges } from './html.ts';

export interface HtmlContext {
  readonly document: ReportDocument;
  readonly renderSvg: SvgRenderer;
}

export function renderBlock(block: ReportBlock, context: HtmlContext): Html {
  const { document, renderSvg } = context;
  switch (block.kind) {
    case 'paragraph':
      return html`<p${classOf(paragraphClasses[block.look])}>${renderWords(block.words, block.look === 'headline')}</p>`;
    case 'heading': {
      const swatch = block.target === undefined ? '' : targetSwatch(document, block.target);
      return block.level === 3 ? html`<h3>${swatch}${block.text}</h3>` : html`<h4>${swatch}${block.text}</h4>`;
    }
    case 'facts':
      return html`<dl>${block.facts.map(renderFact)}</dl>`;
    case 'table':
      return renderTable(block.table, document);
    case 'picture':
      return html`<div class="picture">${trusted(sceneText(block.scene))}</div>`;
    case 'chart':
      return html`<div class="scroll">${trusted(renderSvg(block.chart, chartWidthPx))}</div>`;
    case 'code':
      return html`${block.label === undefined ? '' : html`<p class="note">${block.label}</p>`}<pre>${block.text}</pre>`;
    case 'caveats':
      return html`<ul class="caveats">${block.caveats.map(renderCaveat)}</ul>`;
    case 'findings':
      return html`<ul class="caveats findings">${block.findings.map(renderFinding)}</ul>`;
  }
}

const paragraphClasses: Readonly<Record<ParagraphLook, string>> = {
  plain: '',
  note: 'note',
  headline: 'headline',
  certainty: 'certainty',
  grade: 'grade',
  own: 'user-note',
  aside: 'where',
};

const spanClasses: Readonly<Record<SpanLook, string>> = {
  aside: 'interval',
  faster: 'faster',
  slower: 'slower',
  none: 'none',
  good: 'good',
  usable: 'usable',
  doNotQuote: 'doNotQuote',
  warning: 'unlike',
  letters: 'letters',
  bad: 'bad',
};
/** Grades stand out by their element, too. */
const strongLooks: readonly (SpanLook | undefined)[] = ['good', 'usable', 'doNotQuote'];

const classOf = (name: string): Html => (name === '' ? html`` : html` class="${name}"`);

const renderWords = (words: Words, isUnbroken = false): Html =>
  typeof words === 'string'
    ? html`${isUnbroken ? unbrokenRanges(words) : words}`
    : html`${words.map((one) => (typeof one === 'string' ? renderWords(one, isUnbroken) : renderSpan(one)))}`;

function renderSpan({ text, look, link, about }: Span): Html {
  const words = look === 'aside' ? unbrokenRanges(text) : text;
  const inside = link === undefined ? html`${words}` : html`<a href="#${link}">${words}</a>`;
  if (look === undefined) return inside;
  const title = about === undefined || about === '' ? '' : html` title="${about}"`;
  return strongLooks.includes(look)
    ? html`<strong class="${spanClasses[look]}"${title}>${inside}</strong>`
    : html`<span class="${spanClasses[look]}"${title}>${inside}</span>`;
}

const renderFact = ([name, value, about]: Fact): Html =>
  html`<dt>${name}</dt><dd>${about === undefined ? value : html`<abbr title="${about}">${value}</abbr>`}</dd>`;

function renderCaveat({ letter, severity, title, cells, texts, more }: ReportCaveat): Html {
  const lines = texts.map(
    ({ places, text }) => html`${places === '' ? '' : html`<span class="where">${places}: </span>`}${text}`,
  );
  const isMoreInLine = more !== null && lines.length === 1;
  return html`<li>${letter === null ? '' : html`<span class="letter">${letter}</span>`}<span class="kind ${severity}">${title}</span>${cells === '' ? '' : html` <span class="where">${cells}</span>`}${lines.map(
    (line) => html`<p>${line}${isMoreInLine ? html` <span class="where">${renderSpan(more)}</span>` : ''}</p>`,
  )}${more === null || isMoreInLine ? '' : html`<p class="where">${renderSpan(more)}</p>`}</li>`;
}

function renderFinding({ title, confidence, claim, scene, evidence, advice }: ReportFinding): Html {
  const rows = evidence.map(({ label, text }) => html`<tr><td>${label}</td><td class="n">${text}</td></tr>`);
  const picture = scene === null ? '' : html`<div class="picture small">${trusted(sceneText(scene))}</div>`;
  return html`<li><p><span class="kind">${title}</span> <span class="where">${confidence}</span><br><strong>${claim}</strong></p>
<div class="evidence">${picture}${rows.length === 0 ? '' : html`<table><tbody>${rows}</tbody></table>`}</div>
<span class="where">${advice}</span></li>`;
}

function renderTable({ columns, rows }: ReportTable, document: ReportDocument): Html {
  const lines = rows.map(({ cells, group, beginsGroup, isReference }, i) => {
    const isNewGroup = group !== undefined && group !== rows[i - 1]?.group;
    const groupHead = html`<tr class="group"><td class="interval" colspan="${columns.length}">${group}</td></tr>`;
    const classes = [...(beginsGroup ? ['group'] : []), ...(isReference ? ['reference'] : [])].join(' ');
    return html`${isNewGroup ? groupHead : ''}<tr${classOf(classes)}>${cells.map((cell, c) => renderCell(cell, columns[c]!, document))}</tr>`;
  });
  const heads = columns.map(
    ({ kind, title, target }) =>
      html`<th${classOf(kind === 'number' ? 'n' : '')}>${target === undefined ? title : targetName(document, target)}</th>`,
  );
  const isByTarget = columns.some(({ target }) => target !== undefined);
  return html`<div class="scroll"><table${classOf(isByTarget ? 'by-target' : '')}><thead><tr>${heads}</tr></thead><tbody>${lines}</tbody></table></div>`;
}

const columnClasses = {
  head: 'first',
  level: 'first',
  target: 'target',
  words: '',
  aside: '',
  remark: 'remark',
  number: 'n',
} as const;

function renderCell({ lines, tone, mark, columns }: ReportCell, { kind }: PanelColumn, document: ReportDocument): Html {
  const classes = [columns === undefined ? columnClasses[kind] : '', tone ?? '']
    .filter((name) => name !== '')
    .join(' ');
  const [only = '', ...others] = lines;
  const body =
    others.length > 0
      ? html`${lines.map((line) => html`<div>${renderWords(line)}</div>`)}`
      : kind === 'target'
        ? targetName(document, plainWords(only))
        : renderWords(only, mark !== undefined);
  const drawn = mark === undefined ? '' : trusted(ratioMarkSvg(mark));
  const span = columns === undefined ? '' : html` colspan="${columns}"`;
  return html`<td${classOf(classes)}${span}>${body}${drawn}</td>`;
}

/** It is decorative, because the numbers stand above it. */
const ratioMarkSvg = (mark: RatioMark): string =>
  `<svg class="${ratioMarkClass(mark)}" width="${ratioMarkPx.width}" height="${ratioMarkPx.height}" aria-hidden="true">${drawRatioMark(mark).map(shapeText).join('')}</svg>`;

function targetSwatch({ targets }: ReportDocument, name: string): Html {
  const index = targets.find((target) => target.name === name)?.index ?? 0;
  return html`<span class="swatch" style="background:var(--chart-series-${colourIndex(index)})"></span>`;
}

/** A target's name with its colour. */
const targetName = (document: ReportDocument, name: string): Html => html`${targetSwatch(document, name)}${name}`;
