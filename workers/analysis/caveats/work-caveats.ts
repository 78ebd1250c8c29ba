import { formatCount, formatMs, formatRate } from '#model/format/format.ts';
import { isReference } from '#planning/rates/contenders.ts';
import { variantOf } from '#planning/variant-of.ts';
import { cellOf } from '#protocol/cell-key.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import { buildCostText } from '../cells/build-cost.ts';
import type { Caveat, CellSummary, RunWithoutCaveats, TrialView } from '../run-model/run-model.ts';
import { steadinessOf } from '../run-model/steadiness.ts';
import { describeSteadiness } from '../server/trial-details.ts';

/**
 * Where rows are counted, a call is never larger than a connection's share of the rows: then it is not as large as the
 * variant says.
 */
export function smallerCalls(
  cell: CellSummary,
  ok: readonly TrialResult[],
  { plan }: Pick<RunWithoutCaveats, 'plan'>,
): Caveat | null {
  const settings = variantOf(plan, cell.variant)?.settings;
  if (settings === undefined || settings.operation === 'readRange' || settings.operation === 'scan') return null;
  if (settings.operation === 'statement') return null; // its calls carry no rows of ours
  const whole = ok.filter(({ totals }) => totals.calls > 0 && Object.keys(totals.errors).length === 0);
  const mean = Math.min(...whole.map(({ totals }) => totals.rows / totals.calls));
  if (!(mean < settings.rowsPerCall * 0.9)) return null;
  return {
    severity: 'info',
    cell: cellOf(cell),
    title: 'Smaller calls than set',
    text: `A call carried ${formatCount(mean)} rows on average, not ${formatCount(settings.rowsPerCall)}: the measured rows, shared among the connections, are too few. Measure more of them.`,
  };
}

/**
 * Where rows are counted and calls are few, the last round of calls keeps only some connections busy, and rounding
 * decides which variant is faster. Inside the client connections take turns anyway.
 */
export function unevenCalls(
  cell: CellSummary,
  ok: readonly TrialResult[],
  { plan, targets }: Pick<RunWithoutCaveats, 'plan' | 'targets'>,
): Caveat | null {
  const connections = variantOf(plan, cell.variant)?.settings.connections ?? 1;
  const inProcess = targets.find(({ name }) => name === cell.target)?.descriptor.inProcess === true;
  const calls = Math.min(...ok.map(({ totals }) => totals.calls).filter((count) => count > 0));
  const rounds = Math.ceil(calls / connections);
  if (plan.measure.until !== 'rows' || inProcess || !((rounds * connections) / calls > 1.1)) return null;
  return {
    severity: 'warning',
    cell: cellOf(cell),
    title: 'Calls do not divide evenly',
    text: `${formatCount(calls)} calls over ${connections} connections: in the last of ${rounds} rounds some connections have nothing to do. Choose rowsPerCall so that each connection gets as many calls, or measure more rows.`,
  };
}

/** Most of its longer trials: of flat ones up to a tenth look unsteady. */
export function notSteady(cell: CellSummary, views: readonly TrialView[]): Caveat | null {
  const judged = views.flatMap((view) => steadinessOf(view) ?? []).filter(({ state }) => state !== 'tooShort');
  const unsteady = judged.filter(({ state }) => state === 'notSteady');
  if (unsteady.length === 0 || unsteady.length * 2 < judged.length) return null;
  const [worst] = unsteady.toSorted((a, b) => distance(b.drift) - distance(a.drift));
  return {
    severity: 'warning',
    cell: cellOf(cell),
    title: 'Not steady',
    text: `${unsteady.length} of ${judged.length} trials of 20 seconds or more never reached a steady rate. The worst is ${describeSteadiness(worst!)}. Longer trials, or a longer warm-up, would tell whether it settles.`,
  };
}

const distance = (drift: number | null): number => Math.abs((drift ?? 1) - 1);

/** A measured phase this short holds too few seconds to show anything but its start. */
export function tooShort(
  cell: CellSummary,
  ok: readonly TrialResult[],
  { targets }: Pick<RunWithoutCaveats, 'targets'>,
): Caveat | null {
  if (isReference({ targets }, cell.target)) return null;
  // Where calls are reported one by one, the start is what is measured.
  const shortest = Math.min(...ok.filter(({ perCall }) => !perCall).map(({ elapsedMs }) => elapsedMs));
  if (!(shortest < 100)) return null;
  return {
    severity: 'info',
    cell: cellOf(cell),
    title: 'Very short trial',
    text: `The measured phase took only ${formatCount(shortest)} ms. A longer one would make start-up effects smaller.`,
  };
}

/** What the rate of a cell is made of, where rows went in first and key or indexes came after. */
export function buildCostCaveat({ variant, target, buildCost }: CellSummary): Caveat | null {
  if (!buildCost?.counted || buildCost.loadPerSecond === null) return null;
  return {
    severity: 'info',
    cell: { variant, target },
    title: 'Build time is counted',
    text: `Rows went in at ${formatRate(buildCost.loadPerSecond.value, 'rows/s')}; what was built over them afterwards took ${formatMs(buildCost.totalMs.value)} (${buildCostText(buildCost)}). The rate shown and compared counts both.`,
  };
}
