import { type CellsOfRun, type PerCallSummary, perCallSummaries } from '#analysis/cells/per-call.ts';
import type { Interval } from '#analysis/run-model/run-model.ts';
import { describeJointIntervals } from '#analysis/text/verdict-text.ts';
import { formatRatioInterval } from '#model/format/format.ts';
import { isReference } from '#planning/rates/contenders.ts';
import { variantLabel } from '#planning/variant-of.ts';
import { confidence, levelOfEach } from '#stats/intervals.ts';

/**
 * What the first call costs against the last: "emptied on PostgreSQL: call 1 (cold) took 4.20× (3.10–5.60) as long as
 * call 5 (hot)." The intervals hold for all of these sentences together.
 */
export function perCallSentences(model: CellsOfRun): readonly string[] {
  const count = toldOf(model).length;
  const told = toldOf(model, levelOfEach(count));
  const sentences = told.map(
    ({ variant, target, first, last, ratio }) =>
      `${variantLabel(model.plan, variant)} on ${target}: ${describeRatio(ratio, callName(first), callName(last))}.`,
  );
  return count > 1 && told.some(({ ratio }) => ratio.low !== null)
    ? [...sentences, describeJointIntervals(count)]
    : sentences;
}

/** Cells whose first and last call are compared: those that began cold, if there are any. */
function toldOf(model: CellsOfRun, level = confidence) {
  const orders = perCallSummaries(model, level).filter(({ target }) => !isReference(model, target));
  const emptied = orders.filter((order) => order.emptied);
  return (emptied.length > 0 ? emptied : orders).flatMap(({ variant, target, calls, firstToLast: ratio }) => {
    const [first, last] = [calls[0], calls.at(-1)];
    return !first || !last || first === last || ratio === null ? [] : [{ variant, target, first, last, ratio }];
  });
}

function describeRatio(ratio: Interval, first: string, last: string): string {
  const { low, high } = ratio;
  if (low === null || high === null)
    return `${first} took ${formatRatioInterval(ratio)} as long as ${last}, with too few repeats for a verdict`;
  return low <= 1 && high >= 1
    ? `no difference shown between ${first} and ${last}: ${formatRatioInterval(ratio)}`
    : `${first} took ${formatRatioInterval(ratio)} as long as ${last}`;
}

const callName = ({ number, state }: PerCallSummary['calls'][number]): string =>
  `call ${number}${state === null ? '' : ` (${state})`}`;
