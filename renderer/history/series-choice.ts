import { changeSize } from '#analysis/history/changes-with.ts';
import type { History, HistorySeries } from '#protocol/history.ts';

/** The series that a reader has chosen. */
export interface SeriesChoice {
  readonly quantity: string;
  /** The statement, transaction or scenario; null: all work of a cell. */
  readonly work: string | null;
  /** Words that variant, target or statement contain. */
  readonly filter: string;
  readonly onlyChanged: boolean;
}

/** The id of all work in a list of choices. No statement has this name, because names begin with a letter. */
export const allWork = ' ';

/** The first chosen series: those of the quantity that moved first, else of the first quantity of the latest run. */
export function firstChoice({ series, movedFirst }: History): SeriesChoice {
  const first = series[movedFirst?.series[0] ?? 0] ?? series[0];
  return {
    ...{ quantity: first?.quantity ?? 'throughput', work: first?.work ?? null, filter: '', onlyChanged: false },
  };
}

/** The series of this work by their quantities. A cell may lack a figure for which it has too few calls. */
export const byQuantity = ({ series }: History, work: string | null): ReadonlyMap<string, readonly HistorySeries[]> =>
  Map.groupBy(
    series.filter((one) => one.work === work),
    ({ quantity }) => quantity,
  );

/** The choice with another work. Statements have times alone, so that the quantity may become another one. */
export function withWork(history: History, { quantity, ...choice }: SeriesChoice, work: string | null): SeriesChoice {
  const quantities = [...byQuantity(history, work).keys()];
  return { ...choice, work, quantity: quantities.includes(quantity) ? quantity : (quantities[0] ?? quantity) };
}

interface ChosenSeries {
  readonly series: HistorySeries;
  /** The series as it is drawn. */
  readonly drawn: HistorySeries;
}

/**
 * The series of a choice, those that changed first at the top, with their counterparts in `shown`, which has the series
 * of `history` in the same order, perhaps with fewer runs. `all` and `changed` count the series without the filter.
 */
export function chosenSeries(
  history: History,
  shown: History,
  { quantity, work, filter, onlyChanged }: SeriesChoice,
): { readonly all: number; readonly changed: number; readonly matching: readonly ChosenSeries[] } {
  const words = filter.toLowerCase().split(/\s+/);
  const own = history.series
    .map((series, i): ChosenSeries => ({ series, drawn: shown.series[i]! }))
    .filter(({ series }) => series.quantity === quantity && series.work === work);
  const found = own.filter(({ series: { label, target } }) => {
    const text = `${label}\n${target}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const isMoved = ({ series }: ChosenSeries) => series.changes.length > 0;
  return {
    all: own.length,
    changed: own.filter(isMoved).length,
    matching: found
      .filter((one) => !onlyChanged || isMoved(one))
      .toSorted((a, b) => firstAt(a.series) - firstAt(b.series) || sizeOf(b.series) - sizeOf(a.series)),
  };
}

/** The run of the first change. Series without a change come last. */
const firstAt = ({ changes: [first] }: HistorySeries): number => first?.at ?? Number.MAX_SAFE_INTEGER;

const sizeOf = ({ changes: [first] }: HistorySeries): number => (first === undefined ? 0 : changeSize(first));
