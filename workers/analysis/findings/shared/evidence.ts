import { formatBytes, formatCount, formatMs, formatNumber, formatPercent, formatRate } from '#model/format/format.ts';
import type { Cell } from '#protocol/plan.ts';
import type { Evidence, EvidencePanel, PanelLink } from './finding.ts';

/** The place that shows a number. The name of a panel alone is a link to the panel and to the judged cell in it. */
type Place = EvidencePanel | PanelLink | null;

/** Evidence whose panel shows the judged cell, unless its link names another. */
export type CellEvidence = Omit<Evidence, 'link'> & { readonly link: Place };

/** Links to a panel of the results, and to the cell in it. */
export const linkTo = (panel: EvidencePanel, cell: Cell | null = null): PanelLink => ({ panel, cell });

export const share = (label: string, value: number, link: Place): CellEvidence => ({
  label,
  value,
  unit: 'share',
  text: formatPercent(value),
  link,
});

export const time = (label: string, ms: number, link: Place): CellEvidence => ({
  label,
  value: ms,
  unit: 'ms',
  text: formatMs(ms),
  link,
});

export const bytes = (label: string, value: number, link: Place): CellEvidence => ({
  label,
  value,
  unit: 'bytes',
  text: formatBytes(value),
  link,
});

export const rate = (label: string, value: number, unit: string, link: Place): CellEvidence => ({
  label,
  value,
  unit,
  text: formatRate(value, unit),
  link,
});

/** A plain number: integers with every digit, others with three. */
export const number = (label: string, value: number, link: Place): CellEvidence => ({
  label,
  value,
  unit: '',
  text: Number.isInteger(value) ? formatCount(value) : formatNumber(value),
  link,
});
