import { callOrderColumns, callOrderRows } from '../call-order-words.ts';
import type { RunModel } from '../model.ts';
import { type Html, html } from './html.ts';
import { targetName } from './tables.ts';

/** Calls that are told apart, one line each; null where there are none. */
export function callOrderTable(model: RunModel): Html | null {
  const rows = callOrderRows(model).map(
    ({ variant, target, texts }) =>
      html`<tr><td class="first">${variant}</td><td class="target">${targetName(model, target)}</td>${texts.map((text) => html`<td class="n">${text}</td>`)}</tr>`,
  );
  const head = callOrderColumns.map((title) => html`<th class="n">${title}</th>`);
  return rows.length === 0
    ? null
    : html`<div class="scroll"><table><thead><tr><th>Variant</th><th>Target</th>${head}</tr></thead><tbody>${rows}</tbody></table></div>`;
}
