import { formatMs, formatPercent } from '#model/format/format.ts';
import type { Steadiness } from '../../run-model/steadiness.ts';
import { describeSteadiness } from '../../server/trial-details.ts';
import { untilSeconds } from '../shared/confirm.ts';
import { number, share } from '../shared/evidence.ts';
import type { CellFacts, RunFacts } from '../shared/facts.ts';
import type { Confirm, Rule } from '../shared/finding.ts';
import { type CellOutcome, cannotTell, eachCell, notShown, shown } from '../shared/outcomes.ts';

/** Up to a tenth of flat trials look unsteady (stats/steady-state.ts): half of them or more do not by chance. */
const mostTrials = 0.5;
/** So many, all drifting to the same side, are no chance: 2 × 0.1³ would. */
const sureFrom = 3;

/** Throughput had not settled when it was measured: its mean is of no state that lasts. */
export const notSteady: Rule = {
  title: 'Not steady',
  looksFor: 'trials that had not settled when they were measured',
  shownWhen: 'half of the trials or more had not settled; certain from 3 trials that drift to the same side',
  find: eachCell(judge),
};

function judge({ model }: RunFacts, cell: CellFacts): CellOutcome {
  const { steadiness } = cell;
  if (steadiness.length === 0) return cannotTell('Its trials are too short to tell: it takes 20 seconds at least.');
  const unsteady = steadiness.filter(({ state }) => state === 'notSteady');
  if (unsteady.length < Math.max(1, mostTrials * steadiness.length))
    return notShown(`${steadiness.length - unsteady.length} of ${steadiness.length} trials were steady.`);
  const worst = unsteady.toSorted((a, b) => distance(b) - distance(a))[0]!;
  const drifts = unsteady.map(({ drift }) => drift ?? 1);
  const oneWay = drifts.every((drift) => drift < 1) || drifts.every((drift) => drift > 1);
  return shown({
    claim: `${cell.name} had not settled: ${unsteady.length} of ${steadiness.length} trials never reached a steady rate. The worst is ${describeSteadiness(worst)}.`,
    confidence:
      unsteady.length >= sureFrom && unsteady.length === steadiness.length && oneWay
        ? 'certain'
        : unsteady.length > 1
          ? 'likely'
          : 'possible',
    explains: Math.min(1, distance(worst)),
    evidence: [
      number('Trials that were not steady', unsteady.length, 'within'),
      number('Trials long enough to tell', steadiness.length, 'within'),
      worst.drift !== null && share('Rate at the end, of that at the beginning', worst.drift, 'throughput-over-time'),
      worst.cutSeconds !== null && {
        label: 'Belongs to the warm-up',
        value: worst.cutSeconds,
        unit: 's',
        text: formatMs(worst.cutSeconds * 1_000),
        link: 'throughput-over-time',
      },
    ],
    advice: `Measure longer, or warm up longer, until the rate stays the same; a rate that falls for as long as one looks is a finding of its own. Until then the mean depends on how long was measured${worst.drift === null ? '' : `: ${formatPercent(worst.drift)} at the end of what it was at the beginning`}.`,
    confirm: longer(model.plan, worst),
  });
}

const distance = ({ drift }: Steadiness): number => Math.abs((drift ?? 1) - 1);

/** Three times as long, after a warm-up that holds what was seen of it here. */
function longer({ experiment, measure }: RunFacts['model']['plan'], { cutSeconds }: Steadiness): Confirm {
  const title = `${experiment.name}, longer`;
  const times = 3;
  return {
    title,
    question: 'Does the throughput settle when it is measured longer?',
    edits: [
      { path: ['name'], value: title },
      ...(measure.until === 'time'
        ? [
            ...untilSeconds(measure.seconds * times),
            {
              path: ['measure', 'warmupSeconds'],
              value: Math.max(measure.warmupSeconds, Math.ceil((cutSeconds ?? 0) * 1.5)),
            },
          ]
        : [
            { path: ['dataset', 'rows'], value: experiment.dataset.rows * times },
            ...(typeof experiment.measure.until?.rows === 'number'
              ? [{ path: ['measure', 'until', 'rows'], value: measure.rows * times }]
              : []),
          ]),
    ],
  };
}
