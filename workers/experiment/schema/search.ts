import * as v from 'valibot';
import { fileKey } from '#model/file-key.ts';
import { keysOf } from '#model/keys-of.ts';
import { decimal } from '#model/numbers.ts';
import { settingDefinitions } from '#model/settings/settings.ts';

/** The settings of the load that a search can raise, with the nouns of their values. */
const searched = { users: 'users', connections: 'connections', arrivalsPerSecond: 'arrivals per second' } as const;
/** A setting of the load that a search can raise. */
export type SearchedSetting = keyof typeof searched;

/** The loads that a search can look for, with their names in the form and in titles. */
export const searchAims = {
  saturation: { label: 'Saturation point', noun: 'saturation point' },
  limit: { label: 'Maximum load meeting SLO', noun: 'maximum load meeting the SLO' },
  knee: { label: 'Knee of the scalability curve', noun: 'knee' },
} as const;

const above0 = (most: number) => v.pipe(v.number(), v.gtValue(0), v.maxValue(most));

/** A search for a load (measure.search). */
export const searchSchema = fileKey(
  v.strictObject({
    find: fileKey(v.picklist(keysOf(searchAims)), {
      label: 'Search for',
      help: 'A search chooses its loads by itself. saturation: the load from which throughput no longer rises. limit: the maximum load that keeps all goals of the file. knee: the load at which contention takes over, by the Universal Scalability Law.',
    }),
    setting: fileKey(v.picklist(keysOf(searched)), {
      label: 'Load to raise',
      help: 'The setting whose value the search raises.',
      choices: Object.fromEntries(keysOf(searched).map((name) => [name, settingDefinitions[name].title])),
    }),
    from: fileKey(above0(1_000_000), {
      label: 'Search from',
      help: 'The load that is tried first. It is the lowest one, except that a search for a limit goes below it where a goal is missed there.',
      first: 1,
    }),
    to: fileKey(above0(1_000_000), { label: 'Search to', help: 'The highest load that is tried.', first: 512 }),
    relativeStep: v.optional(
      fileKey(decimal(0.01, 0.5), {
        label: 'Search in steps of',
        unit: '%',
        help: 'Smaller gains of throughput count as no gain. Neighbouring loads differ by at most this share (whole numbers by at least 1): 0.05 is 5 %.',
      }),
      0.05,
    ),
  }),
  {
    label: 'Search',
    help: 'The run chooses its loads by itself: it doubles the load until it has passed the answer, narrows the interval, and repeats the loads next to the answer (measure.repeats).',
  },
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

/** The load as a noun: "users"; "arrivals per second". */
export const loadNouns = ({ setting }: Pick<Search, 'setting'>): string => searched[setting];
