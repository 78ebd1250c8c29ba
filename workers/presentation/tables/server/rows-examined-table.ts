import type { RunModel } from '#analysis/run-model/run-model.ts';
import { rowsExamined } from '#analysis/server/rows-examined.ts';
import { formatNumber } from '#model/format/format.ts';
import { asides, cellColumns, cellTexts, numbers, type PanelTable, words } from '../shared/panel-table.ts';

export const rowsExaminedNote =
  'Rows, documents and index entries that the servers read in the measured phases according to their own counters, compared with the rows that calls returned or changed; all repeats together. Servers that do not count rows report pages, whether cached or not. The counters cover the whole server or database, so they include other sessions and the probes of each second.';

/** The rows that servers read for each row that they returned or changed, cell by cell. */
export const rowsExaminedTable = (model: RunModel): PanelTable => ({
  columns: [
    ...cellColumns,
    ...numbers('read per call'),
    ...words('Read'),
    ...numbers('returned or changed per call', 'read ÷ returned or changed'),
    ...asides('Counted as'),
  ],
  rows: rowsExamined(model).map((one) => {
    const { calls, examined, unit, touched, counters } = one;
    return {
      cells: [
        ...cellTexts(model, one),
        formatNumber(examined / calls),
        unit,
        formatNumber(touched === null ? null : touched / calls),
        formatNumber(touched === null || touched === 0 ? null : examined / touched),
        counters,
      ],
    };
  }),
});
