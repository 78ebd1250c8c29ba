import { variantLabel } from '#planning/variant-of.ts';
import { formatCount, formatMs, formatNumber, formatShort } from '../format.ts';
import type { RunModel } from '../model.ts';
import { errorWords } from '../statement-summary.ts';
import { type Html, html } from './html.ts';
import { targetName } from './tables.ts';

/** Each own statement and transaction, or part of a copy, cell by cell; null where the run has none. */
export function statementTable(model: RunModel): Html | null {
  const rows = model.cells.flatMap(({ variant, target, statements = [] }) =>
    statements.map(
      (one) =>
        html`<tr><td class="first">${one.name}${one.kind === 'statement' ? '' : ` (${one.kind})`}</td><td>${variantLabel(model.plan, variant)}</td><td class="target">${targetName(model, target)}</td><td class="n">${formatShort(one.callsPerSecond)}</td><td class="n">${formatNumber(one.rowsPerCall)}</td><td class="n">${formatMs(one.latencyMs.p50)}</td><td class="n">${formatMs(one.latencyMs.p95)}</td><td class="n">${formatMs(one.latencyMs.p99)}</td><td class="n">${formatCount(one.latencyMs.count)}</td><td>${errorWords(one)}</td></tr>`,
    ),
  );
  return rows.length === 0
    ? null
    : html`<div class="scroll"><table><thead><tr><th>Statement</th><th>Variant</th><th>Target</th><th class="n">calls/s</th><th class="n">rows each</th><th class="n">p50</th><th class="n">p95</th><th class="n">p99</th><th class="n">calls</th><th>Errors</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}
