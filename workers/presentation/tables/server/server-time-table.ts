import type { RunModel } from '#analysis/run-model/run-model.ts';
import type { ServerSummary } from '#analysis/server/server-summary.ts';
import { serverSummaries } from '#analysis/server/server-summary.ts';
import { formatBytes, formatCount, formatNumber } from '#model/format/format.ts';
import {
  formatParts,
  formatRoundTrips,
  formatShares,
  probingText,
  serverTimeBasisText,
} from '../../text/server-text.ts';
import { asides, cellColumns, cellTexts, numbers, type PanelTable } from '../shared/panel-table.ts';

const serverColumns = [
  'Server’s own time',
  'Server’s own names',
  'Source',
  'Round trips per call',
  'Plans made per execution',
  'Pages read per row',
  'Temporary files per call',
  'Checkpoints',
  'Probes',
] as const;

/** The texts of one cell by their columns. */
export const serverRow = (summary: ServerSummary): Readonly<Record<(typeof serverColumns)[number], string>> => ({
  'Server’s own time': summary.whyNoTime ?? formatShares(summary.time),
  'Server’s own names': formatParts(summary.time),
  Source: summary.time === null ? '–' : serverTimeBasisText(summary.time),
  'Round trips per call': formatRoundTrips(summary),
  'Plans made per execution': formatNumber(summary.hardParsesPerExecution),
  'Pages read per row': formatNumber(summary.pagesReadPerRow),
  'Temporary files per call': formatBytes(summary.tempBytesPerCall),
  Checkpoints: formatCount(summary.roles.checkpoints),
  Probes: probingText(summary),
});

export const serverNote =
  'The servers’ reports about the measured phases, all repeats together. Shares refer to the server’s own time without waits for client and network; the server’s own names include these waits. Round trips are counted by the server, including other sessions; “(client)” marks counts at the client’s sockets. The source is the server’s clocks, or samples of its sessions with the number of sessions at work in them. Probes are the number and duration of the queries for these reports.';

const sentences: readonly string[] = ['Server’s own time', 'Server’s own names', 'Source'];

/** The servers' own metrics of time and work, cell by cell. */
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
