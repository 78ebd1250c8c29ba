import type { CellSummary, RunModel } from './run-model.ts';

export const findCell = ({ cells }: RunModel, variant: string, target: string): CellSummary | undefined =>
  cells.find((cell) => cell.variant === variant && cell.target === target);

/** True if the run counts rows; otherwise its rates are calls. */
export const countsRows = ({ trials }: Pick<RunModel, 'trials'>): boolean =>
  trials.every(({ result }) => result === null) || trials.some(({ result }) => (result?.totals.rows ?? 0) > 0);

/** The unit of a run's rates. If calls are reported one by one, the rate is that of the first call. */
export const rateUnit = (model: Pick<RunModel, 'trials'>): string =>
  `${countsRows(model) ? 'rows/s' : 'calls/s'}${model.trials.some(({ result }) => result?.perCall) ? ', call 1' : ''}`;
