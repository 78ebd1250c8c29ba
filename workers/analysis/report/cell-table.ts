import { type CellTable, hasRemarks } from '../cell-table.ts';
import type { RunModel } from '../model.ts';
import { type Html, html } from './html.ts';
import { targetName } from './tables.ts';

/** Null where it has no lines. */
export function cellTable(model: RunModel, table: CellTable): Html | null {
  const { words = [], columns, remark: remarkHead = '', rows } = table;
  if (rows.length === 0) return null;
  const isRemarked = hasRemarks(table);
  const lines = rows.map(
    ({ variant, target, words: said = [], texts, remark }) =>
      html`<tr><td class="first">${variant}</td><td class="target">${targetName(model, target)}</td>${said.map((word) => html`<td>${word}</td>`)}${texts.map((text) => html`<td class="n">${text}</td>`)}${isRemarked ? html`<td>${remark}</td>` : ''}</tr>`,
  );
  const heads = html`${words.map((title) => html`<th>${title}</th>`)}${columns.map((title) => html`<th class="n">${title}</th>`)}${isRemarked ? html`<th>${remarkHead}</th>` : ''}`;
  return html`<div class="scroll"><table><thead><tr><th>Variant</th><th>Target</th>${heads}</tr></thead><tbody>${lines}</tbody></table></div>`;
}
