import { isCold } from '#engine-api/support/cold-cache.ts';
import { formatBytes, formatCount, formatPercent } from '#model/format/format.ts';
import { bytesOfText } from '#model/format/size-text.ts';
import type { Settings } from '#model/settings/settings.ts';
import { confirmBy } from '../shared/confirm.ts';
import { bytes, linkTo, share } from '../shared/evidence.ts';
import type { CellFacts, RunFacts } from '../shared/facts.ts';
import type { Rule } from '../shared/finding.ts';
import { type CellOutcome, cannotTell, eachCell, notShown, shown } from '../shared/outcomes.ts';

/** Operations that only read. A change is written to storage even if all pages are in memory. */
const judgedOperations: readonly Settings['operation'][] = ['readByKey', 'readRange', 'scan', 'statement'];
/** Greatest log per call: a read writes none, except for a server's own maintenance. */
const leastLogBytes = 50;
/** Greatest share of pages read from storage: every server reads this many for its catalogue and statistics. */
const mostRead = 0.01;
/** With fewer pages, a share of a hundredth cannot be judged. */
const leastPages = 1_000;
/** Greatest temporary files per call: a server's own maintenance writes up to this much. */
const leastTempBytes = 8_192;
/** A cache also holds other pages, so data above this share of it may not fit. */
const mostFilled = 0.9;
/** With uniform keys, a cache contains a page of data four times its size with a probability of a quarter at best. */
const wantedTimes = 4;
/** Greatest number of rows of an experiment. */
const mostRows = 10_000_000_000;

/**
 * Reads that found all pages in the server's own memory, so that the run did not measure storage. Certain if the
 * server's counters show it and the data is smaller than its cache; likely if only one of the two is known. The finding
 * explains no time: it states what the numbers do not cover.
 */
export const fitsInMemory: Rule = {
  title: 'Data fit in memory',
  looksFor: 'data that the server keeps in memory, so that its storage is not measured',
  shownWhen:
    'at most 1 % of the pages came from files (of at least 1,000 pages, and a page for each call), or the data fill at most 90 % of the cache; certain with both',
  find: eachCell(outcomeOf, {
    cells: ({ measured }) => measured.filter(({ settings }) => judgedOperations.includes(settings.operation)),
    whyNone: 'Only reads are judged, because writes wait for storage when they commit.',
  }),
};

/** The size of the server's cache in this cell: servers of other variants may have been started with another one. */
function cacheBytes({ target, results }: Pick<CellFacts, 'target' | 'results'>): number | null {
  const reported = results.find(({ serverParameters }) => serverParameters)?.serverParameters ?? {};
  const [name, bytesOfOne] =
    Object.entries(target.descriptor.serverParameters?.memory ?? {}).find(([one]) => reported[one] != null) ?? [];
  const own = name === undefined ? null : bytesOfText(reported[name] ?? '', bytesOfOne);
  return own ?? target.fingerprint?.cacheBytes ?? null;
}

function outcomeOf(facts: RunFacts, cell: CellFacts): CellOutcome {
  if (cell.summary.storedBytesPerRow?.medium === 'memory')
    return notShown('This engine keeps its tables in memory by design.');
  const { pagesRead, pagesHit, tempBytes = 0 } = cell.server.roles;
  if (tempBytes / cell.calls >= leastTempBytes)
    return notShown(
      `A call wrote ${formatBytes(tempBytes / cell.calls)} of temporary files on average, which are on storage.`,
    );
  const wanted = pagesRead === undefined || pagesHit === undefined ? 0 : pagesRead + pagesHit;
  const isCounted = pagesRead !== undefined && pagesHit !== undefined;
  if (cell.settings.operation === 'statement') {
    if (!isCounted)
      return cannotTell('The server does not count pages, so it is not known whether the statements read tables.');
    const { logBytes = 0 } = cell.server.roles;
    if (logBytes / cell.calls >= leastLogBytes)
      return notShown('Its statements write, and their commits wait for storage.');
  }
  // Every call that reads a table needs at least one of its pages; fewer counted pages come from Dyno's own probes.
  if (isCounted && wanted < cell.calls)
    return notShown('Its calls read less than one page each, so they read no table.');
  const readShare = isCounted && wanted >= leastPages ? pagesRead! / wanted : null;
  const { operation, workingSet = 1 } = cell.settings;
  const touched = operation === 'scan' ? 1 : workingSet;
  const all = dataBytes(cell);
  const data = all === null ? null : all * touched;
  const what =
    touched < 1 ? `the working set, ${formatPercent(touched)} of data and indexes` : 'the table with its indexes';
  const cache = cacheBytes(cell);
  const filled = data === null || cache === null ? null : data / cache;
  if (readShare !== null && readShare > mostRead)
    return notShown(`${formatPercent(readShare)} of the pages were not in the server’s memory.`);
  if (filled !== null && filled > mostFilled)
    return notShown(
      `The data from which calls choose (${formatBytes(data)}) are not much smaller than the cache (${formatBytes(cache)}).`,
    );
  if (readShare === null && isCold(cell.settings))
    return cannotTell(
      'The server’s cache was emptied before each trial, and too few pages were counted to tell how many came from files again.',
    );
  if (readShare === null && filled === null)
    return cannotTell('The server counts no pages found in its memory, or the sizes of data and cache are not known.');
  const seen =
    readShare === null ? null : `${formatCount(pagesRead)} of ${formatCount(wanted)} pages were read from files`;
  const sizes = filled === null ? null : `${what}, ${formatBytes(data)}, fits in the cache of ${formatBytes(cache)}`;
  const evidence = [
    readShare !== null && share('Pages read from outside the cache', readShare, 'server-counters'),
    data !== null && bytes(touched < 1 ? 'Working set' : 'Data and indexes', data, 'stored'),
    cache !== null && bytes('The server’s cache', cache, linkTo('settings-compared')),
  ];
  const { dataset, tables } = cell.experiment;
  const { rows } = dataset;
  return shown({
    claim: `${cell.name} measured memory and not storage: ${[seen, sizes].filter((one) => one !== null).join('; ')}.`,
    confidence: seen !== null && sizes !== null ? 'certain' : 'likely',
    explains: 0,
    evidence,
    advice:
      'This is right if the working set of the application also fits in memory. To measure the storage, use a table several times as large as the cache (and the system’s page cache), or a smaller cache.',
    confirm:
      filled === null || tables !== undefined
        ? null
        : confirmBy(facts, cell, {
            title: 'Data beyond the cache',
            question: `How fast is ${cell.target.name} when the data are ${wantedTimes} times its cache?`,
            vary: 'keyDistribution',
            levels: ['uniform', 'hotspot'],
            more: [
              {
                path: ['dataset', 'rows'],
                value: Math.min(mostRows, Math.ceil((rows * wantedTimes) / filled / 1_000) * 1_000),
              },
            ],
          }),
  });
}

/** Bytes of the table and its indexes after the trials; null where the server does not report them. */
function dataBytes({ views }: CellFacts): number | null {
  const sizes = views
    .flatMap(({ result }) => result?.storedBytes ?? [])
    .map(({ tableBytes, indexBytes }) => tableBytes + indexBytes);
  return sizes.length === 0 ? null : Math.max(...sizes);
}
