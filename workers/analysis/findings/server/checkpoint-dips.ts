import { probeInfoOf } from '#engine-api/probe-info.ts';
import { formatMs, formatNumber, formatPercent } from '#model/format/format.ts';
import type { ProbeRole } from '#model/resource.ts';
import { median } from '#stats/intervals/summary.ts';
import type { TrialView } from '../../run-model/run-model.ts';
import { wholeSeconds } from '../../run-model/steadiness.ts';
import { secondsPicture } from '../shared/cell-pictures.ts';
import { confirmBy, untilSeconds } from '../shared/confirm.ts';
import { number, share } from '../shared/evidence.ts';
import type { CellFacts, RunFacts } from '../shared/facts.ts';
import type { Rule } from '../shared/finding.ts';
import { type CellOutcome, cannotTell, eachCell, notShown, shown } from '../shared/outcomes.ts';

/** A shorter trial has no usual throughput. */
const leastSeconds = 10;
/** A second is a dip if it is this far below the median of its trial … */
const leastDepth = 0.2;
/**
 * … and by more than this number of robust standard deviations of the logarithms (1.4826 × the median deviation), which
 * one second in 2,000 reaches by chance.
 */
const leastDeviations = 3.3;
/** Fewer coincidences may be chance. */
const leastTogether = 3;
/** Greatest distance of simultaneous events: client and counters report whole seconds, and their clocks differ. */
const sameTimeMs = 500;
/** A pause of this length in a second explains half of the smallest dip; shorter pauses come in most seconds. */
const leastPauseMs = (1_000 * leastDepth) / 2;
/** Greatest share of all seconds: more frequent work coincides with any dip. */
const mostUsual = 0.5;
const pauses = 'collectionPauses' satisfies ProbeRole;
/** Greatest chance of this many coincidences, over all kinds of work together. */
const possibleBelow = 0.01;
const likelyBelow = 0.001;

/**
 * Seconds of low throughput in which the server wrote a checkpoint or did other work that it reports, more often than
 * randomly placed dips would (binomial). A coincidence proves no cause, so the finding is never certain.
 */
export const checkpointDips: Rule = {
  title: 'Dips at checkpoints or garbage collections',
  looksFor: 'seconds of low throughput while the server writes checkpoints, flushes, or collects garbage',
  shownWhen:
    'seconds at least 20 % below the median coincide with checkpoints, flushes, or pauses of 100 ms for garbage collection, 3 times or more, at a chance below 0.01 (possible) or 0.001 (likely)',
  find: eachCell(outcomeOf),
};

interface Together {
  readonly name: string;
  readonly dips: number;
  readonly met: number;
  /** Expected number of coincidences by chance, and the chance of at least the observed number. */
  readonly expected: number;
  readonly p: number;
}

function outcomeOf(facts: RunFacts, cell: CellFacts): CellOutcome {
  const trials = cell.views.flatMap((view) => secondsOf(view) ?? []);
  if (trials.length === 0) return cannotTell(`Trials are shorter than ${leastSeconds} seconds.`);
  const kinds = [...new Set(cell.views.flatMap((view) => Object.keys(marksOf(cell, view))))];
  const dips = trials.flatMap((trial) => trial.dips);
  if (dips.length === 0)
    return notShown('No second was further below the median throughput than its variation explains.');
  if (kinds.length === 0)
    return cannotTell(
      'Throughput dips, and the server reported no checkpoint, pause or other work of its own at that time.',
    );
  const [best] = kinds.flatMap((name) => togetherOf(cell, trials, name) ?? []).toSorted((a, b) => a.p - b.p);
  if (best === undefined)
    return cannotTell('The server’s own work goes on most of the time, so it coincides with every dip.');
  const p = Math.min(1, best.p * kinds.length);
  const met = `${best.met} of ${best.dips} dips came within ${formatMs(sameTimeMs)} of ${best.name}; by chance, ${formatNumber(best.expected, 2)} would have`;
  if (best.met < leastTogether || p > possibleBelow) return notShown(`${met}.`);
  const depth = median(dips.map((dip) => dip.depth));
  const link = 'throughput-over-time';
  const lost = dips.reduce((sum, dip) => sum + dip.depth * dip.seconds, 0);
  const [dipping] = trials.toSorted((a, b) => b.dips.length - a.dips.length);
  const seconds = trials.reduce((sum, trial) => sum + trial.atMs.length, 0);
  return shown({
    claim: `Throughput of ${cell.name} dips by ${formatPercent(depth)} at the same time as the server’s own work: ${met}.`,
    confidence: p < likelyBelow ? 'likely' : 'possible',
    explains: lost / seconds,
    evidence: [
      number(`Dips at the time of ${best.name}`, best.met, link),
      number('Dips in all', best.dips, link),
      share('Depth of a dip, median', depth, link),
      number('Probability of so many by chance', p, link),
      share('Throughput lost in dips', lost / seconds, link),
    ],
    advice: Object.values(cell.target.probeInfo).some(({ label, role }) => label === best.name && role === pauses)
      ? 'Give the server’s heap more memory, choose a garbage collector with shorter pauses, or ask for smaller answers at a time.'
      : 'Spread the writes: allow more time between checkpoints (a larger log), let the server write over all of that time, put data files and log on different devices, or use faster devices.',
    confirm: confirmBy(facts, cell, {
      title: 'Dips over a longer time',
      question: `Does the throughput of ${cell.target.name} dip at each of its checkpoints?`,
      vary: 'connections',
      levels: [cell.settings.connections],
      more: untilSeconds(Math.max(120, Math.round((cell.elapsedMs / cell.views.length / 1_000) * 2))),
    }),
    picture: secondsPicture(facts, dipping!.view, {
      bands: { label: 'dips', spans: dipping!.dips.map(({ fromMs, toMs }) => ({ from: fromMs, to: toMs })) },
    }),
  });
}

/** Neighbouring seconds far below the usual throughput of their trial. */
interface Dip {
  readonly fromMs: number;
  readonly toMs: number;
  readonly seconds: number;
  /** Missing share of the usual throughput in the lowest second. */
  readonly depth: number;
}

interface Seconds {
  readonly view: TrialView;
  readonly atMs: readonly number[];
  readonly dips: readonly Dip[];
}

function secondsOf(view: TrialView): Seconds | null {
  const { atMs, rates } = wholeSeconds(view.series);
  if (rates.length < leastSeconds) return null;
  const usual = median(rates);
  // Disturbances multiply a rate. On a linear scale, a second without any call could lie within the usual scatter.
  const deviation = 1.4826 * median(rates.map((rate) => Math.abs(Math.log(rate / usual))));
  const border = usual === 0 ? 0 : usual * Math.min(1 - leastDepth, Math.exp(-leastDeviations * deviation));
  const dips: Dip[] = [];
  for (const [i, rate] of rates.entries()) {
    if (rate >= border) continue;
    const fromMs = atMs[i - 1] ?? 0;
    const last = dips.at(-1);
    // Adjacent seconds form one dip.
    if (last?.toMs === fromMs)
      dips[dips.length - 1] = {
        ...last,
        toMs: atMs[i]!,
        seconds: last.seconds + 1,
        depth: Math.max(last.depth, 1 - rate / usual),
      };
    else dips.push({ fromMs, toMs: atMs[i]!, seconds: 1, depth: 1 - rate / usual });
  }
  return { view, atMs, dips };
}

/**
 * [from, to] in ms by the engine's name for the work: work that the server timed, checkpoints that it counted, and the
 * seconds with long pauses for garbage collection.
 */
function marksOf(
  { target: { probeInfo } }: CellFacts,
  { series }: TrialView,
): Readonly<Record<string, readonly (readonly [number, number])[]>> {
  const marks: Record<string, (readonly [number, number])[]> = {};
  for (const [kind, timeline] of Object.entries(series.events))
    marks[probeInfoOf(probeInfo, kind)?.label ?? kind] = timeline.marks.map(({ atMs, durationMs }) => [
      atMs,
      atMs + durationMs,
    ]);
  for (const [name, { atMs, perSecond }] of Object.entries(series.probes)) {
    const info = probeInfoOf(probeInfo, name);
    if (info?.role !== 'checkpoints' && info?.role !== pauses) continue;
    const least = info.role === pauses ? leastPauseMs : 0;
    const rose = atMs.flatMap((at, i) => (perSecond[i]! > least ? [[atMs[i - 1] ?? 0, at] as const] : []));
    if (rose.length > 0) marks[info.label] = rose;
  }
  return marks;
}

/** Null if the work runs most of the time. */
function togetherOf(cell: CellFacts, trials: readonly Seconds[], name: string): Together | null {
  let [met, dips, near, seconds, chance] = [0, 0, 0, 0, 0];
  for (const trial of trials) {
    const marks = marksOf(cell, trial.view)[name] ?? [];
    const isNear = (fromMs: number, toMs: number) =>
      marks.some(([from, to]) => from <= toMs + sameTimeMs && to >= fromMs - sameTimeMs);
    const ends = trial.atMs.map((at, i) => [trial.atMs[i - 1] ?? 0, at] as const);
    const usual = ends.filter(([from, to]) => isNear(from, to)).length;
    near += usual;
    seconds += ends.length;
    for (const dip of trial.dips) {
      dips++;
      if (isNear(dip.fromMs, dip.toMs)) met++;
      // A longer dip coincides with more work.
      chance += 1 - (1 - usual / ends.length) ** dip.seconds;
    }
  }
  if (seconds === 0 || dips === 0 || near / seconds > mostUsual) return null;
  return { name, dips, met, expected: chance, p: atLeast(met, dips, chance / dips) };
}

/** Binomial: chance of `k` or more of `n`, each with chance `p`. */
function atLeast(k: number, n: number, p: number): number {
  let [term, below] = [(1 - p) ** n, 0];
  for (let i = 0; i < k; i++) {
    below += term;
    term *= p === 1 ? 1 : ((n - i) / (i + 1)) * (p / (1 - p));
  }
  return Math.max(0, Math.min(1, 1 - below));
}
