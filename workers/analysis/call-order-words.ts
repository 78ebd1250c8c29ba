import { variantLabel } from '#contract/variant-of.ts';
import { confidence, levelOfEach } from '#stats/intervals.ts';
import { type CellsOfRun, callOrders, callOrderTitle, type PerCallSummary } from './call-order.ts';
import type { CellRow, CellTable } from './cell-table.ts';
import { isReference } from './contenders.ts';
import { formatCount, formatInterval, formatMs, formatRatioInterval } from './format.ts';
import type { Interval } from './model.ts';
import { togetherInWords } from './verdict-words.ts';

export const callOrderNote =
  'The first call of each trial, the second…: means of the repeats with their 95 % confidence intervals; calls of different numbers are never averaged together. Cold: the first one after the server’s cache was emptied. Hot: it read less than a hundredth of the table from files, as the server counts; warm: more. A dash: the server does not tell.';

const callOrderColumns = ['call', 'time', 'cache', 'pages read', 'first : last'] as const;

/** Of the cells that have any, one entry a call, as texts in the order of callOrderColumns. */
export const callOrderRows = (model: CellsOfRun): readonly (CellRow & { readonly number: number })[] =>
  callOrders(model).flatMap(({ variant, target, calls, firstToLast }) =>
    calls.map(({ number, ms, pagesRead, state }) => ({
      variant: variantLabel(model.plan, variant),
      target,
      number,
      texts: [
        String(number),
        ms === null ? '–' : formatInterval(ms, formatMs),
        state ?? '–',
        formatCount(pagesRead),
        number === 1 && firstToLast !== null ? formatRatioInterval(firstToLast) : '',
      ],
    })),
  );

/** Calls that are told apart, one line each. Nothing where trials do not tell them apart. */
export const callOrderTable = (model: CellsOfRun): CellTable => ({
  id: 'call-order',
  title: callOrderTitle,
  note: callOrderNote,
  columns: callOrderColumns,
  rows: callOrderRows(model),
});

/**
 * What the first call costs against the last: "emptied on PostgreSQL: call 1 (cold) took 4.20× (3.10–5.60) as long as call 5 (hot)." The
 * intervals hold for all of these sentences together.
 */
export function callOrderSentences(model: CellsOfRun): readonly string[] {
  const count = toldOf(model).length;
  const told = toldOf(model, levelOfEach(count));
  const sentences = told.map(
    ({ variant, target, first, last, ratio }) =>
      `${variantLabel(model.plan, variant)} on ${target}: ${verdictInWords(ratio, callName(first), callName(last))}.`,
  );
  return count > 1 && told.some(({ ratio }) => ratio.low !== null) ? [...sentences, togetherInWords(count)] : sentences;
}

/** Cells whose first and last call are compared: those that began cold, if there are any. */
function toldOf(model: CellsOfRun, level = confidence) {
  const orders = callOrders(model, level).filter(({ target }) => !isReference(model, target));
  const emptied = orders.filter((order) => order.emptied);
  return (emptied.length > 0 ? emptied : orders).flatMap(({ variant, target, calls, firstToLast: ratio }) => {
    const [first, last] = [calls[0], calls.at(-1)];
    return !first || !last || first === last || ratio === null ? [] : [{ variant, target, first, last, ratio }];
  });
}

function verdictInWords(ratio: Interval, first: string, last: string): string {
  const { low, high } = ratio;
  if (low === null || high === null)
    return `${first} took ${formatRatioInterval(ratio)} as long as ${last}, with too few repeats for a verdict`;
  return low <= 1 && high >= 1
    ? `no difference shown between ${first} and ${last}: ${formatRatioInterval(ratio)}`
    : `${first} took ${formatRatioInterval(ratio)} as long as ${last}`;
}

const callName = ({ number, state }: PerCallSummary['calls'][number]): string =>
  `call ${number}${state === null ? '' : ` (${state})`}`;
