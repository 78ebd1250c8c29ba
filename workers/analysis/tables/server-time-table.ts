import type { RunModel } from '../model.ts';
import { serverSummaries } from '../server-summary.ts';
import { serverColumns, serverRow } from '../server-words.ts';
import { asides, cellColumns, cellTexts, numbers, type PanelTable } from './panel-table.ts';

const sentences: readonly string[] = ['Server’s own time', 'In its own words', 'Known by'];

/** What the servers told of their time and work, cell by cell. */
export const serverTimeTable = (model: RunModel): PanelTable => ({
  columns: [
    ...cellColumns,
    ...serverColumns.flatMap((title) => (sentences.includes(title) ? asides(title) : numbers(title))),
  ],
  rows: serverSummaries(model).map((summary) => {
    const texts = serverRow(summary);
    return { cells: [...cellTexts(model, summary), ...serverColumns.map((title) => texts[title])] };
  }),
});
