import type { Search } from '#experiment/schema/search.ts';
import { leastLoads } from '#stats/fits/usl.ts';
import { confidence } from '#stats/intervals/intervals.ts';
import { tQuantile } from '#stats/intervals/student-t.ts';
import { mean, variance } from '#stats/intervals/summary.ts';
import { doublingsFrom, firstTried, halvingsFrom, nextDoubling, nextHalving, repeatedLoads } from '../search-lines.ts';
import { type Estimate, type Fitted, fitSweep, type SweepLoad } from './fit-sweep.ts';

/** The result of one trial of a search. */
export interface Tried {
  readonly throughput: number;
  /** Logarithm of value ÷ limit of the goal that its calls exceed most, or are nearest to; null: no goal has calls. */
  readonly over: number | null;
  /** The trial is client-bound. */
  readonly saturated: boolean;
}

/** A load of a search with its results. */
export interface TriedLoad {
  readonly load: number;
  readonly ok: readonly Tried[];
  /** Logarithm of value ÷ limit of the goal that the calls of all trials together exceed most, or are nearest to. */
  readonly over: number | null;
  /** Trials without a result. */
  readonly failed: number;
  /** The server processed less work than arrived, or so much was given up that its percentile is not known. */
  readonly behind: boolean;
}

/**
 * The reason why a search ended. found: the answer is narrowed down; atFrom: the lowest load is already beyond it;
 * notReached: the highest load is not beyond it; failed: trials fail above the loads that succeeded; noLaw: the
 * Universal Scalability Law does not fit the loads.
 */
type SearchReason = 'found' | 'atFrom' | 'notReached' | 'failed' | 'noLaw';

/** The answer of a search. */
export interface SearchEnd {
  readonly reason: SearchReason;
  /** The load in question, with its interval; null: unknown. */
  readonly answer: Estimate | null;
  /**
   * Position of the load whose trials show the answer or, without an answer, the best load so far. Null: no trial
   * succeeded.
   */
  readonly at: number | null;
  /** The law over all loads; null: the search did not need it. */
  readonly law: Fitted | null;
}

/** The next step of a search. `more`: approximate number of trials to come, including this one. */
export type SearchStep = Next | { readonly end: SearchEnd };

interface Next {
  readonly next: number;
  readonly more: number;
}

/**
 * Computes the next load of a search, or why the search ends, from the results alone, so that an interrupted run
 * continues as if uninterrupted. The search doubles the load until it is beyond the answer (where its first load is
 * beyond a limit or fails, it halves the load until it is not), then halves the distance between the highest load
 * before and the lowest behind the answer until they are neighbours, then repeats these two, the loads next to them,
 * and the ones that a saturation point is measured by. Repeats change means, and can therefore lead back to an
 * earlier step.
 */
export function searchStep(search: Search, loads: readonly TriedLoad[], repeats: number): SearchStep {
  // A load whose trials all fail cannot be the answer.
  const known = {
    search,
    loads,
    repeats,
    usable: loads.flatMap(({ ok, failed }, i) => (ok.length > 0 || failed === 0 ? [i] : [])),
  };
  const climbed = climb(known);
  if ('next' in climbed) return climbed;
  const best = climbed.tried.at(-1);
  if (best === undefined) return { end: { reason: 'failed', answer: null, at: null, law: null } };
  if (search.find === 'knee') return knee(known, climbed);
  if (climbed.passed) return narrow(known);
  const again = repeatsAt(known, [best]);
  if (again !== null) return again;
  const { load } = loads[best]!;
  const reason = climbed.failed ? 'failed' : 'notReached';
  return { end: { reason, answer: { value: load, low: load, high: null }, at: best, law: null } };
}

interface Known {
  readonly search: Search;
  readonly loads: readonly TriedLoad[];
  readonly repeats: number;
  /** Positions of loads that are not known to fail. */
  readonly usable: readonly number[];
}

const isTried = ({ ok }: TriedLoad): boolean => ok.length > 0;

/** Geometric means, because rates and latencies scatter by shares. */
const logRate = ({ ok }: TriedLoad): number => mean(ok.map(({ throughput }) => Math.log(throughput)));

interface Climbed {
  /** Positions of the doublings that succeeded. */
  readonly tried: readonly number[];
  /** The load is beyond the answer. */
  readonly passed: boolean;
  /** A trial without a result ended the search. */
  readonly failed: boolean;
}

/** Doubles the load until it is beyond the answer; a search for a limit whose first load is beyond it descends. */
function climb(known: Known): Climbed | Next {
  const { loads, search } = known;
  const all = loads.map(({ load }) => load);
  const first = firstTried(all, search.from);
  const tried: number[] = [];
  for (let i = first; ; i = nextDoubling(all, i)) {
    const load = loads[i]!;
    if (!isTried(load)) {
      if (load.failed > 0)
        return i === first && search.find === 'limit'
          ? descend(known, all, first)
          : { tried, passed: false, failed: true };
      return { next: i, more: doublingsFrom(all, i) + narrowing(known, i) };
    }
    tried.push(i);
    if (
      isPassed(
        search,
        tried.map((at) => loads[at]!),
      )
    )
      return i === first && search.find === 'limit'
        ? descend(known, all, first)
        : { tried, passed: true, failed: false };
    if (i === loads.length - 1)
      return {
        tried,
        passed: endsFlat(
          search,
          tried.map((at) => loads[at]!),
        ),
        failed: false,
      };
  }
}

/** Halves the load from the first one, which is beyond the limit or fails, until it is neither. */
function descend({ loads, search, repeats }: Known, all: readonly number[], first: number): Climbed | Next {
  let passed = isTried(loads[first]!);
  for (let i = first; i > 0; ) {
    i = nextHalving(all, i);
    const load = loads[i]!;
    if (!isTried(load)) {
      if (load.failed > 0) continue;
      return { next: i, more: halvingsFrom(all, i) + repeatedLoads * (repeats - 1) };
    }
    if (!isPassed(search, [load])) return { tried: [i], passed, failed: !passed };
    passed = true;
  }
  return { tried: triedOf({ loads }), passed, failed: !passed };
}

/** Number of trials after the climb, about. */
const narrowing = ({ loads, search, repeats }: Known, at: number): number =>
  search.find === 'knee'
    ? repeatedLoads * (repeats - 1)
    : Math.ceil(Math.log2(Math.max(1, at - loads.findIndex(({ load }) => 2 * load >= loads[at]!.load)))) +
      repeatedLoads * (repeats - 1);

function isPassed({ find, relativeStep }: Search, tried: readonly TriedLoad[]): boolean {
  switch (find) {
    case 'limit':
      return overLimit(tried.at(-1)!) > 0;
    case 'saturation':
      return stepsWithoutGain(tried, relativeStep) >= 2;
    case 'knee':
      return (
        tried.length >= leastLoads &&
        logRate(tried.at(-1)!) < Math.max(...tried.map(logRate)) + Math.log1p(-relativeStep)
      );
  }
}

/** The highest load gains too little over an earlier one, and no further load can confirm that. */
const endsFlat = ({ find, relativeStep }: Search, tried: readonly TriedLoad[]): boolean =>
  find === 'saturation' && stepsWithoutGain(tried, relativeStep) > 0;

/** Number of last steps in a row that exceed the best earlier load by no more than `relativeStep`. */
function stepsWithoutGain(tried: readonly TriedLoad[], relativeStep: number): number {
  let best = Number.NEGATIVE_INFINITY;
  let steps = 0;
  for (const load of tried) {
    const gains = logRate(load) > best + Math.log1p(relativeStep);
    steps = gains ? 0 : steps + 1;
    if (gains) best = logRate(load);
  }
  return steps;
}

/** A load that the server cannot keep up with exceeds any limit, and one without calls none. */
const overLimit = ({ over, behind }: TriedLoad): number =>
  behind ? Number.POSITIVE_INFINITY : (over ?? Number.NEGATIVE_INFINITY);

/** The distances of the tried loads from the answer, as logarithms. */
interface Judged {
  readonly at: number;
  /** Above 0: the load is beyond the answer. */
  readonly beyond: number;
  /** A larger distance is not due to chance; null: the scatter is unknown. */
  readonly margin: number | null;
}

/** Narrows down between the highest load before the answer and the lowest behind it. */
function narrow(known: Known): SearchStep {
  const { search, loads, usable } = known;
  const { judged, references } = search.find === 'saturation' ? besideSaturation(known) : besideLimit(known);
  const first = judged.findIndex(({ beyond }) => beyond > 0);
  const behind = judged[first]!;
  const before = judged[first - 1];
  // The second loads on each side are the interval if the nearest ones differ too little, so they are repeated, too.
  const repeated = [...judged.slice(Math.max(0, first - 2), first + 2).map(({ at }) => at), ...references];
  if (before) {
    const between = usable.filter((at) => at > before.at && at < behind.at);
    if (between.length > 0) {
      const more = Math.ceil(Math.log2(between.length + 1)) + missing(known, repeated);
      return { next: between[(between.length - 1) >> 1]!, more };
    }
  }
  const again = repeatsAt(known, repeated);
  if (again !== null) return again;
  const isSaturation = search.find === 'saturation';
  // Saturation begins with the first load on it; a limit holds up to the last load below it.
  const answer = isSaturation ? behind.at : (before?.at ?? null);
  const bounds = boundsOf(judged, loads, first - (isSaturation ? 0 : 1));
  return {
    end: {
      reason: before ? 'found' : 'atFrom',
      answer: answer === null ? null : { value: loads[answer]!.load, ...bounds },
      at: answer ?? behind.at,
      law: null,
    },
  };
}

/** The highest load certainly before the answer, and the lowest one certainly behind it. */
function boundsOf(
  judged: readonly Judged[],
  loads: readonly TriedLoad[],
  answer: number,
): Pick<Estimate, 'low' | 'high'> {
  const certain = ({ beyond, margin }: Judged) => Math.abs(beyond) > (margin ?? Number.POSITIVE_INFINITY);
  const low = judged.slice(0, answer + 1).findLast((one) => one.beyond < 0 && certain(one));
  const high = judged.slice(Math.max(0, answer)).find((one) => one.beyond > 0 && certain(one));
  return { low: low ? loads[low.at]!.load : 0, high: high ? loads[high.at]!.load : null };
}

const triedOf = ({ loads }: Pick<Known, 'loads'>): readonly number[] =>
  loads.flatMap((load, at) => (isTried(load) ? [at] : []));

/**
 * Before the saturation point, throughput is more than `relativeStep` below the highest; the load with the highest
 * throughput, and all higher loads, are beyond the point.
 */
function besideSaturation(known: Known): {
  readonly judged: readonly Judged[];
  readonly references: readonly number[];
} {
  const { loads, search } = known;
  const tried = triedOf(known);
  const best = tried.reduce((most, at) => (logRate(loads[at]!) > logRate(loads[most]!) ? at : most));
  const scatter = scatterOf(known, ({ throughput }) => Math.log(throughput));
  const judged = tried.map((at): Judged => {
    if (at >= best) return { at, beyond: Number.POSITIVE_INFINITY, margin: scatter && 0 };
    const beyond = logRate(loads[at]!) - logRate(loads[best]!) - Math.log1p(-search.relativeStep);
    return {
      at,
      beyond,
      margin: scatter && scatter * Math.sqrt(1 / loads[at]!.ok.length + 1 / loads[best]!.ok.length),
    };
  });
  return { judged, references: [best] };
}

function besideLimit(known: Known): { readonly judged: readonly Judged[]; readonly references: readonly number[] } {
  const { loads } = known;
  const scatter = scatterOf(known, ({ over }) => (over !== null && Number.isFinite(over) ? over : null));
  const judged = triedOf(known).map((at): Judged => {
    const load = loads[at]!;
    return { at, beyond: overLimit(load), margin: scatter && scatter / Math.sqrt(load.ok.length) };
  });
  return { judged, references: [] };
}

/**
 * Half the width of a 95 % interval of a single trial's logarithm: Student's t on the pooled scatter of all repeats
 * about the means of their loads, because single loads have too few repeats. Null where no load has repeats.
 */
function scatterOf({ loads }: Known, of: (one: Tried) => number | null): number | null {
  let squares = 0;
  let freedom = 0;
  for (const { ok } of loads) {
    const logs = ok.flatMap((one) => of(one) ?? []);
    if (logs.length < 2) continue;
    squares += variance(logs) * (logs.length - 1);
    freedom += logs.length - 1;
  }
  return freedom === 0 ? null : tQuantile((1 + confidence) / 2, freedom) * Math.sqrt(squares / freedom);
}

const lacks = ({ loads, repeats }: Known, at: number): number =>
  Math.max(0, repeats - loads[at]!.ok.length - loads[at]!.failed);

const missing = (known: Known, at: readonly number[]): number =>
  [...new Set(at)].reduce((sum, one) => sum + lacks(known, one), 0);

/** A repeat of whichever of these loads has the fewest; null where all have enough. */
function repeatsAt(known: Known, at: readonly number[]): Next | null {
  const [next] = [...new Set(at)]
    .filter((one) => lacks(known, one) > 0)
    .toSorted((a, b) => lacks(known, b) - lacks(known, a));
  return next === undefined ? null : { next, more: missing(known, at) };
}

/** Loads within this ratio, a quarter of a doubling, determine the law equally well. */
const near = 2 ** 0.25;

/**
 * Fits the law to all tried loads. With too few for a fit, it tries loads between them; then the loads nearest to knee
 * and peak, if none is near, and repeats of these and of the lowest load, to which all others are compared.
 */
function knee(known: Known, { tried, failed }: Climbed): SearchStep {
  const { loads, usable, repeats } = known;
  const all = triedOf(known);
  if (all.length < leastLoads) {
    const next = widestGap(known, all, tried.at(-1)!);
    if (next !== null) return { next, more: leastLoads - all.length + repeatedLoads * (repeats - 1) };
  }
  const law = fitSweep(
    all.map((at): SweepLoad => ({ load: loads[at]!.load, repeats: loads[at]!.ok })),
    null,
  );
  const highest = loads[all.at(-1)!]!.load;
  const wanted = [law.knee, law.peak?.load].flatMap((one) => (one && one.value <= highest ? [one.value] : []));
  const nearest = (load: number, among: readonly number[]) =>
    among.reduce((best, at) => (distance(loads[at]!.load, load) < distance(loads[best]!.load, load) ? at : best));
  for (const load of wanted) {
    const next = nearest(load, usable);
    if (!isTried(loads[next]!) && distance(loads[nearest(load, all)]!.load, load) > Math.log(near))
      return { next, more: 1 + missing(known, [all[0]!, next]) };
  }
  const shown = wanted.map((load) => nearest(load, all));
  const again = repeatsAt(known, [all[0]!, ...shown, ...(law.fit === null ? all : [all.at(-1)!])]);
  if (again !== null) return again;
  const reason = law.fit === null ? 'noLaw' : law.knee !== null ? 'found' : failed ? 'failed' : 'notReached';
  return { end: { reason, answer: law.knee, at: shown[0] ?? all.at(-1)!, law } };
}

const distance = (a: number, b: number): number => Math.abs(Math.log(a / b));

/** The load in the middle of the two that are farthest apart, up to a highest; null where all have been tried. */
function widestGap({ loads, usable }: Known, tried: readonly number[], highest: number): number | null {
  const open = usable.filter((at) => at < highest && !isTried(loads[at]!));
  const gap = (at: number) => Math.min(...tried.map((one) => distance(loads[one]!.load, loads[at]!.load)));
  return open.length === 0 ? null : open.reduce((best, at) => (gap(at) > gap(best) ? at : best));
}
