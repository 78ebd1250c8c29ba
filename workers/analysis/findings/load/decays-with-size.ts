import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { hasRandomUuids, keyKindOf } from '#engine-api/support/key-kind.ts';
import { formatCount, formatPercent, formatRate } from '#model/format/format.ts';
import { fillingOperations } from '#model/settings/vocabulary.ts';
import { type Interval, meanInterval } from '#stats/intervals/intervals.ts';
import { tQuantile } from '#stats/intervals/student-t.ts';
import { mean } from '#stats/intervals/summary.ts';
import { effectiveSize } from '#stats/series/autocorrelation.ts';
import { rowsDone } from '../../run-model/rows-done.ts';
import type { TrialView } from '../../run-model/run-model.ts';
import { wholeSeconds } from '../../run-model/steadiness.ts';
import { longViews, secondsPicture } from '../shared/cell-pictures.ts';
import { confirmBy } from '../shared/confirm.ts';
import { number, share } from '../shared/evidence.ts';
import type { CellFacts, RunFacts } from '../shared/facts.ts';
import type { Confirm, Rule } from '../shared/finding.ts';
import { type CellOutcome, cannotTell, eachCell, notShown, shown } from '../shared/outcomes.ts';

/** Over fewer seconds, single seconds determine the slope. */
const leastSeconds = 10;
/** In any table, filling caches and growing files cost up to this much over a trial. */
const leastFall = 0.1;
/** Ratio of pages read from files per row, second half ÷ first half, above which chance is no explanation. */
const leastMoreReads = 1.5;
/** The confirming experiment makes a table that is larger by this factor. */
const moreRows = 4;

/**
 * Inserts that become slower as the table grows: the slope of the logarithm of each second's throughput over the number
 * of rows. The decline is certain if the interval comes from repeats. The order of the keys is the likely cause if keys
 * arrive in random order and the server reads ever more pages per row; otherwise a possible cause.
 */
export const decaysWithSize: Rule = {
  title: 'Slower as the table grows',
  looksFor: 'inserts that become slower as the table grows, for example because of random keys',
  shownWhen:
    'throughput falls by 10 % over a trial of at least 10 seconds; likely where keys are random and the pages read per row rise by half',
  find: eachCell(outcomeOf, {
    cells: ({ measured }) => measured.filter(({ settings }) => fillingOperations.includes(settings.operation)),
    whyNone: 'Only inserts and copies make a table grow.',
  }),
};

function outcomeOf(facts: RunFacts, cell: CellFacts): CellOutcome {
  const slopes = cell.views.flatMap((view) => slopeOf(view) ?? []);
  if (slopes.length === 0)
    return cannotTell(
      `Its trials are shorter than ${leastSeconds} seconds, which is too short for a trend. Use more rows.`,
    );
  const rows = mean(slopes.map((one) => one.rows));
  const slope = pooled(slopes);
  const change = {
    low: Math.expm1(slope.low! * rows),
    value: Math.expm1(slope.value * rows),
    high: Math.expm1(slope.high! * rows),
  };
  const text = `${formatPercent(change.value)} (${formatPercent(change.low)} to ${formatPercent(change.high)})`;
  if (change.high > -leastFall) {
    const seen = `Throughput changes by ${text} while ${formatCount(rows)} rows are inserted`;
    return change.low > -leastFall
      ? notShown(`${seen}; a fall of less than ${formatPercent(leastFall)} is not reported.`)
      : notShown(`${seen}, which varies too much to show a fall.`);
  }
  const { dataset } = cell.experiment;
  const { descriptor } = cell.target;
  const kind = keyKindOf(dataset, cell.settings);
  // Without an index during the load, rows are appended to the table in any order of keys.
  const random = cell.settings.keyCreation === 'beforeLoad' && hasRandomUuids(descriptor, dataset, cell.settings);
  const reads = moreReads(cell);
  const link = 'throughput-over-rows';
  const evidence = [
    share('Change over the trial', change.value, link),
    share('Change, one end of the interval', change.low, link),
    share('Change, other end of the interval', change.high, link),
    number('Rows inserted in the trial', Math.round(rows), link),
    reads !== null && number('Pages read per row, second half ÷ first', reads, 'server-counters'),
  ];
  const what = kind === 'uuid4' ? 'random uuid' : `${kind}, whose random bytes this engine compares before its time`;
  const why = random ? ` The key ${dataset.key} is a ${what}: each row goes to a different page of its index.` : '';
  const first = mean(slopes.map((one) => one.first));
  const [view] = longViews(cell);
  return shown({
    claim: `Inserts become slower as the table grows: ${cell.name} begins at ${formatRate(first, facts.unit)}, and changes by ${text} while ${formatCount(rows)} rows are inserted.${why}`,
    confidence: random && reads !== null && reads >= leastMoreReads ? 'likely' : 'possible',
    explains: -change.value,
    evidence,
    advice: random
      ? `Use ascending keys (${growingKeys(descriptor)}), do not store rows in the order of a random key (use a heap with a separate index), or load without the index and build it afterwards.`
      : 'Look at what the server reads and writes per row as the table grows (pages read, checkpoints, files that are extended); the table may have outgrown a cache of the server, or the writes the disk’s write cache.',
    confirm: confirmOf(facts, cell, random),
    picture: view ? secondsPicture(facts, view, {}, { name: 'rows done', at: rowsDone(view) }) : null,
  });
}

/** Kinds of keys that are ascending on this engine. */
const growingKeys = ({ uuids }: EngineDescriptor): string =>
  uuids.order === 'bytes'
    ? 'uuid7, a sequence'
    : 'uuidSequential, a sequence, but not uuid7, whose random bytes this engine compares first';

function confirmOf(facts: RunFacts, cell: CellFacts, random: boolean): Confirm | null {
  const { rows } = cell.experiment.dataset;
  const same = { vary: 'method', levels: [cell.settings.method] };
  return !random
    ? confirmBy(facts, cell, {
        ...same,
        title: 'A larger table',
        question: `Does ${cell.target.name} go on becoming slower as the table grows?`,
        more: [{ path: ['dataset', 'rows'], value: rows * moreRows }],
      })
    : confirmBy(facts, cell, {
        ...same,
        title: 'The same with ascending keys',
        question: `Does ${cell.target.name} stay as fast as the table grows if keys are ascending?`,
        more: [
          {
            path: ['workload', 'keyKind'],
            value: cell.target.descriptor.uuids.order === 'bytes' ? 'uuid7' : 'uuidSequential',
          },
        ],
      });
}

interface Slope {
  /** Change of the logarithm of the rate per row, and its standard error within the trial. */
  readonly perRow: number;
  readonly error: number;
  readonly freedom: number;
  readonly rows: number;
  /** Rate at the beginning of the trial, from the fitted line. */
  readonly first: number;
}

/**
 * Least squares of the logarithms over the number of rows in the middle of each second, with a standard error for
 * correlated residuals.
 */
function slopeOf({ series }: TrialView): Slope | null {
  const { atMs, rates } = wholeSeconds(series);
  // The first second includes the start of all connections.
  const used = rates.map((rate, i) => ({ rate, seconds: (atMs[i]! - (atMs[i - 1] ?? 0)) / 1_000 }));
  let done = 0;
  const points = used.flatMap(({ rate, seconds }, i) => {
    const before = done;
    done += rate * seconds;
    return i === 0 || rate <= 0 ? [] : [{ x: (before + done) / 2, y: Math.log(rate) }];
  });
  if (points.length < leastSeconds) return null;
  const [centre, level] = [mean(points.map(({ x }) => x)), mean(points.map(({ y }) => y))];
  const spread = points.reduce((sum, { x }) => sum + (x - centre) ** 2, 0);
  if (spread === 0) return null;
  const perRow = points.reduce((sum, { x, y }) => sum + (x - centre) * (y - level), 0) / spread;
  const residuals = points.map(({ x, y }) => y - level - perRow * (x - centre));
  const freedom = Math.max(1, effectiveSize(residuals) - 2);
  const scatter = residuals.reduce((sum, one) => sum + one * one, 0) / points.length;
  // The standard error counts only independent seconds.
  const error = Math.sqrt((scatter * points.length) / freedom / spread);
  return { perRow, error, freedom, rows: done, first: Math.exp(level - perRow * centre) };
}

/** With three or more repeats, Student's interval over them. With fewer, the interval of the least certain trial. */
function pooled(slopes: readonly Slope[]): Interval {
  if (slopes.length >= 3) return meanInterval(slopes.map(({ perRow }) => perRow))!;
  const value = mean(slopes.map(({ perRow }) => perRow));
  const half = Math.max(...slopes.map(({ error, freedom }) => tQuantile(0.975, freedom) * error));
  return { value, low: value - half, high: value + half, n: slopes.length };
}

/** Pages read from files per row: second half of the trials ÷ first half; null if the server does not count them. */
function moreReads({ target, views }: CellFacts): number | null {
  const names = Object.entries(target.probeInfo).flatMap(([name, { role }]) => (role === 'pagesRead' ? [name] : []));
  const halves = { first: 0, second: 0, firstRows: 0, secondRows: 0 };
  for (const { series } of views) {
    const middle = (series.atMs.at(-1) ?? 0) / 2;
    for (const name of names)
      for (const [i, at] of (series.probes[name]?.atMs ?? []).entries())
        halves[at <= middle ? 'first' : 'second'] += series.probes[name]!.perSecond[i]!;
    for (const [i, at] of series.atMs.entries())
      halves[at <= middle ? 'firstRows' : 'secondRows'] += series.rowsPerSecond[i]!;
  }
  const { first, second, firstRows, secondRows } = halves;
  return first === 0 || firstRows === 0 || secondRows === 0 ? null : second / secondRows / (first / firstRows);
}
