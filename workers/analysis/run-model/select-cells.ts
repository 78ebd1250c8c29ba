import type { CellSummary, RunModel } from './run-model.ts';

export const findCell = ({ cells }: RunModel, variant: string, target: string): CellSummary | undefined =>
  cells.find((cell) => cell.variant === variant && cell.target === target);

/** True where the run counts rows; else its rates are calls. */
export const countsRows = ({ trials }: Pick<RunModel, 'trials'>): boolean =>
  trials.every(({ result }) => result === null) || trials.some(({ result }) => (result?.totals.rows ?? 0) > 0);

/** The unit of a run's rates. Where calls are reported one by one, rates are those of the first call. */
export const rateUnit = (model: Pick<RunModel, 'trials'>): string =>
  `${countsRows(model) ? 'rows/s' : 'calls/s'}${model.trials.some(({ result }) => result?.perCall) ? ', call 1' : ''}`;
