import * as v from 'valibot';
import { described, fileKey } from '#model/file-key.ts';
import { decimal } from '#model/numbers.ts';

const text = v.pipe(v.string(), v.minLength(1), v.maxLength(2_000));

/** `margin` of files that do not set it. */
const usualMargin = 0.1;

/** A rehearsal (`rehearsal`): its results are a decision for each statement on each candidate. */
export const rehearsalSchema = fileKey(
  v.strictObject({
    source: v.optional(described(text, 'The server whose statements these are.')),
    margin: v.optional(
      fileKey(decimal(0.01, 1), {
        label: 'Margin of “same”',
        unit: '%',
        help: `A statement is the same on a candidate if the whole interval of its ratio lies within this margin: 0.1 is from 10 % faster to 10 % slower. Default: ${usualMargin}.`,
      }),
      usualMargin,
    ),
    leftOut: v.optional(
      v.pipe(
        v.array(
          v.strictObject({
            what: described(text, 'The statement, or a kind of statements.'),
            why: described(text, 'The reason, as a sentence.'),
            timeShare: v.optional(described(decimal(0, 1), 'Its share of the server’s time.')),
          }),
        ),
        v.maxLength(1_000),
        v.description('Statements of the server that the rehearsal does not run. Their time is not covered.'),
      ),
      [],
    ),
  }),
  {
    label: 'Rehearsal',
    help: 'The experiment is the rehearsal of an upgrade or a move: the target of `baseline` is the reference, and the results say of each statement if it is better, the same or worse on each other target (a candidate), or does not run there.',
  },
);
