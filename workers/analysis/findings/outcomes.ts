import type { Cell } from '#protocol/plan.ts';
import { formatCount, formatMs, formatNumber, formatPercent, formatRate } from '../format.ts';
import type { CellFacts } from './facts.ts';
import type { ChartLink, Evidence, Outcome, PlaceIn, ResultsPlace, RuleId, Shown, Unshown } from './finding.ts';

/** The outcomes of one rule, written short. */
export interface Outcomes {
  readonly shown: (cell: CellFacts | null, shown: Omit<Shown, 'rule' | 'cell' | 'status'>) => Outcome;
  readonly notShown: (cell: CellFacts | null, why: string) => Unshown;
  readonly cannotTell: (cell: CellFacts | null, why: string) => Unshown;
}

export const outcomesFor = (rule: RuleId): Outcomes => ({
  shown: (facts, shown) => ({ rule, cell: facts?.cell ?? null, status: 'shown', ...shown }),
  notShown: (facts, why) => ({ rule, cell: facts?.cell ?? null, status: 'notShown', why }),
  cannotTell: (facts, why) => ({ rule, cell: facts?.cell ?? null, status: 'cannotTell', why }),
});

/** Links to a chart (Chart.id, or the id of a table). */
export const linkTo = <V extends ResultsPlace>(view: V, chart: PlaceIn<V>, cell: Cell | null = null): ChartLink => ({
  view,
  chart,
  cell,
});

export const share = (label: string, value: number, chart: ChartLink | null): Evidence => ({
  label,
  value,
  unit: 'share',
  text: formatPercent(value),
  chart,
});

export const time = (label: string, ms: number, chart: ChartLink | null): Evidence => ({
  label,
  value: ms,
  unit: 'ms',
  text: formatMs(ms),
  chart,
});

export const rate = (label: string, value: number, unit: string, chart: ChartLink | null): Evidence => ({
  label,
  value,
  unit,
  text: formatRate(value, unit),
  chart,
});

/** A plain number: of whole things every digit, of others three. */
export const number = (label: string, value: number, chart: ChartLink | null): Evidence => ({
  label,
  value,
  unit: '',
  text: Number.isInteger(value) ? formatCount(value) : formatNumber(value),
  chart,
});
