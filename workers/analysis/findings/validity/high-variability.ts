import { formatCount, formatPercent } from '#model/format/format.ts';
import { repeatsOf } from '#planning/repeats.ts';
import { repeatsNeeded } from '#stats/intervals/repeats-needed.ts';
import { variationOf } from '#stats/intervals/summary.ts';
import { usefulMargin } from '../../compare/compare.ts';
import { percentWithin } from '../../text/verdict-text.ts';
import { number, share } from '../shared/evidence.ts';
import type { CellFacts, RunFacts } from '../shared/facts.ts';
import type { Confirm, Rule } from '../shared/finding.ts';
import { type CellOutcome, cannotTell, eachCell, notShown, shown } from '../shared/outcomes.ts';

/** The caveat has the same bound: repeats that scatter by more leave most questions open. */
const tooMuchScatter = 0.1;
/**
 * A standard deviation of two repeats may be off by far: its 95 % interval reaches from 0.4 to 32 times the true one.
 */
const leastRepeats = 3;
/** From five repeats on, that interval is within a factor of three. */
const sureFrom = 5;
/** The most repeats that an experiment may have. */
const mostRepeats = 1_000;

/** Repeats of the same trial differ so much that differences between cells cannot be seen. */
export const highVariability: Rule = {
  title: 'High variability',
  looksFor: 'repeats that differ too much for a verdict',
  shownWhen: 'the coefficient of variation of at least 3 repeats is above 10 %',
  find: eachCell(judge),
};

function judge({ model }: RunFacts, cell: CellFacts): CellOutcome {
  const cv = variationOf(cell.rates);
  const n = cell.rates.length;
  if (cv === null || n < leastRepeats)
    return cannotTell(`${n === 1 ? 'One repeat does' : `${n} repeats do`} not tell how much they vary.`);
  if (cv <= tooMuchScatter)
    return notShown(`The coefficient of variation of its ${n} repeats is ${formatPercent(cv)}.`);
  const needed = repeatsNeeded(cv, usefulMargin);
  // The scatter is an estimate itself: more digits would say what nobody knows.
  const about = Number(needed.toPrecision(2));
  const summary = cell.summary.rowsPerSecond;
  return shown({
    claim: `The coefficient of variation of the ${n} repeats of ${cell.name} is ${formatPercent(cv)}: about ${formatCount(about)} repeats would give the mean an interval of ${percentWithin(usefulMargin)}.`,
    confidence: n >= sureFrom ? 'certain' : 'likely',
    explains: Math.min(1, cv),
    evidence: [
      share('Coefficient of variation of the repeats', cv, 'results'),
      summary?.low != null &&
        summary.high !== null &&
        share('Half the interval of the mean', (summary.high - summary.low) / 2 / summary.value, 'results'),
      number('Repeats', n, null),
      number(`Repeats for ${percentWithin(usefulMargin)}, about`, about, null),
    ],
    advice:
      'Leave the machine to the run, make trials longer, and look into “Time series” for what differs between repeats. More repeats narrow the interval only with the square root of their number.',
    confirm: enoughRepeats(model.plan.experiment.name, needed, repeatsOf(model.plan.measure).max),
  });
}

const enoughRepeats = (name: string, needed: number, before: number): Confirm | null =>
  needed > mostRepeats || needed <= before
    ? null
    : {
        title: `${name}, with repeats enough`,
        question: `Is there a difference when intervals are within ${percentWithin(usefulMargin)}?`,
        edits: [
          { path: ['name'], value: `${name}, with repeats enough` },
          {
            path: ['measure', 'repeats'],
            // What scattered by chance may need a few more.
            value: {
              min: sureFrom,
              max: Math.min(mostRepeats, Math.max(sureFrom + 1, Math.ceil(needed * 1.5))),
            },
          },
          { path: ['measure', 'until', 'precision'], value: usefulMargin },
        ],
      };
