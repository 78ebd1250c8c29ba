import type { RunModel } from '../model.ts';
import { networkColumns, networkRows } from '../network.ts';
import { type Html, html } from './html.ts';
import { targetName } from './tables.ts';

/** What relays added to round trips, cell by cell; null where there was no relay. */
export function networkTable(model: RunModel): Html | null {
  const rows = networkRows(model).map(
    ({ label, target, values }) =>
      html`<tr><td class="first">${label}</td><td class="target">${targetName(model, target)}</td>${values.map((text) => html`<td class="n">${text}</td>`)}</tr>`,
  );
  return rows.length === 0
    ? null
    : html`<div class="scroll"><table><thead><tr><th>Variant</th><th>Target</th>${networkColumns.map((title) => html`<th class="n">${title}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`;
}
