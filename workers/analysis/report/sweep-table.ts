import type { RunModel } from '../model.ts';
import { loadRows, type SweepRow, sweepRows } from '../sweep-table.ts';
import { type Html, html } from './html.ts';
import { targetName } from './tables.ts';

/** The law's coefficients of every sweep in words, and the sweep load by load; null where there is none of five loads. */
export function sweepTables(model: RunModel): Html | null {
  const rows = sweepRows(model);
  return rows.length === 0 ? null : html`${rows.map((row) => sweepBlock(model, row))}`;
}

function sweepBlock(model: RunModel, { sweep, coefficients, quality, sentences }: SweepRow): Html {
  const law = coefficients.map(
    ({ symbol, name, value, meaning }) =>
      html`<tr><td class="first">${symbol} ${name}</td><td class="n">${value}</td><td>${meaning}</td></tr>`,
  );
  const loads = loadRows(sweep).map(
    ({ load, throughput, p50, p99, users, note }) =>
      html`<tr><td class="n">${load}</td><td class="n">${throughput}</td><td class="n">${p50}</td><td class="n">${p99}</td><td class="n">${users}</td><td>${note}</td></tr>`,
  );
  return html`<h3>${targetName(model, sweep.target)}${sweep.label === '' ? '' : ` · ${sweep.label}`}</h3>
<p class="note">${sentences.join(' ')}${quality === '' ? '' : ` ${quality}.`}</p>
${law.length === 0 ? '' : html`<div class="scroll"><table><thead><tr><th>Coefficient</th><th class="n">Value</th><th>What it means</th></tr></thead><tbody>${law}</tbody></table></div>`}
<div class="scroll"><table><thead><tr><th class="n">Connections</th><th class="n">${sweep.unit}</th><th class="n">p50</th><th class="n">p99</th><th class="n">Users by Little’s law</th><th></th></tr></thead><tbody>${loads}</tbody></table></div>`;
}
