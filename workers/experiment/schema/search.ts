import * as v from 'valibot';

/** The settings of the load that a search can raise. */
export const searchedSettings = ['users', 'connections', 'arrivalsPerSecond'] as const;
/** A setting of the load that a search can raise. */
export type SearchedSetting = (typeof searchedSettings)[number];

const load = (description: string) =>
  v.pipe(v.number(), v.gtValue(0), v.maxValue(1_000_000), v.description(description));

/** A search for a load (measure.search). */
export const searchSchema = v.pipe(
  v.strictObject({
    find: v.pipe(
      v.picklist(['plateau', 'limit', 'knee']),
      v.description(
        'plateau: the load from which throughput no longer rises. limit: the highest load with p99 at or below p99Ms. knee: the load at which contention takes over, by the Universal Scalability Law.',
      ),
    ),
    setting: v.pipe(v.picklist(searchedSettings), v.description('The setting whose value the search raises.')),
    from: load('Lowest load, which is tried first.'),
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
      v.pipe(
        v.number(),
        v.minValue(0.01),
        v.maxValue(0.5),
        v.description(
          'Neighbouring loads differ by at most this share (whole numbers by at least 1), and a smaller increase of throughput counts as none: 0.05 is 5 %.',
        ),
      ),
      0.05,
    ),
  }),
  v.description(
    'The run chooses its loads by itself: it doubles the load until it has passed the answer, narrows the interval, and repeats the loads next to the answer (measure.repeats).',
  ),
);
/** A valid search. */
export type Search = v.InferOutput<typeof searchSchema>;

/** True if the load is a whole number. */
export const isWhole = (setting: SearchedSetting): boolean => setting !== 'arrivalsPerSecond';

/** Number of digits of rates between the ends. */
const digits = 3;

/** The loads that a search may try: the ends, all doublings of the lowest, with steps of at most `relativeStep`. */
export function searchLevels({ setting, from, to, relativeStep }: Search): readonly number[] {
  const perDoubling = stepsPerDoubling(relativeStep);
  const steps = Math.floor(perDoubling * Math.log2(to / from) + 1e-9);
  const rounded = (level: number) => (isWhole(setting) ? Math.round(level) : Number(level.toPrecision(digits)));
  const between = Array.from({ length: Math.max(0, steps) }, (_, i) => rounded(from * 2 ** ((i + 1) / perDoubling)));
  return [...new Set([from, ...between.filter((level) => level > from && level < to), to])];
}

/** The number of equal steps of at most `relativeStep` that double a load. */
export const stepsPerDoubling = (relativeStep: number): number => Math.ceil(Math.LN2 / Math.log1p(relativeStep));

const unitWords = { users: 'users', connections: 'connections', arrivalsPerSecond: 'arrivals a second' } as const;

/** The load as a noun: "users"; "arrivals a second". */
export const loadNouns = ({ setting }: Pick<Search, 'setting'>): string => unitWords[setting];

/** "a search for the plateau, 1 to 512 users"; "… for the highest load with p99 ≤ 20 ms, …". */
export function formatSearch(search: Search): string {
  const { find, from, to, p99Ms } = search;
  const what = find === 'limit' ? `highest load with p99 ≤ ${p99Ms} ms` : find;
  return `a search for the ${what}, ${from.toLocaleString('en')} to ${to.toLocaleString('en')} ${loadNouns(search)}`;
}
