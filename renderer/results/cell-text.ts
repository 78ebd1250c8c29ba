import { indexCostText } from '#analysis/cells/index-costs.ts';
import type { Caveat, CellSummary, Ratio, RunModel } from '#analysis/run-model/run-model.ts';
import { rateUnit } from '#analysis/run-model/select-cells.ts';
import { conflictsText } from '#analysis/text/conflict-text.ts';
import { noTrialText } from '#analysis/text/no-result-text.ts';
import { comparisonText, outliersText, verdictDetail, verdictWords } from '#analysis/text/verdict-text.ts';
import { digitsWithin, formatInterval, formatShort } from '#model/format/format.ts';
import { byteRateText } from '#presentation/text/byte-rate-text.ts';
import { verifiedText } from '#presentation/text/verified-text.ts';
import type { Cell } from '#protocol/plan.ts';
import { isDifference } from '#stats/intervals/compare-means.ts';

/** The texts of a cell in the results table. */
interface CellText {
  readonly state: 'measured' | 'skipped' | 'failed' | 'waiting';
  readonly main: string;
  /** The 95 % interval of `main`. */
  readonly interval: string;
  /** The bytes of values per second; empty where they are not known. */
  readonly bytes: string;
  readonly detail: string;
  /** The complete description for a tooltip and for screen readers. */
  readonly full: string;
}

/** The caveats of this cell alone, the most severe first. */
export const caveatsOf = ({ caveats }: RunModel, { variant, target }: Cell): readonly Caveat[] =>
  caveats.filter(({ cell }) => cell?.variant === variant && cell.target === target);

export function cellText(
  model: RunModel,
  cell: Cell,
  summary: CellSummary | undefined,
  ratio: Ratio | undefined,
): CellText {
  const skipped = model.skipped.find((one) => one.variant === cell.variant && one.target === cell.target);
  if (skipped) return { state: 'skipped', main: 'skipped', interval: '', bytes: '', detail: '', full: skipped.reason };
  if (!summary?.rowsPerSecond) {
    if (summary && summary.failed > 0) {
      const why = summary.firstError?.message ?? 'No trial succeeded.';
      return { state: 'failed', main: 'failed', interval: '', bytes: '', detail: '', full: why };
    }
    const damage = model.trials.find(
      ({ trial, damage }) => damage !== null && trial.variant === cell.variant && trial.target === cell.target,
    )?.damage;
    if (damage) return { state: 'failed', main: 'damaged', interval: '', bytes: '', detail: '', full: damage };
    return { state: 'waiting', main: '–', interval: '', bytes: '', detail: '', full: noTrialText(model) };
  }
  const isSignificant = isDifference(ratio?.verdict);
  const verdict = isSignificant ? `, ${verdictWords[ratio.verdict]}` : '';
  const detail = ratio ? comparisonText(ratio) : '';
  const { value, low, high, n } = summary.rowsPerSecond;
  const digits = digitsWithin(summary.rowsPerSecond);
  const bytes = byteRateText(summary);
  const verified = summary.verification ? ` Verified: ${verifiedText[summary.verification.outcome]}.` : '';
  const lost = summary.conflicts ? ` Retry overhead: ${conflictsText(summary.conflicts)}.` : '';
  const indexes = summary.indexCosts.map((cost) => ` Index ${cost.index}: ${indexCostText(cost)}.`).join('');
  const how = ratio && ratio.method !== null ? ` ${verdictDetail(ratio)}` : '';
  const outliers = summary.outliers.length > 0 ? ` ${outliersText(summary.outliers, n, rateUnit(model))}; kept.` : '';
  const titles = [...new Set(caveatsOf(model, cell).map(({ title }) => title))];
  return {
    state: 'measured',
    main: formatShort(value, digits),
    interval: low === null || high === null ? '' : `${formatShort(low, digits)}–${formatShort(high, digits)}`,
    bytes,
    detail,
    full: `${formatInterval(summary.rowsPerSecond)} ${rateUnit(model)} over ${n} repeats${bytes === '' ? '' : `, ${bytes} of values`}. ${detail}${verdict}.${how}${outliers}${verified}${indexes}${lost}${titles.length > 0 ? ` Caveats: ${titles.join('; ')}.` : ''}`,
  };
}
