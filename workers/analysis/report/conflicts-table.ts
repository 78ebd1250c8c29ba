import { variantLabel } from '#planning/variant-of.ts';
import { formatCount, formatNumber, formatPercent } from '../format.ts';
import type { RunModel } from '../model.ts';
import { type Html, html } from './html.ts';
import { targetName } from './tables.ts';

/** What write conflicts cost, cell by cell; null where there were none. */
export function conflictsTable(model: RunModel): Html | null {
  const rows = model.cells.flatMap(({ variant, target, conflicts }) =>
    conflicts === null
      ? []
      : [
          html`<tr><td class="first">${variantLabel(model.plan, variant)}</td><td class="target">${targetName(model, target)}</td><td class="n">${formatPercent(conflicts.lostShare)}</td><td class="n">${formatCount(conflicts.retries)}</td><td class="n">${formatNumber(conflicts.retriesPer100Commits)}</td><td class="n">${formatCount(conflicts.gaveUp)}</td></tr>`,
        ],
  );
  return rows.length === 0
    ? null
    : html`<div class="scroll"><table><thead><tr><th>Variant</th><th>Target</th><th class="n">Client time lost</th><th class="n">Retries</th><th class="n">per 100 commits</th><th class="n">Given up</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}
