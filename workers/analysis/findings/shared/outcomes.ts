import { formatCount, formatMs, formatNumber, formatPercent, formatRate } from '#model/format/format.ts';
import type { Cell } from '#protocol/plan.ts';
import type { CellFacts } from './facts.ts';
import type { Evidence, EvidencePanel, PanelLink, Shown, Unshown } from './finding.ts';

/** The rule claims something of the cell; null: of the whole run. */
export const shown = (facts: CellFacts | null, claim: Omit<Shown, 'cell' | 'status'>): Shown => ({
  cell: facts?.cell ?? null,
  status: 'shown',
  ...claim,
});

/** The rule looked, and it is not there. */
export const notShown = (facts: CellFacts | null, why: string): Unshown => ({
  cell: facts?.cell ?? null,
  status: 'notShown',
  why,
});

/** What would show it was not measured. */
export const cannotTell = (facts: CellFacts | null, why: string): Unshown => ({
  cell: facts?.cell ?? null,
  status: 'cannotTell',
  why,
});

/** Leads to a panel of the results, and there to the cell. */
export const linkTo = (panel: EvidencePanel, cell: Cell | null = null): PanelLink => ({ panel, cell });

export const share = (label: string, value: number, link: PanelLink | null): Evidence => ({
  label,
  value,
  unit: 'share',
  text: formatPercent(value),
  link,
});

export const time = (label: string, ms: number, link: PanelLink | null): Evidence => ({
  label,
  value: ms,
  unit: 'ms',
  text: formatMs(ms),
  link,
});

export const rate = (label: string, value: number, unit: string, link: PanelLink | null): Evidence => ({
  label,
  value,
  unit,
  text: formatRate(value, unit),
  link,
});

/** A plain number: of whole things every digit, of others three. */
export const number = (label: string, value: number, link: PanelLink | null): Evidence => ({
  label,
  value,
  unit: '',
  text: Number.isInteger(value) ? formatCount(value) : formatNumber(value),
  link,
});
