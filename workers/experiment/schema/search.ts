import * as v from 'valibot';
import { described } from '#model/described.ts';
import { formatUpTo } from '#model/format/format.ts';
import { decimal } from '#model/numbers.ts';

/** The settings of the load that a search can raise. */
export const searchedSettings = ['users', 'connections', 'arrivalsPerSecond'] as const;
/** A setting of the load that a search can raise. */
export type SearchedSetting = (typeof searchedSettings)[number];

const load = (description: string) =>
  v.pipe(v.number(), v.gtValue(0), v.maxValue(1_000_000), v.description(description));

/** A search for a load (measure.search). */
export const searchSchema = described(
  v.strictObject({
    find: described(
      v.picklist(['saturation', 'limit', 'knee']),
      'saturation: the load from which throughput no longer rises. limit: the maximum load meeting the SLO, p99 at or below p99Ms. knee: the load at which contention takes over, by the Universal Scalability Law.',
    ),
    setting: described(v.picklist(searchedSettings), 'The setting whose value the search raises.'),
    from: load(
      'Load that is tried first: the lowest one, except that a search for a limit goes below it where p99 is above the limit there.',
    ),
    to: load('Highest load that is tried.'),
    p99Ms: v.optional(
      v.pipe(
        v.number(),
        v.gtValue(0),
        v.maxValue(3_600_000),
        v.description('With find: limit, the highest allowed 99th percentile of the latency (ms).'),
      ),
    ),
    relativeStep: v.optional(
      described(
        decimal(0.01, 0.5),
        'Neighbouring loads differ by at most this share (whole numbers by at least 1), and a smaller increase of throughput counts as none: 0.05 is 5 %.',
      ),
      0.05,
    ),
  }),
  'The run chooses its loads by itself: it doubles the load until it has passed the answer, narrows the interval, and repeats the loads next to the answer (measure.repeats).',
);
/** A valid search. */
export type Search = v.InferOutput<typeof searchSchema>;

/** True if the load is a whole number. */
export const isWhole = (setting: SearchedSetting): boolean => setting !== 'arrivalsPerSecond';

/** Number of digits of rates between the ends. */
const digits = 3;

/** Halvings of the first load that a search for a limit may try: down to a 64th of it. */
const halvings = 6;

/**
 * The loads that a search may try: the ends, all doublings of the first, with steps of at most `relativeStep`; for a
 * limit also its halvings.
 */
export function searchLevels({ find, setting, from, to, relativeStep }: Search): readonly number[] {
  const perDoubling = stepsPerDoubling(relativeStep);
  const steps = Math.max(0, Math.floor(perDoubling * Math.log2(to / from) + 1e-9));
  const down = find === 'limit' ? perDoubling * halvings : 0;
  const least = isWhole(setting) ? 1 : 0;
  const rounded = (level: number) => (isWhole(setting) ? Math.round(level) : Number(level.toPrecision(digits)));
  const level = (step: number) => rounded(from * 2 ** (step / perDoubling));
  const below = Array.from({ length: down }, (_, i) => level(i - down)).filter((one) => one >= least && one < from);
  const above = Array.from({ length: steps }, (_, i) => level(i + 1)).filter((one) => one > from && one < to);
  return [...new Set([...below, from, ...above, to])];
}

/** The number of equal steps of at most `relativeStep` that double a load. */
export const stepsPerDoubling = (relativeStep: number): number => Math.ceil(Math.LN2 / Math.log1p(relativeStep));

const unitWords = { users: 'users', connections: 'connections', arrivalsPerSecond: 'arrivals per second' } as const;

/** The load as a noun: "users"; "arrivals per second". */
export const loadNouns = ({ setting }: Pick<Search, 'setting'>): string => unitWords[setting];

/** "a search for the saturation point, 1 to 512 users"; "… for the maximum load with p99 ≤ 20 ms, …". */
export function searchText(search: Search): string {
  const { find, from, to, p99Ms } = search;
  const what = { saturation: 'saturation point', limit: `maximum load with p99 ≤ ${p99Ms} ms`, knee: 'knee' }[find];
  return `a search for the ${what}, ${formatUpTo(from)} to ${formatUpTo(to)} ${loadNouns(search)}`;
}
