import { resourceLabels } from '#analysis/server/resource-labels.ts';
import type { ServerSummary } from '#analysis/server/server-summary.ts';
import { ownShares, rankedClasses, type ServerTime, type ServerTimeMethod } from '#analysis/server/server-time.ts';
import { formatCount, formatMs, formatNumber, formatPercent } from '#model/format/format.ts';

/** The methods by which server time is measured, for notes under charts and tables. */
export const methodLabels: Readonly<Record<ServerTimeMethod, string>> = {
  timed: 'Timed: the server’s own timing of all sessions.',
  sampled: 'Sampled: the sessions of the run, as the server reported them once a second.',
};

/**
 * The server's own time by class, the largest first: "log and commit 71.0 % · processor 29.0 %". A dash without server
 * time.
 */
export function formatShares(time: ServerTime | null): string {
  const ranked = time === null ? [] : rankedClasses(ownShares(time));
  return ranked.length === 0
    ? '–'
    : ranked
        .map(([one, share]) => `${resourceLabels[one].replaceAll(' ', '\u00a0')}\u00a0${formatPercent(share)}`)
        .join(' · ');
}

/** The most names that are listed. */
const mostNames = 4;

/**
 * The parts of the time in the engine's own terms: "IO:WALSync 61.0 %, running 29.0 %". Waits for the client are
 * included.
 */
export function formatParts(time: ServerTime | null): string {
  if (time === null) return '–';
  const shown = time.parts
    .slice(0, mostNames)
    .map(({ label, ms }) => `${label}\u00a0${formatPercent(ms / time.totalMs)}`);
  const more = time.parts.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** The basis of the shares: "timed", "36 samples, 61 at work". */
export const serverTimeBasisText = (time: ServerTime): string =>
  time.method === 'timed'
    ? 'timed'
    : `${formatCount(time.samples)}\u00a0${time.samples === 1 ? 'sample' : 'samples'}, ${formatCount(time.observations)}\u00a0at\u00a0work`;

/** The round trips per call: "1.00". The client counts them if the server does not. */
export const formatRoundTrips = ({ roundTripsPerCall: found }: ServerSummary): string =>
  found === null ? '–' : `${formatNumber(found.value)}${found.by === 'client' ? ' (client)' : ''}`;

/** "12 × 3.10 ms, 0.3 % of the time". */
export const probingText = ({ probing }: Pick<ServerSummary, 'probing'>): string =>
  probing === null
    ? '–'
    : `${formatCount(probing.count)} × ${formatMs(probing.meanMs)}, ${formatPercent(probing.share)} of the time`;
