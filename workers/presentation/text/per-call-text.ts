import { type CellsOfRun, type PerCallSummary, perCallSummaries } from '#analysis/cells/per-call.ts';
import type { Interval } from '#analysis/run-model/run-model.ts';
import { verdictWords } from '#analysis/text/verdict-text.ts';
import { formatRatioInterval } from '#model/format/format.ts';
import { isReference } from '#planning/rates/contenders.ts';
import { variantText } from '#planning/variant-of.ts';

/**
 * The time of the first call relative to the last: "emptied on PostgreSQL: call 1 (cold) took 4.20× (3.10–5.60) as long
 * as call 5 (hot)."
 */
export const perCallSentences = (model: CellsOfRun): readonly string[] =>
  toldOf(model).map(
    ({ variant, target, first, last, ratio }) =>
      `${variantText(model.plan, variant)} on ${target}: ${callName(first)} took ${ratioText(ratio)} as long as ${callName(last)}.`,
  );

/** The cells whose first and last call are compared: those with a cold start, or all cells if none has one. */
function toldOf(model: CellsOfRun) {
  const orders = perCallSummaries(model).filter(({ target }) => !isReference(model, target));
  const emptied = orders.filter((order) => order.emptied);
  return (emptied.length > 0 ? emptied : orders).flatMap(({ variant, target, calls, firstToLast: ratio }) => {
    const [first, last] = [calls[0], calls.at(-1)];
    return !first || !last || first === last || ratio === null ? [] : [{ variant, target, first, last, ratio }];
  });
}

function ratioText(ratio: Interval): string {
  const { low, high } = ratio;
  if (low === null || high === null) return `${formatRatioInterval(ratio)} (${verdictWords.notEnoughRepeats})`;
  const holdsOne = low <= 1 && high >= 1;
  return `${formatRatioInterval(ratio)}${holdsOne ? ` (${verdictWords.notSignificant})` : ''}`;
}

const callName = ({ number, state }: PerCallSummary['calls'][number]): string =>
  `call ${number}${state === null ? '' : ` (${state})`}`;
