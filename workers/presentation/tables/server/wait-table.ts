import type { RunModel } from '#analysis/run-model/run-model.ts';
import { serverSummaries } from '#analysis/server/server-summary.ts';
import type { ServerWait, ServerWaits } from '#analysis/server/server-waits.ts';
import { dash, formatCount, formatMs, formatPercent } from '#model/format/format.ts';
import type { Table } from '../shared/csv.ts';
import { cellColumns, cellTexts, type NotedTable, numbers, words } from '../shared/panel-table.ts';

/** The waits that the table shows of each cell; the file has all that the run keeps. */
const mostShown = 10;

const note = `The waits of the servers during the measured phases, all repeats together, without waits of idle classes: the ${mostShown} with the most time of each cell, of all that the server knows, by its own names and classes. Counted: the server’s own counts and times, including other sessions and background work. Sampled: the time in which the sessions of the run were seen in the wait, once a second; samples have no count and no longest wait. “≤” marks a bound: the server keeps the longest wait since its start, or a histogram. Share is the part of all waits.`;

const longestText = ({ longest }: ServerWait): string =>
  longest === null ? dash : `${longest.isBound ? '≤ ' : ''}${formatMs(longest.ms)}`;

const meanOf = ({ count, totalMs }: ServerWait): number | null => (count ? totalMs / count : null);

const shareOf = ({ totalMs }: ServerWait, all: ServerWaits): number | null =>
  all.totalMs > 0 ? totalMs / all.totalMs : null;

/** The waits of each cell with the most time. Empty if no server reports waits. */
export const waitTable = (model: RunModel): NotedTable => ({
  note,
  columns: [
    ...cellColumns,
    ...words('Wait', 'Class'),
    ...numbers('Waits', 'Time', 'Share', 'Mean', 'Longest'),
    ...words('Source'),
  ],
  rows: serverSummaries(model).flatMap(({ waits, ...cell }) =>
    (waits?.most ?? []).slice(0, mostShown).map((wait) => ({
      cells: [
        ...cellTexts(model, cell),
        ...[wait.name, wait.class, formatCount(wait.count), formatMs(wait.totalMs)],
        ...[formatPercent(shareOf(wait, waits!)), formatMs(meanOf(wait)), longestText(wait), waits!.method],
      ],
    })),
  ),
});

/** All waits of the run that it keeps, with the server's histograms. */
export const waitCsv = (model: RunModel): Table => ({
  columns: [
    ...['variant', 'target', 'wait', 'class', 'source', 'waits', 'time ms', 'share of all waits', 'longest ms'],
    ...['longest is a bound', 'waits up to each ms'],
  ],
  rows: serverSummaries(model).flatMap(({ variant, target, waits }) =>
    (waits?.most ?? []).map((wait) => [
      ...[variant, target, wait.name, wait.class, waits!.method, wait.count, wait.totalMs, shareOf(wait, waits!)],
      ...[wait.longest?.ms ?? null, wait.longest === null ? null : String(wait.longest.isBound)],
      wait.buckets.map(([upToMs, count]) => `${upToMs}: ${count}`).join('; '),
    ]),
  ),
});
