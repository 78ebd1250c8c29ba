import type { RunModel } from '../model.ts';
import { stageColumns, stageRows } from '../stage-words.ts';
import { type Html, html } from './html.ts';
import { targetName } from './tables.ts';

/** The stages of the load, cell by cell; null where it has none. */
export function stageTable(model: RunModel): Html | null {
  const rows = stageRows(model).map(
    ({ variant, target, stage, texts }) =>
      html`<tr><td class="first">${variant}</td><td class="target">${targetName(model, target)}</td><td>${stage}</td>${texts.map((text) => html`<td class="n">${text}</td>`)}</tr>`,
  );
  const head = stageColumns.map((title) => html`<th class="n">${title}</th>`);
  return rows.length === 0
    ? null
    : html`<div class="scroll"><table><thead><tr><th>Variant</th><th>Target</th><th>Stage</th>${head}</tr></thead><tbody>${rows}</tbody></table></div>`;
}
