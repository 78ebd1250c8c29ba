import { type CellsOfRun, perCallSummaries } from '#analysis/cells/per-call.ts';
import { formatCount, formatInterval, formatMsTo, formatRatioInterval } from '#model/format/format.ts';
import { cellColumns, cellTexts, type NotedTable, numbers } from '../shared/panel-table.ts';

export const perCallNote =
  'The first call of each trial, the second…: means of the repeats with their 95 % confidence intervals; calls of different numbers are never averaged together. Cold: the first one after the server’s cache was emptied. Hot: it read less than a hundredth of the table from files, as the server counts; warm: more. A dash: the server does not tell.';

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
