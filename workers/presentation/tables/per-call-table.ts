import { type CellsOfRun, perCallSummaries } from '#analysis/cells/per-call.ts';
import { formatCount, formatInterval, formatMs, formatRatioInterval } from '#model/format/format.ts';
import { variantLabel } from '#planning/variant-of.ts';
import type { CellRow, CellTable } from './shared/cell-table.ts';

export const perCallNote =
  'The first call of each trial, the second…: means of the repeats with their 95 % confidence intervals; calls of different numbers are never averaged together. Cold: the first one after the server’s cache was emptied. Hot: it read less than a hundredth of the table from files, as the server counts; warm: more. A dash: the server does not tell.';

/** A row for each call that was reported by itself. */
export const perCallRows = (model: CellsOfRun): readonly (CellRow & { readonly number: number })[] =>
  perCallSummaries(model).flatMap(({ variant, target, calls, firstToLast }) =>
    calls.map(({ number, ms, pagesRead, state }) => ({
      variant: variantLabel(model.plan, variant),
      target,
      number,
      texts: [
        String(number),
        ms === null ? '–' : formatInterval(ms, formatMs),
        state ?? '–',
        formatCount(pagesRead),
        number === 1 && firstToLast !== null ? formatRatioInterval(firstToLast) : '',
      ],
    })),
  );

/** Calls that are reported one by one, a row each; other runs have no rows. */
export const perCallTable = (model: CellsOfRun): CellTable => ({
  note: perCallNote,
  columns: ['call', 'time', 'cache', 'pages read', 'first : last'],
  rows: perCallRows(model),
});
