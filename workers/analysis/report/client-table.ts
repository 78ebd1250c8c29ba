import { variantLabel } from '#planning/variant-of.ts';
import { type CallMeans, clientParts, partWords } from '../client-time.ts';
import { formatMs, formatNumber, formatPercent } from '../format.ts';
import type { RunModel } from '../model.ts';
import { type Html, html } from './html.ts';
import { targetName } from './tables.ts';

/** Where the client's time went, and a mean call: the numbers of their charts. Null in runs of older versions. */
export function clientTable(model: RunModel): Html | null {
  const cells = model.cells.filter(({ clientTime }) => clientTime !== null);
  const parts = clientParts.filter((part) => cells.some(({ clientTime }) => (clientTime?.[part] ?? 0) > 0));
  const rows = cells.map(({ variant, target, clientTime, call }, i) => {
    const first = cells[i - 1]?.variant !== variant;
    return html`<tr class="${first ? 'group' : ''}"><td class="first">${first ? variantLabel(model.plan, variant) : ''}</td><td class="target">${targetName(model, target)}</td>${parts.map((part) => html`<td class="n">${formatPercent(clientTime?.[part])}</td>`)}${callCells(call)}</tr>`;
  });
  return rows.length === 0
    ? null
    : html`<div class="scroll"><table><thead><tr><th>Variant</th><th>Target</th>${parts.map((part) => html`<th class="n">${partWords[part]}</th>`)}<th class="n">call: send</th><th class="n">wait</th><th class="n">receive</th><th class="n">round trips</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

const callCells = (call: CallMeans | null): readonly Html[] =>
  [formatMs(call?.sendMs), formatMs(call?.waitMs), formatMs(call?.receiveMs), formatNumber(call?.roundTrips, 2)].map(
    (text) => html`<td class="n">${text}</td>`,
  );
