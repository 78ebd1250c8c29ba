import * as v from 'valibot';
import { mostRows } from '#model/dataset/dataset.ts';
import { fileKey } from '#model/file-key.ts';
import { keysOf } from '#model/keys-of.ts';
import { decimal, integer } from '#model/numbers.ts';

/** The key under `rows` that stands for dataset.rows. */
export const allRows = 'all';

/** Length of the measured phase where the file does not say it. */
export const usualSeconds = 5;

/**
 * The end of a trial or a run. One of seconds, rows and calls ends the measured phase of each trial; a precision ends
 * the repeats, and goes with any of them.
 */
export const untilSchema = fileKey(
  v.strictObject({
    seconds: v.optional(
      fileKey(decimal(0.1, 86_400), {
        label: 'Measured time',
        unit: 's',
        help: 'The length of the measured phase. Dyno makes rows to insert as long as the clock runs. It waits for the calls that are under way at the end, and counts them.',
        first: usualSeconds,
      }),
    ),
    rows: v.optional(
      fileKey(v.union([v.picklist([allRows]), integer(1, mostRows)]), {
        label: 'Measured rows',
        help: 'The number of rows of the measured phase. all: all rows of the dataset.',
        usual: allRows,
        first: allRows,
      }),
    ),
    calls: v.optional(
      fileKey(integer(2, 1_000), {
        label: 'Calls',
        help: 'Each call is reported separately. A trial is this number of calls on one connection, one after another and without a warm-up.',
        first: 5,
      }),
    ),
    precision: v.optional(
      fileKey(decimal(0.001, 0.5), {
        label: 'Target precision',
        unit: '%',
        help: 'Dyno stops when the 95 % intervals of all judged ratios to the baseline are this narrow. Without a baseline, it takes the intervals of the means. Half of each interval is within this share of its value: 0.03 is ± 3 %.',
        first: 0.03,
      }),
    ),
  }),
  {
    label: 'A trial ends',
    help: `One of { seconds: ${usualSeconds} }, { rows: ${allRows} } and { calls: 5 } ends a trial; precision: 0.03 beside it ends the repeats. Default: { rows: ${allRows} } for insert, copy and delete in a closed load, else { seconds: ${usualSeconds} }.`,
  },
);

/** The ends of a trial of which a file chooses one, with their names in the form. */
export const trialEndLabels = {
  seconds: 'After a time',
  rows: 'After a number of rows',
  calls: 'After a number of calls',
} as const;
/** The ends of a trial. */
export const trialEnds = keysOf(trialEndLabels);
