import * as v from 'valibot';
import { fileKey } from '#model/file-key.ts';
import { integer } from '#model/numbers.ts';

/** Draws of a statement's parameters for which answers are compared, where the file does not say it. */
const usualDraws = 20;
/** The same for a text that a level changes: a change at the edge of a range differs in few draws. */
export const changedTextDraws = 100;

/** The comparison of answers (`equal`); false: none. */
export const equalSchema = fileKey(
  v.union([
    v.literal(false),
    v.strictObject({
      draws: v.optional(
        fileKey(integer(0, 10_000), {
          label: 'Draws of equal answers',
          help: `Before the clock, each reading statement of Dyno’s own tables is asked with these many draws of its parameters, on each target, and a text that a level changes beside the baseline’s; a few calls of the measured phase have these draws, too. A variant with other answers is not compared, and two targets with other answers have no verdict on the statement, nor on throughput. Default: ${usualDraws}, and ${changedTextDraws} for a text that a level changes, as far as 5 seconds of each trial allow. 0: answers are not compared.`,
          usual: String(usualDraws),
          first: usualDraws,
        }),
      ),
      keepRows: v.optional(
        fileKey(v.boolean(), {
          label: 'Keep rows of your tables',
          help: 'Where a text reads other tables than Dyno’s own, the run file keeps digests of answers that differ. true: it also keeps the first rows that differ, and the values of parameters that come from files and queries; whoever gets the run file or its report sees them. Default: false.',
          usual: 'false',
        }),
      ),
    }),
  ]),
  {
    label: 'Equal answers',
    help: `Levels that change the text of a statement have to answer the same as the baseline’s text, and targets with tables that Dyno fills have to answer the same as each other. { draws: 200 }: compared with these many draws of the parameters. false: not compared. Default: ${usualDraws} draws, and ${changedTextDraws} for a text that a level changes.`,
  },
);

type Equal = v.InferOutput<typeof equalSchema> | undefined;

/** Number of draws that a file asks for; 0: none. `usual`: the number if the file does not say it. */
export const drawsOf = (equal: Equal, usual = usualDraws): number => (equal === false ? 0 : (equal?.draws ?? usual));

/** True if a file wants to have rows of the user's own tables in its run, and values of their parameters. */
export const keepsUsersRows = (equal: Equal): boolean => equal !== false && equal?.keepRows === true;
