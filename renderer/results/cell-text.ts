import type { Cell } from '#contract/plan.ts';
import { formatInterval, formatNumber, formatRatio, formatShort } from '../../workers/analysis/format.ts';
import type { CellSummary, Ratio, RunModel } from '../../workers/analysis/model.ts';

/** What a cell of the ratio table says, line by line. */
export interface CellText {
  readonly state: 'measured' | 'skipped' | 'failed' | 'waiting';
  readonly main: string;
  readonly detail: string;
  /** The whole story for a tooltip and for screen readers. */
  readonly full: string;
}

const verdictWords: Readonly<Record<Ratio['verdict'], string>> = {
  faster: 'faster than the baseline',
  slower: 'slower than the baseline',
  noDifferenceShown: 'no difference shown',
  baseline: 'the baseline',
  notEnoughRepeats: 'not enough repeats for a verdict',
};

function detailOf(ratio: Ratio | undefined): string {
  if (!ratio) return '';
  if (ratio.verdict === 'baseline') return 'baseline';
  const { value, low, high } = ratio.ratio;
  if (low === null || high === null) return formatRatio(value);
  const bounds = `${formatNumber(low)}–${formatNumber(high)}`;
  return ratio.verdict === 'noDifferenceShown'
    ? `≈ ${formatRatio(value)} (${bounds})`
    : `${formatRatio(value)} (${bounds})`;
}

export function cellText(
  model: RunModel,
  cell: Cell,
  summary: CellSummary | undefined,
  ratio: Ratio | undefined,
): CellText {
  const skipped = model.skipped.find((one) => one.variant === cell.variant && one.target === cell.target);
  if (skipped) return { state: 'skipped', main: 'skipped', detail: '', full: skipped.reason };
  if (!summary?.rowsPerSecond) {
    if (summary && summary.failed > 0) {
      const why = summary.firstError?.message ?? 'No trial went well.';
      return { state: 'failed', main: 'failed', detail: '', full: why };
    }
    return { state: 'waiting', main: '–', detail: '', full: 'No trial has finished yet.' };
  }
  const verdict = ratio ? `, ${verdictWords[ratio.verdict]}` : '';
  const detail = detailOf(ratio);
  return {
    state: 'measured',
    main: formatShort(summary.rowsPerSecond.value),
    detail,
    full: `${formatInterval(summary.rowsPerSecond)} rows/s over ${summary.rowsPerSecond.n} repeats. ${detail}${verdict}.`,
  };
}
