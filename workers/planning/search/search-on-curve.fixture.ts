import { type Search, searchLevels } from '#experiment/schema/search.ts';
import { mean } from '#stats/intervals/summary.ts';
import { Sfc32 } from '#stats/random/random.ts';
import { normal } from '#stats/random/samples.fixture.ts';
import { type SearchEnd, searchStep, type Tried, type TriedLoad } from './search-steps.ts';

/** Throughput and the like at a load; `noise` is a factor around 1. The goal for p99 is 20 ms. */
export type Curve = (
  load: number,
  noise: () => number,
) => Partial<Omit<Tried, 'over'>> & { readonly p99Ms?: number; readonly behind?: boolean; readonly fails?: boolean };

const limitMs = 20;

/** The steps of a search. */
interface Timeline {
  readonly end: SearchEnd;
  /** The loads in the order in which the search tried them. */
  readonly order: readonly number[];
  readonly loads: readonly TriedLoad[];
}

/** For tests only: runs a search to its end on an artificial curve with relative scatter `sd`. */
export function searchOn(search: Search, curve: Curve, { sd = 0.02, seed = 1, repeats = 3 } = {}): Timeline {
  const random = new Sfc32(seed);
  const noise = () => Math.exp(sd * normal(random));
  const loads: { load: number; ok: Tried[]; over: number | null; failed: number; behind: boolean }[] = searchLevels(
    search,
  ).map((load) => ({
    load,
    ok: [],
    over: null,
    failed: 0,
    behind: false,
  }));
  const order: number[] = [];
  for (let trials = 0; trials < 500; trials++) {
    const step = searchStep(search, loads, repeats);
    if ('end' in step) return { end: step.end, order, loads };
    const load = loads[step.next]!;
    if (step.more <= 0 || load.ok.length + load.failed >= repeats)
      throw new Error(`The search wants ${step.more} trials more of ${load.load}.`);
    order.push(load.load);
    const { fails, behind = false, throughput = load.load, p99Ms = 1, saturated = false } = curve(load.load, noise);
    if (fails) load.failed++;
    else load.ok.push({ throughput, over: Math.log(p99Ms / limitMs), saturated });
    load.over = load.ok.length === 0 ? null : mean(load.ok.map(({ over }) => over!));
    load.behind = behind;
  }
  throw new Error('The search does not end.');
}
