import { formatCount, formatMs, formatRate } from '#model/format/format.ts';
import { buildCostText } from '../cells/build-cost.ts';
import { cellSteadiness } from '../run-model/steadiness.ts';
import { driftText } from '../server/trial-details.ts';
import { type CellRun, cellCaveat } from './cell-caveat.ts';

/** Calls of these operations carry no rows of the dataset, or a whole range of them. */
const withoutRows: readonly string[] = ['readRange', 'scan', 'statement'];

/**
 * With a fixed number of rows, a call carries at most its connection's share of them, and so can be smaller than the
 * variant's batch size.
 */
export const smallerCalls = cellCaveat('info', 'Smaller calls than set', (_, { ok, settings }: CellRun) => {
  if (settings === undefined || withoutRows.includes(settings.operation)) return null;
  const whole = ok.filter(({ totals }) => totals.calls > 0 && Object.keys(totals.errors).length === 0);
  const mean = Math.min(...whole.map(({ totals }) => totals.rows / totals.calls));
  return mean < settings.rowsPerCall * 0.9
    ? `A call carried ${formatCount(mean)} rows on average, not ${formatCount(settings.rowsPerCall)}: there are too few measured rows for all connections. Measure more rows.`
    : null;
});

/**
 * With a fixed number of rows and few calls, the last round keeps only some connections busy, and rounding decides
 * which variant is faster. Connections inside the client process take turns anyway.
 */
export const unevenCalls = cellCaveat(
  'warning',
  'Calls do not divide evenly',
  (_, { run: { plan }, ok, settings, descriptor }: CellRun) => {
    const connections = settings?.connections ?? 1;
    const calls = Math.min(...ok.map(({ totals }) => totals.calls).filter((count) => count > 0));
    const rounds = Math.ceil(calls / connections);
    return plan.measure.until === 'rows' && !descriptor?.inProcess && (rounds * connections) / calls > 1.1
      ? `${formatCount(calls)} calls over ${connections} connections: in the last of ${rounds} rounds some connections have nothing to do. Choose rowsPerCall so that each connection gets the same number of calls, or measure more rows.`
      : null;
  },
);

export const notSteady = cellCaveat('warning', 'Not steady', (_, { views }: CellRun) => {
  const found = cellSteadiness(views);
  return found === null || found.steady
    ? null
    : `${driftText(found)} Longer trials, or a longer warm-up, would show whether the rate settles.`;
});

/** A measured phase this short shows little but its start. */
export const tooShort = cellCaveat('info', 'Very short trial', (_, { ok, descriptor }: CellRun) => {
  // Trials that report each call separately measure the start on purpose.
  const shortest = Math.min(...ok.filter(({ perCall }) => !perCall).map(({ elapsedMs }) => elapsedMs));
  return shortest < 100 && !descriptor?.reference
    ? `The measured phase took only ${formatCount(shortest)} ms. A longer one would make start-up effects smaller.`
    : null;
});

/** Splits a cell's throughput into loading rows and building the key or indexes afterwards. */
export const buildCostCaveat = cellCaveat('info', 'Build time is counted', ({ buildCost }) =>
  buildCost?.counted && buildCost.loadPerSecond !== null
    ? `Rows were loaded at ${formatRate(buildCost.loadPerSecond.value, 'rows/s')}; building keys and indexes afterwards took ${formatMs(buildCost.totalMs.value)} (${buildCostText(buildCost)}). The rate that is shown and compared includes both.`
    : null,
);
