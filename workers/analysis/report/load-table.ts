import { loadColumns, loadRows } from '../load-words.ts';
import type { RunModel } from '../model.ts';
import { type Html, html } from './html.ts';
import { targetName } from './tables.ts';

/** Loads of their own, cell by cell; null where there are none. */
export function loadTable(model: RunModel): Html | null {
  const all = loadRows(model);
  const differ = all.some(({ load }) => load !== null);
  const rows = all.map(
    ({ variant, target, load, texts }) =>
      html`<tr><td class="first">${variant}</td><td class="target">${targetName(model, target)}</td>${texts.map((text) => html`<td class="n">${text}</td>`)}${load === null ? '' : html`<td>${load}</td>`}</tr>`,
  );
  const head = loadColumns.map((title) => html`<th class="n">${title}</th>`);
  return rows.length === 0
    ? null
    : html`<div class="scroll"><table><thead><tr><th>Variant</th><th>Target</th>${head}${differ ? html`<th>Load</th>` : ''}</tr></thead><tbody>${rows}</tbody></table></div>`;
}
