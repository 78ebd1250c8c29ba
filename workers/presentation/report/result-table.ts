import { ratios, usefulMargin } from '#analysis/compare/compare.ts';
import { meanRatios } from '#analysis/compare/mean-ratios.ts';
import type { CellSummary, Interval, MeanRatio, Ratio, RunModel } from '#analysis/run-model/run-model.ts';
import { rateUnit } from '#analysis/run-model/select-cells.ts';
import { betweenCalls } from '#analysis/text/conflict-text.ts';
import { comparisonParts, percentWithin, verdictDetail, verdictWords } from '#analysis/text/verdict-text.ts';
import { digitsWithin, formatCount, formatMs, formatPercent, formatShort } from '#model/format/format.ts';
import type { Baseline } from '#planning/rates/baseline.ts';
import { isContender, isReference } from '#planning/rates/contenders.ts';
import { variantText } from '#planning/variant-of.ts';
import { keyOf } from '#protocol/cell-key.ts';
import { isDifference } from '#stats/intervals/compare-means.ts';
import { targetName } from './blocks.ts';
import { caveatLetters } from './caveats.ts';
import { type Html, html, unbrokenRanges } from './html.ts';

/** Every cell with throughput, ratio, time, latency, the time between calls, and caveats. */
export function resultTable(model: RunModel, baseline: Baseline): Html {
  const letters = caveatLetters(model);
  const byCell = new Map(ratios(model, baseline).map((ratio) => [keyOf(ratio), ratio]));
  const rows = model.cells.map((cell, i) => {
    const { latencyMs } = cell;
    const first = model.cells[i - 1]?.variant !== cell.variant;
    return html`<tr class="${first ? 'group' : ''} ${isContender(model, cell.target) ? '' : 'reference'}"><td class="first">${first ? variantText(model.plan, cell.variant) : ''}</td>
<td class="target">${targetName(model, cell.target)}</td>
<td class="n">${withInterval(cell.rowsPerSecond)}</td>
<td class="n">${ratioCell(byCell.get(keyOf(cell)))}</td>
<td class="n">${formatMs(cell.elapsedMs?.value)}</td>
<td class="n">${formatMs(latencyMs.p50)}</td>
<td class="n">${formatMs(latencyMs.p99)}</td><td class="n">${formatMs(latencyMs.p999)}</td><td class="n">${formatMs(latencyMs.max)}</td>
<td class="n">${formatPercent(betweenCalls(cell))}</td>
<td class="n">${cell.ok}${cell.failed > 0 ? html` <span class="bad">${cell.failed} failed</span>` : ''}</td>
<td>${marks(model, cell, letters)}</td></tr>`;
  });
  const means = meanRatios(model, baseline).map((mean, i) => {
    return html`<tr class="${i === 0 ? 'group' : ''} ${isContender(model, mean.target) ? '' : 'reference'}"><td class="first">${i === 0 ? 'Geometric mean' : ''}</td>
<td class="target">${targetName(model, mean.target)}</td><td></td><td class="n">${ratioCell(mean)}</td>
<td colspan="8">of the ratios of the ${mean.variants} variants that both targets have</td></tr>`;
  });
  return html`<div class="scroll"><table><thead><tr><th>Variant</th><th>Target</th><th class="n">${rateUnit(model)}</th><th class="n">Ratio</th>
<th class="n">Elapsed</th><th class="n">p50</th><th class="n">p99</th><th class="n">p99.9</th><th class="n">max</th>
<th class="n">Between calls</th><th class="n">n</th><th>Caveats</th></tr></thead><tbody>${rows}${means}</tbody></table></div>`;
}

function ratioCell(ratio: Ratio | MeanRatio | undefined): Html {
  if (ratio === undefined) return html`–`;
  if (ratio.verdict === 'baseline' && !('otherRows' in ratio)) return html`<span class="none">baseline</span>`;
  const [main, aside] = comparisonParts(ratio);
  const how = 'method' in ratio ? verdictDetail(ratio) : '';
  return html`<span class="${isDifference(ratio.verdict) ? ratio.verdict : 'none'}" title="${verdictWords[ratio.verdict]}">${main}</span><span class="interval" title="${how}">${unbrokenRanges(aside)}</span>${neededNoteHtml(ratio)}`;
}

/** The number of repeats that would settle the comparison, if the interval leaves it open. */
const neededNoteHtml = (ratio: Ratio | MeanRatio): Html =>
  'repeatsNeeded' in ratio &&
  ratio.repeatsNeeded !== null &&
  ratio.repeatsNeeded > ratio.ratio.n &&
  (ratio.verdict === 'notSignificant' || ratio.verdict === 'notEnoughRepeats')
    ? html`<br><span class="interval">${percentWithin(usefulMargin)} by about ${formatCount(ratio.repeatsNeeded)} repeats</span>`
    : html``;

function withInterval(interval: Interval | null): Html {
  if (interval === null) return html`–`;
  const digits = digitsWithin(interval);
  const { value, low, high } = interval;
  if (low === null || high === null) return html`${formatShort(value, digits)}`;
  return html`${formatShort(value, digits)} <span class="interval">${unbrokenRanges(`${formatShort(low, digits)}–${formatShort(high, digits)}`)}</span>`;
}

/** The letters of the caveats of a cell, and the names of its errors. */
function marks(model: RunModel, cell: CellSummary, letters: ReadonlyMap<string, string>): Html {
  const own = model.caveats.filter(
    (caveat) => caveat.cell?.variant === cell.variant && caveat.cell.target === cell.target,
  );
  const titles = [...new Set(own.map(({ title }) => title))];
  const errors = titles.filter((title) => !letters.has(title));
  const words = [...(isReference(model, cell.target) ? ['reference'] : []), ...errors];
  const known = titles.flatMap((title) => letters.get(title) ?? []).toSorted();
  return html`${words.join(', ')} <span class="letters">${known.join(' ')}</span>`;
}
