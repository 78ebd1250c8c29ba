import { formatMs } from '#model/format/format.ts';
import type { CellSteadiness } from '../../run-model/steadiness.ts';
import { driftText, formatDrift } from '../../server/trial-details.ts';
import { longViews, secondsPicture } from '../shared/cell-pictures.ts';
import { untilSeconds } from '../shared/confirm.ts';
import { number, share } from '../shared/evidence.ts';
import type { CellFacts, RunFacts } from '../shared/facts.ts';
import type { Confirm, Rule } from '../shared/finding.ts';
import { type CellOutcome, cannotTell, eachCell, notShown, shown } from '../shared/outcomes.ts';

/** This many trials that drift in the same direction are no coincidence. */
const sureFrom = 3;

/** Throughput had not settled during the measurement, so its mean describes no lasting state. */
export const notSteady: Rule = {
  title: 'Not steady',
  looksFor: 'trials that had not settled when they were measured',
  shownWhen:
    'the rate of all trials together rises or falls by more than 2 % from beginning to end; certain from 3 trials that all drift in the same direction',
  find: eachCell(judge),
};

function judge(facts: RunFacts, cell: CellFacts): CellOutcome {
  const { steadiness } = cell;
  if (steadiness === null) return cannotTell('Its trials are too short to tell; at least 20 seconds are needed.');
  const { drift, trials, falling, cutSeconds } = steadiness;
  if (steadiness.steady)
    return notShown(
      `Over ${trials === 1 ? 'one trial' : `${trials} trials`} the rate at the end was ${formatDrift(drift)} of the rate at the beginning${cutSeconds === 0 ? '' : `, after a warm-up of up to ${formatMs(cutSeconds * 1_000)}`}.`,
    );
  const [view] = longViews(cell);
  const oneWay = falling === 0 || falling === trials;
  return shown({
    claim: `${cell.name} had not settled. ${driftText(steadiness)}`,
    confidence: trials >= sureFrom && oneWay ? 'certain' : trials > 1 ? 'likely' : 'possible',
    explains: Math.min(1, Math.abs(drift.ratio - 1)),
    evidence: [
      number('Trials long enough to tell', trials, 'within'),
      number('Trials that ran slower at their end', falling, 'within'),
      share('Rate at the end, of that at the beginning', drift.ratio, 'throughput-over-time'),
      cutSeconds > 0 && {
        label: 'Length of the warm-up',
        value: cutSeconds,
        unit: 's',
        text: formatMs(cutSeconds * 1_000),
        link: 'throughput-over-time',
      },
    ],
    advice:
      'Measure or warm up for longer, until the rate stays the same. Until then, the mean depends on the length of the measurement. A rate that never stops falling is a result in itself.',
    confirm: longer(facts.model.plan, steadiness),
    picture: view ? secondsPicture(facts, view) : null,
  });
}

/** Trials of three times the duration, after a warm-up that covers the drift seen here. */
function longer({ experiment, measure }: RunFacts['model']['plan'], { cutSeconds }: CellSteadiness): Confirm {
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
              value: Math.max(measure.warmupSeconds, Math.ceil(cutSeconds * 1.5)),
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
