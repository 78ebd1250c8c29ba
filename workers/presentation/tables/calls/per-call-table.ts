import { type CellsOfRun, perCallSummaries } from '#analysis/cells/per-call.ts';
import { formatCount, formatInterval, formatMsTo, formatRatioInterval } from '#model/format/format.ts';
import { cellColumns, cellTexts, type NotedTable, numbers } from '../shared/panel-table.ts';

export const perCallNote =
  'The first call of each trial, the second call and so on: means of the repeats with 95 % confidence intervals. Calls with different numbers are never averaged. Cold is the first call after the server’s cache was emptied. Hot is a call that read less than a hundredth of the table from files, according to the server; warm is a call that read more. A dash means that the server does not report it.';

/** One row for each call of runs that report single calls. Empty for other runs. */
export const perCallTable = (model: CellsOfRun): NotedTable => ({
  note: perCallNote,
  columns: [...cellColumns, ...numbers('call', 'time', 'cache', 'pages read', 'first : last')],
  rows: perCallSummaries(model).flatMap(({ calls, firstToLast, ...cell }) =>
    calls.map(({ number, ms, pagesRead, state }) => ({
      cells: [
        ...cellTexts(model, cell),
        String(number),
        ms === null ? '–' : formatInterval(ms, formatMsTo),
        state ?? '–',
        formatCount(pagesRead),
        number === 1 && firstToLast !== null ? formatRatioInterval(firstToLast) : '',
      ],
    })),
  ),
});
