import { classWords } from './class-words.ts';
import { formatBytes, formatCount, formatMs, formatNumber, formatPercent } from './format.ts';
import type { ServerSummary } from './server-summary.ts';
import { ownShares, rankedClasses, type ServerTime, type ServerTimeMethod } from './server-time.ts';

/** How server time is known, for notes under charts and tables. */
export const methodWords: Readonly<Record<ServerTimeMethod, string>> = {
  timed: 'Timed: by the server’s own clocks, of everybody who worked there.',
  sampled: 'Sampled: the run’s sessions as the server showed them, once a second.',
};

/** The server's own time by class, the largest first: "log and commit 71.0 % · processor 29.0 %"; a dash where there was none. */
export function sharesInWords(time: ServerTime | null): string {
  const ranked = time === null ? [] : rankedClasses(ownShares(time));
  return ranked.length === 0
    ? '–'
    : ranked
        .map(([one, share]) => `${classWords[one].replaceAll(' ', '\u00a0')}\u00a0${formatPercent(share)}`)
        .join(' · ');
}

/** More names than these would be a list of everything. */
const mostNames = 4;

/** What it is made of in the engine's own words: "IO:WALSync 61.0 %, running 29.0 %"; waits for the other side included. */
export function partsInWords(time: ServerTime | null): string {
  if (time === null) return '–';
  const shown = time.parts
    .slice(0, mostNames)
    .map(({ label, ms }) => `${label}\u00a0${formatPercent(ms / time.totalMs)}`);
  const more = time.parts.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** "timed", "36 samples, 61 at work": how much the shares rest on. */
export const basisInWords = (time: ServerTime): string =>
  time.method === 'timed'
    ? 'timed'
    : `${formatCount(time.samples)}\u00a0samples, ${formatCount(time.sightings)}\u00a0at\u00a0work`;

/** "1.00"; by the client where the server does not count them. */
export const roundTripsInWords = ({ roundTripsPerCall: found }: ServerSummary): string =>
  found === null ? '–' : `${formatNumber(found.value)}${found.by === 'client' ? ' (client)' : ''}`;

/** "12 × 3.10 ms, 0.3 % of the time". */
export const probingInWords = ({ probing }: Pick<ServerSummary, 'probing'>): string =>
  probing === null
    ? '–'
    : `${formatCount(probing.count)} × ${formatMs(probing.meanMs)}, ${formatPercent(probing.share)} of the time`;

/** Columns of the table of what servers tell of their cells, for window and report alike. */
export const serverColumns = [
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

/** Of one cell, as texts in the order of serverColumns. */
export const serverRow = (summary: ServerSummary): Readonly<Record<(typeof serverColumns)[number], string>> => ({
  'Server’s own time': summary.whyNoTime ?? sharesInWords(summary.time),
  'In its own words': partsInWords(summary.time),
  'Known by': summary.time === null ? '–' : basisInWords(summary.time),
  'Log per row': formatBytes(summary.logBytesPerRow),
  'Round trips per call': roundTripsInWords(summary),
  'Plans made per execution': formatNumber(summary.hardParsesPerExecution),
  'Pages read per row': formatNumber(summary.pagesReadPerRow),
  'Temporary files per call': formatBytes(summary.tempBytesPerCall),
  Checkpoints: formatCount(summary.roles.checkpoints),
  Probes: probingInWords(summary),
});

export const serverNote =
  'What the servers told of the measured phases, all repeats together. Shares are of the server’s own time, without what it waited for the client and the network; its own words include those. Round trips: as the server counts them, those of others included; (client): as seen at the client’s sockets. Known by: the server’s clocks, or samples of its sessions and how often one was seen at work in them. Probes: how often the server was asked for all this, and how long that took.';
