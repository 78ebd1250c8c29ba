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
  'In its own words',
  'Known by',
  'Log per row',
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
  'In its own words': formatParts(summary.time),
  'Known by': summary.time === null ? '–' : serverTimeBasisText(summary.time),
  'Log per row': formatBytes(summary.logBytesPerRow),
  'Round trips per call': formatRoundTrips(summary),
  'Plans made per execution': formatNumber(summary.hardParsesPerExecution),
  'Pages read per row': formatNumber(summary.pagesReadPerRow),
  'Temporary files per call': formatBytes(summary.tempBytesPerCall),
  Checkpoints: formatCount(summary.roles.checkpoints),
  Probes: probingText(summary),
});

export const serverNote =
  'What the servers told of the measured phases, all repeats together. Shares are of the server’s own time, without what it waited for the client and the network; its own words include those. Round trips: as the server counts them, those of others included; (client): as seen at the client’s sockets. Known by: the server’s clocks, or samples of its sessions and how often one was seen at work in them. Probes: how often the server was asked for all this, and how long that took.';

const sentences: readonly string[] = ['Server’s own time', 'In its own words', 'Known by'];

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
