import type { RunModel } from '#analysis/run-model/run-model.ts';
import { drawRatioMark, ratioMarkClass, ratioMarkPx } from '../charts/kit/ratio-mark.ts';
import { shapeText } from '../charts/kit/scene.ts';
import { colourIndex } from '../charts/kit/theme.ts';
import type { Block } from '../outline/panel.ts';
import type { PanelCell, PanelColumn, PanelTable, RatioMark } from '../tables/shared/panel-table.ts';
import { chartWidthPx, type ReportContext } from './context.ts';
import { type Html, html, trusted, unbrokenRanges } from './html.ts';

export function renderBlock(block: Block, context: ReportContext): Html {
  const inside = (blocks: readonly Block[]) => blocks.map((one) => renderBlock(one, context));
  switch (block.kind) {
    case 'table':
      return renderTable(block.table, context.model);
    case 'chart':
      return html`<div class="scroll">${trusted(context.renderSvg(block.chart, chartWidthPx))}</div>`;
    case 'text':
      return html`<p class="note">${block.text}</p>`;
    case 'facts':
      return html`<dl>${block.facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
    case 'code':
      return html`${block.label === undefined ? '' : html`<p class="note">${block.label}</p>`}<pre>${block.text}</pre>`;
    case 'group': {
      const swatch = block.target === undefined ? '' : targetSwatch(context.model, block.target);
      return html`<h3>${swatch}${block.title}</h3>${inside(block.blocks)}`;
    }
    case 'pair':
      return html`${block.inReport.map(
        ([left, right]) =>
          html`<h4>${block.left[left] ?? ''} beside ${block.right[right] ?? ''}</h4>${inside(block.draw(left, right))}`,
      )}`;
    case 'fold':
      return block.isOpenInReport ? html`${inside(block.blocks)}` : html``;
  }
}

function renderTable({ columns, rows }: PanelTable, model: RunModel): Html {
  const lines = rows.map(({ cells, group }, i) => {
    const isNewGroup = group !== undefined && group !== rows[i - 1]?.group;
    const groupHead = html`<tr class="group"><td class="interval" colspan="${columns.length}">${group}</td></tr>`;
    return html`${isNewGroup ? groupHead : ''}<tr>${cells.map((cell, c) => renderCell(cell, columns[c]!, model))}</tr>`;
  });
  const heads = columns.map(
    ({ kind, title, target }) =>
      html`<th${kind === 'number' ? trusted(' class="n"') : ''}>${target === undefined ? title : targetName(model, target)}</th>`,
  );
  const isByTarget = columns.some(({ target }) => target !== undefined);
  return html`<div class="scroll"><table${isByTarget ? trusted(' class="by-target"') : ''}><thead><tr>${heads}</tr></thead><tbody>${lines}</tbody></table></div>`;
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

function renderCell(cell: PanelCell, { kind }: PanelColumn, model: RunModel): Html {
  const { text, tone = '', mark } = typeof cell === 'string' ? { text: cell } : cell;
  const classes = [columnClasses[kind], tone].filter((name) => name !== '').join(' ');
  const body =
    typeof text !== 'string'
      ? html`${text.map((line) => html`<div>${line}</div>`)}`
      : kind === 'target'
        ? targetName(model, text)
        : html`${mark === undefined ? text : unbrokenRanges(text)}`;
  const drawn = mark === undefined ? '' : trusted(ratioMarkSvg(mark));
  return classes === '' ? html`<td>${body}${drawn}</td>` : html`<td class="${classes}">${body}${drawn}</td>`;
}

/** It is decorative, because the numbers stand above it. */
const ratioMarkSvg = (mark: RatioMark): string =>
  `<svg class="${ratioMarkClass(mark)}" width="${ratioMarkPx.width}" height="${ratioMarkPx.height}" aria-hidden="true">${drawRatioMark(mark).map(shapeText).join('')}</svg>`;

function targetSwatch({ plan }: RunModel, name: string): Html {
  const index = plan.targets.find((target) => target.name === name)?.index ?? 0;
  return html`<span class="swatch" style="background:var(--chart-series-${colourIndex(index)})"></span>`;
}

/** A target's name with its colour. */
export const targetName = (model: RunModel, name: string): Html => html`${targetSwatch(model, name)}${name}`;
