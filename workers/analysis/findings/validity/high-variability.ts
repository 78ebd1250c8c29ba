import { formatCount, formatMs, formatPercent, formatRate } from '#model/format/format.ts';
import { isTimed, throughputOf } from '#planning/rates/trial-rate.ts';
import { repeatsOf } from '#planning/repeats.ts';
import { repeatsNeeded } from '#stats/intervals/repeats-needed.ts';
import { variationOf } from '#stats/intervals/summary.ts';
import { correlation } from '#stats/series/correlation.ts';
import { usefulMargin } from '../../compare/compare.ts';
import { percentWithin } from '../../text/verdict-text.ts';
import { number, share, time } from '../shared/evidence.ts';
import type { CellFacts, RunFacts } from '../shared/facts.ts';
import type { Confirm, Rule } from '../shared/finding.ts';
import { type CellOutcome, cannotTell, eachCell, notShown, shown } from '../shared/outcomes.ts';
import type { Picture } from '../shared/picture.ts';

/** The caveat has the same limit: a larger scatter of the repeats leaves most questions open. */
const tooMuchScatter = 0.1;
/** A standard deviation of two repeats is imprecise: its 95 % interval extends from 0.4 to 32 times the true value. */
const leastRepeats = 3;
/** From five repeats, the interval is within a factor of three. */
const sureFrom = 5;
/**
 * The probability of a chance correlation with the processor's speed, below which the processor is named as the cause.
 */
const rareChance = 0.01;
/** The most repeats that an experiment may have. */
const mostRepeats = 1_000;

/** Repeats of the same trial differ so much that they hide differences between cells. */
export const highVariability: Rule = {
  title: 'High variability',
  looksFor: 'repeats that differ too much for a verdict',
  shownWhen: 'the coefficient of variation of at least 3 repeats is above 10 %',
  find: eachCell(judge),
};

function judge({ model, unit }: RunFacts, cell: CellFacts): CellOutcome {
  const cv = variationOf(cell.rates);
  const n = cell.rates.length;
  if (cv === null || n < leastRepeats)
    return cannotTell(`${n === 1 ? 'One repeat does' : `${n} repeats do`} not show how much repeats vary.`);
  if (cv <= tooMuchScatter)
    return notShown(`The coefficient of variation of its ${n} repeats is ${formatPercent(cv)}.`);
  const needed = repeatsNeeded(cv, usefulMargin);
  // The scatter is itself an estimate, so more digits would be false precision.
  const about = Number(needed.toPrecision(2));
  const summary = cell.summary.rowsPerSecond;
  const processor = processorOf(cell);
  return shown({
    claim: `The coefficient of variation of the ${n} repeats of ${cell.name} is ${formatPercent(cv)}: about ${formatCount(about)} repeats would give the mean an interval of ${percentWithin(usefulMargin)}.${processor ? ` They were faster while the processor was faster: the time of a fixed calculation right before and after each repeat explains ${formatPercent(processor.explained)} of their variance. The calculation took ${formatMs(processor.shortestMs)} to ${formatMs(processor.longestMs)}.` : ''}`,
    confidence: n >= sureFrom ? 'certain' : 'likely',
    explains: Math.min(1, cv),
    evidence: [
      share('Coefficient of variation of the repeats', cv, 'results'),
      summary?.low != null &&
        summary.high !== null &&
        share('Half the interval of the mean', (summary.high - summary.low) / 2 / summary.value, 'results'),
      ...(processor
        ? [
            share('Variance explained by the processor’s speed', processor.explained, 'machine'),
            time('Fixed calculation, shortest', processor.shortestMs, 'machine'),
            time('Fixed calculation, longest', processor.longestMs, 'machine'),
          ]
        : []),
      number('Repeats', n, null),
      number(`Repeats for ${percentWithin(usefulMargin)}, about`, about, null),
    ],
    advice: `${processor ? 'Run on a machine whose cores no other virtual machine shares, and whose frequency is fixed. Until then, make trials longer' : 'Run nothing else on the machine, make trials longer, and compare the repeats in “Time series”'}. More repeats narrow the interval only with the square root of their number.`,
    confirm: enoughRepeats(model.plan.experiment.name, needed, repeatsOf(model.plan.measure).max),
    picture: repeatsPicture(cell, unit),
  });
}

const repeatsPicture = ({ views }: CellFacts, unit: string): Picture => ({
  kind: 'bars',
  title: 'Throughput of each repeat',
  marks: views.flatMap(({ trial, result }) => {
    if (result === null || !isTimed(result)) return [];
    const value = throughputOf(result);
    return [{ label: `repeat ${trial.repeat}`, value, text: formatRate(value, unit), tone: 'own' }];
  }),
});

/**
 * The correlation of the repeats with the time of the fixed calculation around each: the squared correlation of
 * logarithms. Null: it may be chance, there are too few repeats, or calls came from other machines.
 */
function processorOf({ views }: CellFacts): {
  readonly explained: number;
  readonly shortestMs: number;
  readonly longestMs: number;
} | null {
  const timed = views.flatMap(({ result }) =>
    result?.machine && !result.loadHosts
      ? [{ rate: throughputOf(result), ms: result.machine.calculationUs / 1_000 }]
      : [],
  );
  if (timed.length < sureFrom) return null;
  const times = timed.map(({ ms }) => ms);
  const found = correlation(
    times.map((ms) => -Math.log(ms)),
    timed.map(({ rate }) => Math.log(rate)),
  );
  // The test is one-sided: a calculation that takes longer while repeats are faster is not the reason.
  if (found === null || found.r <= 0 || found.chance / 2 >= rareChance) return null;
  return { explained: found.r ** 2, shortestMs: Math.min(...times), longestMs: Math.max(...times) };
}

const enoughRepeats = (name: string, needed: number, before: number): Confirm | null =>
  needed > mostRepeats || needed <= before
    ? null
    : {
        title: `${name}, with enough repeats`,
        question: `Is there a difference when intervals are within ${percentWithin(usefulMargin)}?`,
        edits: [
          { path: ['name'], value: `${name}, with enough repeats` },
          {
            path: ['measure', 'repeats'],
            // Chance scatter may require a few more repeats.
            value: {
              min: sureFrom,
              max: Math.min(mostRepeats, Math.max(sureFrom + 1, Math.ceil(needed * 1.5))),
            },
          },
          { path: ['measure', 'until', 'precision'], value: usefulMargin },
        ],
      };
