import { many } from '#model/format/plural.ts';
import { stagesText } from '#model/stages.ts';
import { formatRepeats } from '#planning/repeats.ts';
import type { Plan, PlannedMeasure } from '#protocol/plan.ts';

/** The measured phase of a trial: "5 s after 1 s of warm-up". */
function phaseText({ until, seconds, rows, calls = 0, stages, warmupSeconds, warmupRows }: PlannedMeasure): string {
  const length =
    until === 'calls'
      ? many(calls, 'call')
      : until === 'rows'
        ? many(rows, 'row')
        : stages
          ? stagesText(stages)
          : `${seconds} s`;
  const warmUp = until === 'calls' ? '' : until === 'rows' ? many(warmupRows, 'row') : `${warmupSeconds} s`;
  return warmUp === '' ? length : `${length} after ${warmUp} of warm-up`;
}

/** The whole plan of the measurement in plain words. */
export function measureSentence(plan: Plan): string {
  const { measure, variants, targets } = plan;
  const on = many(targets.length, 'target');
  const trial = `Each trial measures ${phaseText(measure)}.`;
  if (measure.search) return `${formatRepeats(plan)}, on ${on}. ${trial}`;
  const order = measure.order === 'declared' ? 'in the order of the file' : 'in random order';
  return `${many(variants.length, 'variant')} on ${on}, ${order}, each with ${formatRepeats(plan)}. ${trial}`;
}
