import { formatCount, formatMs, formatNumber, formatPercent, formatRate } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import type { Estimate } from '#planning/search/fit-sweep.ts';
import { leastLoads } from '#stats/fits/usl.ts';
import { confidence, ratioChance } from '#stats/intervals/intervals.ts';
import { loadFactor, type Sweep, sweepsOf } from '../../compare/sweep.ts';
import { comparedBy } from '../shared/compare-cells.ts';
import { confirmBy } from '../shared/confirm.ts';
import { type CellEvidence, number, rate } from '../shared/evidence.ts';
import type { CellFacts, RunFacts } from '../shared/facts.ts';
import type { Rule } from '../shared/finding.ts';
import { about, type CellOutcome, cannotTell, notShown, shown } from '../shared/outcomes.ts';
import type { Picture } from '../shared/picture.ts';

/** If the highest load reaches this share of the throughput without contention, it is still on the straight line. */
const straight = 0.8;
/** Shorter trials show how connections start, not how they work together. */
const leastTrialMs = 500;
/**
 * The best load is chosen by its result and is one side of each comparison, so all comparisons share the level (as in
 * compare/headline-claims.ts).
 */
const chanceOfEach = (others: number): number => (1 - confidence) / Math.max(1, others / 2);
/** A smaller loss against the best load is irrelevant, however certain. */
const leastFall = 0.05;

/**
 * The load above which more connections no longer raise throughput (knee), or reduce it (retrograde), by the Universal
 * Scalability Law over the loads of a sweep. Both are at most likely: the best load is chosen by its result, and on a
 * flat curve chance alone makes the highest load look slower in some sweeps.
 */
export const concurrencyKnee: Rule = {
  title: 'Too many connections',
  looksFor: 'a number of connections above which more connections add little throughput, or reduce it',
  shownWhen: 'throughput with the most connections is at least 5 % below the best, or below 80 % of linear scaling',
  find: (facts) => {
    const sweeps = sweepsOf(facts.model).flatMap((sweep) => {
      const cells = sweep.points.flatMap(({ variant }) => facts.of({ variant, target: sweep.target }) ?? []);
      return cells.length < 2 ? [] : [about(cells.at(-1)!, outcomeOf(facts, sweep, cells))];
    });
    return sweeps.length > 0
      ? sweeps
      : [
          about(
            null,
            cannotTell('The experiment does not vary the number of connections; a curve needs at least five numbers.'),
          ),
        ];
  },
};

function outcomeOf(facts: RunFacts, sweep: Sweep, cells: readonly CellFacts[]): CellOutcome {
  const cell = cells.at(-1)!;
  const shortest = Math.min(...cells.flatMap(({ views }) => views.map(({ result }) => result?.elapsedMs ?? 0)));
  if (shortest < leastTrialMs)
    return cannotTell(
      `A trial took only ${formatMs(shortest)}, which is too short for connections to work side by side: measure for at least ${formatMs(leastTrialMs)}.`,
    );
  const name = `${sweep.label === '' ? '' : `${sweep.label} on `}${sweep.target}`;
  // Fewer loads do not determine a curve.
  const link = sweep.points.length >= leastLoads ? 'scalability' : 'results';
  const best = cells.toSorted((a, b) => b.throughput! - a.throughput!)[0]!;
  const fallen = comparedBy(cell, loadFactor).find(({ cell: other }) => other === best)?.comparison;
  const law = [
    sweep.fit && number('σ, share of the work done one at a time', sweep.fit.sigma, link),
    sweep.fit && number('κ, cost of coordination between connections', sweep.fit.kappa, link),
  ];
  const rates = [
    rate(`Throughput at ${many(best.settings.connections, 'connection')}`, best.throughput!, facts.unit, link),
    best !== cell && rate(`… at ${cell.settings.connections}`, cell.throughput!, facts.unit, link),
  ];
  const saturated = sweep.points.some(({ repeats }) => repeats.some((one) => one.saturated));
  const client = saturated ? ' Some of these loads are client-bound, which is another limit.' : '';
  const more = {
    advice: `Give the application a pool of about ${many(Math.round(bestLoad(sweep, best)), 'connection')} and let requests wait for a free connection. Look at what sessions wait for when there are more connections.${client}`,
    confirm: confirmBy(facts, cell, {
      title: 'Connections in fine steps',
      question: `How many connections serve ${sweep.target} best?`,
      vary: loadFactor,
      levels: around(Math.round(bestLoad(sweep, best))),
    }),
    picture: curveOf(sweep),
  };
  const isFallen =
    fallen?.verdict === 'faster' &&
    fallen.ratio.value - 1 >= leastFall &&
    ratioChance(best.rates, cell.rates)! <= chanceOfEach(cells.length - 1);
  if (isFallen && !cell.summary.clientSaturated)
    return shown({
      claim: `${name} becomes slower with more connections: it reaches ${formatRate(best.throughput, facts.unit)} with ${many(best.settings.connections, 'connection')} and ${formatRate(cell.throughput, facts.unit)} with ${cell.settings.connections}, ${formatPercent(1 - 1 / fallen.ratio.value)} less.`,
      confidence: 'likely',
      explains: 1 - 1 / fallen.ratio.value,
      evidence: [
        ...rates,
        ...law,
        ...(sweep.peak ? [estimate('Peak by the Universal Scalability Law, connections', sweep.peak.load, link)] : []),
      ],
      ...more,
    });
  const { fit, highestLoad, knee } = sweep;
  if (fit === null || highestLoad === null) return cannotTell(sweep.whyNoFit ?? 'The law was not fitted.');
  const atHighest = cells.find(({ settings }) => settings.connections === highestLoad) ?? cell;
  const reached = atHighest.throughput! / (fit.lambda * highestLoad);
  // If few calls are served at a time, throughput rises straight to its peak, and the law has no knee before it.
  const bend =
    knee !== null && knee.value <= highestLoad
      ? { name: 'knee', at: knee }
      : sweep.peak?.kind === 'measured' && sweep.peak.load.value <= highestLoad
        ? { name: 'peak', at: sweep.peak.load }
        : null;
  if (reached >= straight || bend === null)
    return notShown(
      `By the Universal Scalability Law, ${formatCount(highestLoad)} connections reach ${formatPercent(reached)} of linear scaling, and neither knee nor peak is within the measured loads.`,
    );
  return shown({
    claim: `More connections add less and less throughput: by the Universal Scalability Law, the ${bend.name} of ${name} is at ${inWords(bend.at)} connections, and ${formatCount(highestLoad)} connections reach ${formatNumber(reached * highestLoad)} times the throughput of one.`,
    confidence: 'likely',
    explains: 1 - reached,
    evidence: [
      estimate(bend.name === 'knee' ? 'Knee, connections' : 'Peak, connections', bend.at, link),
      ...rates,
      ...law,
    ],
    ...more,
  });
}

const bestLoad = ({ peak, knee }: Sweep, best: CellFacts): number =>
  peak?.kind === 'measured' ? peak.load.value : Math.max(knee?.value ?? 1, best.settings.connections / 2);

/** Seven loads from half of the knee to twice the knee. */
const around = (load: number): readonly number[] =>
  [
    ...new Set(
      [1, load / 2, load * 0.75, load, load * 1.25, load * 1.5, load * 2].map((one) => Math.max(1, Math.round(one))),
    ),
  ].toSorted((a, b) => a - b);

/** Throughput over the connections, with the knee, or else the peak. */
function curveOf({ points, unit, knee, peak }: Sweep): Picture {
  const named = [
    { label: 'knee', x: knee?.value },
    { label: 'peak', x: peak?.load.value },
  ].flatMap(({ label, x }) =>
    x === undefined || x > points.at(-1)!.load ? [] : [{ x, label: `${label} ${formatNumber(x, 2)}` }],
  );
  return {
    kind: 'series',
    title: `Throughput (${unit})`,
    over: 'connections',
    points: points.map(({ load, mean }) => ({ x: load, y: mean.value })),
    marks: named.slice(0, 1),
  };
}

const inWords = ({ value, low, high }: Estimate): string =>
  `${formatNumber(value)} (${formatNumber(low)}–${high === null ? '∞' : formatNumber(high)})`;

const estimate = (label: string, one: Estimate, link: CellEvidence['link']): CellEvidence => ({
  label,
  value: one.value,
  unit: 'connections',
  text: inWords(one),
  link,
});
