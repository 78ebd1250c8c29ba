import * as v from 'valibot';
import { mostRows } from '#model/dataset/dataset.ts';
import { described } from '#model/described.ts';
import { decimal, integer } from '#model/numbers.ts';

/** The key under `rows` that stands for dataset.rows. */
export const allRows = 'all';

/**
 * The end of a trial or a run. One of seconds, rows and calls ends the measured phase of each trial; a precision ends
 * the repeats, and goes with any of them.
 */
export const untilSchema = described(
  v.strictObject({
    seconds: v.optional(
      described(
        decimal(0.1, 86_400),
        'A trial ends after so many seconds. Rows to insert are made as long as the clock runs; calls that are under way then are waited for, and count.',
      ),
    ),
    rows: v.optional(
      described(
        v.union([v.picklist([allRows]), integer(1, mostRows)]),
        'A trial ends when so many rows are done; all: as many as dataset.rows.',
      ),
    ),
    calls: v.optional(
      described(
        integer(2, 1_000),
        'Each trial is this number of calls on one connection, one after another and without a warm-up, and each call is reported separately: the first scan, the second…',
      ),
    ),
    precision: v.optional(
      described(
        decimal(0.001, 0.5),
        'Rounds of trials are repeated until half of every compared 95 % interval is within this share of its value: 0.03 is ± 3 %. Goes with seconds, rows or calls.',
      ),
    ),
  }),
  'One of { seconds: 5 }, { rows: all } and { calls: 5 } ends a trial; precision: 0.03 beside it ends the repeats. Default: { rows: all } for insert, copy and delete in a closed load, else { seconds: 5 }.',
);

/** The ends of a trial of which a file chooses one. */
export const trialEnds = ['seconds', 'rows', 'calls'] as const;
