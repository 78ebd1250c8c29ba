import type { CellSummary, RunModel } from '#analysis/run-model/run-model.ts';
import { digitsWithin, formatBytesTo } from '#model/format/format.ts';

/** The title of the column with the bytes of values per second; none where no cell of the run has them. */
export const byteRateTitles = ({ cells }: Pick<RunModel, 'cells'>): readonly string[] =>
  cells.some(({ bytesPerSecond }) => bytesPerSecond !== null) ? ['bytes/s'] : [];

/** "12.3 MiB/s", with no more digits than the interval allows. Empty where the bytes are not known. */
export const byteRateText = ({ bytesPerSecond: rate }: Pick<CellSummary, 'bytesPerSecond'>): string =>
  rate === null ? '' : `${formatBytesTo(rate.value, digitsWithin(rate))}/s`;

/** The cell of that column, for a run that has it. */
export const byteRateCells = (run: Pick<RunModel, 'cells'>, cell: CellSummary): readonly string[] =>
  byteRateTitles(run).map(() => byteRateText(cell));
