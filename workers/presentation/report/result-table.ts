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
import { heads, numbers, targets, words } from '../tables/shared/panel-table.ts';
import { byteRateCells, byteRateTitles } from '../text/byte-rate-text.ts';
import { caveatLetters } from './caveats.ts';
import type { ReportCell, ReportRow, ReportTable, Span, Words } from './document.ts';

/** Every cell with throughput, ratio, time, latency, the time between calls, and caveats. */
export function resultTable(model: RunModel, baseline: Baseline): ReportTable {
  const letters = caveatLetters(model);
  const byCell = new Map(ratios(model, baseline).map((ratio) => [keyOf(ratio), ratio]));
  const rows = model.cells.map((cell, i): ReportRow => {
    const { latencyMs } = cell;
    const first = model.cells[i - 1]?.variant !== cell.variant;
    return {
      beginsGroup: first,
      isReference: !isContender(model, cell.target),
      cells: [
        first ? variantText(model.plan, cell.variant) : '',
        cell.target,
        withInterval(cell.rowsPerSecond),
        ...byteRateCells(model, cell),
        ratioWords(byCell.get(keyOf(cell))),
        formatMs(cell.elapsedMs?.value),
        formatMs(latencyMs.p50),
        formatMs(latencyMs.p99),
        formatMs(latencyMs.p999),
        formatMs(latencyMs.max),
        formatPercent(betweenCalls(cell)),
        cell.failed > 0 ? [`${cell.ok} `, { text: `${cell.failed} failed`, look: 'bad' } as const] : `${cell.ok}`,
        marks(model, cell, letters),
      ].map(cellOf),
    };
  });
  const means = meanRatios(model, baseline).map((mean, i): ReportRow => {
    const about = `of the ratios of the ${mean.variants} variants that both targets have`;
    return {
      beginsGroup: i === 0,
      isReference: !isContender(model, mean.target),
      cells: [
        ...[
          i === 0 ? 'Geometric mean' : '',
          mean.target,
          '',
          ...byteRateTitles(model).map(() => ''),
          ratioWords(mean),
        ].map(cellOf),
        { lines: [about], columns: 8 },
      ],
    };
  });
  return {
    columns: [
      ...heads('Variant'),
      ...targets('Target'),
      ...numbers(
        rateUnit(model),
        ...byteRateTitles(model),
        'Ratio',
        'Elapsed',
        'p50',
        'p99',
        'p99.9',
        'max',
        'Between calls',
        'n',
      ),
      ...words('Caveats'),
    ],
    rows: [...rows, ...means],
  };
}

const cellOf = (line: Words): ReportCell => ({ lines: [line] });

function ratioWords(ratio: Ratio | MeanRatio | undefined): Words {
  if (ratio === undefined) return '–';
  if (ratio.verdict === 'baseline' && !('otherRows' in ratio)) return [{ text: 'baseline', look: 'none' }];
  const [main, aside] = comparisonParts(ratio);
  const look = isDifference(ratio.verdict) ? ratio.verdict : 'none';
  const how = 'method' in ratio ? verdictDetail(ratio) : '';
  return [
    { text: main, look, about: aside === '' ? how : verdictWords[ratio.verdict] },
    ...(aside === '' ? [] : [{ text: aside, look: 'aside', about: how } as const]),
    ...neededNote(ratio),
  ];
}

/** The number of repeats that would settle the comparison, if the interval leaves it open. */
const neededNote = (ratio: Ratio | MeanRatio): readonly (string | Span)[] =>
  'repeatsNeeded' in ratio &&
  ratio.repeatsNeeded !== null &&
  ratio.repeatsNeeded > ratio.ratio.n &&
  (ratio.verdict === 'notSignificant' || ratio.verdict === 'notEnoughRepeats')
    ? [
        ' ',
        { text: `${percentWithin(usefulMargin)} by about ${formatCount(ratio.repeatsNeeded)} repeats`, look: 'aside' },
      ]
    : [];

function withInterval(interval: Interval | null): Words {
  if (interval === null) return '–';
  const digits = digitsWithin(interval);
  const { value, low, high } = interval;
  if (low === null || high === null) return formatShort(value, digits);
  return [
    `${formatShort(value, digits)} `,
    { text: `${formatShort(low, digits)}–${formatShort(high, digits)}`, look: 'aside' },
  ];
}

/** The letters of the caveats of a cell, and the names of its errors. */
function marks(model: RunModel, cell: CellSummary, letters: ReadonlyMap<string, string>): Words {
  const own = model.caveats.filter(
    (caveat) => caveat.cell?.variant === cell.variant && caveat.cell.target === cell.target,
  );
  const titles = [...new Set(own.map(({ title }) => title))];
  const errors = titles.filter((title) => !letters.has(title));
  const names = [...(isReference(model, cell.target) ? ['reference'] : []), ...errors];
  const known = titles.flatMap((title) => letters.get(title) ?? []).toSorted();
  return [names.join(', '), ' ', { text: known.join(' '), look: 'letters' }];
}
