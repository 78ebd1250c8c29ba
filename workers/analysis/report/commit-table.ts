import { commitColumns, commitRows } from '../commit-rows.ts';
import type { RunModel } from '../model.ts';
import { type Html, html } from './html.ts';
import { targetName } from './tables.ts';

/** Commits of several calls together, cell by cell; null where there were none. */
export function commitTable(model: RunModel): Html | null {
  const rows = commitRows(model).map(
    ({ variant, target, texts }) =>
      html`<tr><td class="first">${variant}</td><td class="target">${targetName(model, target)}</td>${texts.map((text) => html`<td class="n">${text}</td>`)}</tr>`,
  );
  const head = commitColumns.map((title) => html`<th class="n">${title}</th>`);
  return rows.length === 0
    ? null
    : html`<div class="scroll"><table><thead><tr><th>Variant</th><th>Target</th>${head}</tr></thead><tbody>${rows}</tbody></table></div>`;
}
