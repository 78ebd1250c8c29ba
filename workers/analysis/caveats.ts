import { many } from '#contract/count-words.ts';
import type { TrialResult } from '#contract/measurement.ts';
import { repeatsOf } from '#contract/repeats.ts';
import { variantLabel, variantOf } from '#contract/variant-of.ts';
import { outlierScore } from '#stats/outliers.ts';
import { repeatsNeeded } from '#stats/repeats-needed.ts';
import { variationOf } from '#stats/summary.ts';
import { builtCaveat } from './built.ts';
import { cacheCaveats } from './call-order-words.ts';
import { ceilingOf } from './ceilings.ts';
import { keyOf } from './cell-key.ts';
import { usefulMargin } from './compare.ts';
import { conflictsInWords } from './conflict-words.ts';
import { isReference } from './contenders.ts';
import { damageCaveats } from './damage.ts';
import { durabilityCaveats, inProcessCaveat, mediumCaveat, standInCaveats, targetErrors } from './fairness.ts';
import { formatCount, formatPercent, formatRate } from './format.ts';
import { behind, generatorLate } from './load-words.ts';
import type { Caveat, CellSummary, RunModel, TrialView } from './model.ts';
import { networkCaveat } from './network.ts';
import { rateUnit } from './select-cells.ts';
import { steadinessOf } from './steadiness.ts';
import { steadyInWords } from './trial-details.ts';
import { throughputOf } from './trial-rate.ts';
import { enoughInWords, outliersInWords, percentWithin } from './verdict-words.ts';

export type Facts = Omit<RunModel, 'caveats'>;

/** Everything a reader must know before trusting the numbers, the worst first. */
export function findCaveats(facts: Facts): readonly Caveat[] {
  const resultsOf = new Map<string, TrialResult[]>();
  for (const { result } of facts.trials)
    if (result !== null) resultsOf.set(keyOf(result), [...(resultsOf.get(keyOf(result)) ?? []), result]);
  const viewsOf = Map.groupBy(facts.trials, ({ trial }) => keyOf(trial));
  const perCell = facts.cells.flatMap((cell) => {
    const results = resultsOf.get(keyOf(cell)) ?? [];
    const ok = results.filter(({ status }) => status === 'ok');
    return [
      mismatch(cell, results),
      lostTrials(cell, results),
      callErrors(cell, results),
      lostToRetries(cell),
      saturated(cell, facts),
      generatorLate(cell),
      behind(cell),
      networkCaveat(cell),
      littleMiss(cell, ok),
      ceiling(cell, facts),
      builtCaveat(cell),
      smallerCalls(cell, ok, facts),
      unevenCalls(cell, ok, facts),
      apart(cell, ok),
      noisy(cell, ok, facts),
      outlying(cell, facts),
      notSteady(cell, viewsOf.get(keyOf(cell)) ?? []),
      tooShort(cell, ok, facts),
    ];
  });
  const wholeRun = [
    ...damageCaveats(facts),
    ...targetErrors(facts),
    ...standInCaveats(facts),
    ...durabilityCaveats(facts),
    inProcessCaveat(facts),
    mediumCaveat(facts),
    ...cacheCaveats(facts),
    fewRepeats(facts),
    widerThanWanted(facts),
    endedEarly(facts),
  ];
  const rank = { error: 0, warning: 1, info: 2 };
  return [...wholeRun, ...perCell]
    .filter((caveat) => caveat !== null)
    .toSorted((a, b) => rank[a.severity] - rank[b.severity]);
}

const at = ({ variant, target }: CellSummary) => ({ variant, target });

/** Rows in the table are not the rows that were acknowledged. */
export function mismatch(cell: CellSummary, results: readonly TrialResult[]): Caveat | null {
  const wrong = results.find(({ verification }) => verification.outcome === 'mismatch');
  if (wrong === undefined) return null;
  const { expectedRows, foundRows, note } = wrong.verification;
  return {
    severity: 'error',
    cell: at(cell),
    title: 'Rows differ from what was acknowledged',
    text: `Expected ${formatCount(expectedRows)} rows, found ${formatCount(foundRows)}. ${note} The trial does not count.`,
  };
}

export function lostTrials(cell: CellSummary, results: readonly TrialResult[]): Caveat | null {
  const lost = results.filter(({ status }) => status !== 'ok');
  if (lost.length === 0) return null;
  const late = lost.filter(({ status }) => status === 'didNotFinish').length;
  const reason = lost.find(({ error }) => error !== null)?.error;
  return {
    severity: cell.ok === 0 ? 'error' : 'warning',
    cell: at(cell),
    title: late === lost.length ? 'Did not finish in time' : 'Trials without a result',
    text: `${lost.length} of ${results.length} trials have no result and are left out.${
      reason ? ` ${reason.message}${reason.hint ? ` ${reason.hint}` : ''}` : ''
    }`,
  };
}

/** Errors take time that no row shows for: goodput and attempted throughput are not the same thing. */
export function callErrors(cell: CellSummary, results: readonly TrialResult[]): Caveat | null {
  const kinds = new Map<string, number>();
  let calls = 0;
  let retries = 0;
  let gaveUp = 0;
  for (const { totals } of results) {
    calls += totals.calls;
    retries += totals.retries ?? 0;
    gaveUp += totals.gaveUp ?? 0;
    for (const [kind, count] of Object.entries(totals.errors)) kinds.set(kind, (kinds.get(kind) ?? 0) + count);
  }
  const errors = [...kinds.values()].reduce((sum, count) => sum + count, 0);
  if (errors === 0) return null;
  const list = [...kinds].map(([kind, count]) => `${kind} ${formatCount(count)}`).join(', ');
  const conflicts = (kinds.get('deadlock') ?? 0) + (kinds.get('serialization') ?? 0);
  const tried =
    retries + gaveUp === 0
      ? ''
      : ` After write conflicts ${formatCount(retries)} tries were repeated and ${gaveUp === 0 ? 'none was' : `${formatCount(gaveUp)} were`} given up.`;
  return {
    // Work that was done in the end is a matter of time alone, and that has a caveat of its own.
    severity: retries > 0 && gaveUp === 0 && conflicts === errors ? 'info' : 'warning',
    cell: at(cell),
    title: 'Calls failed',
    text: `${formatCount(errors)} calls failed (${formatPercent(errors / (errors + calls))}): ${list}.${tried} Throughput counts successful calls only.`,
  };
}

/** Below this share of client time, what conflicts cost is not worth a word. */
const negligibleLoss = 0.01;

/** Tries that write conflicts undid take time in which other work was not done. */
export function lostToRetries(cell: CellSummary): Caveat | null {
  if (cell.conflicts === null || cell.conflicts.lostShare <= negligibleLoss) return null;
  return {
    severity: 'warning',
    cell: at(cell),
    title: 'Lost to retries',
    text: `${cell.conflicts.retries > 0 ? 'Retries' : 'Write conflicts'} hide ${formatPercent(cell.conflicts.lostShare)} of the throughput: the server undid what the connections did in that time (${conflictsInWords(cell.conflicts)}). Throughput counts what was committed.`,
  };
}

export function saturated(cell: CellSummary, { targets }: Pick<Facts, 'targets'>): Caveat | null {
  const descriptor = targets.find(({ name }) => name === cell.target)?.descriptor;
  // A reference is nothing but client: that is what it is there to show.
  if (!cell.clientSaturated || descriptor?.reference) return null;
  return {
    severity: 'warning',
    cell: at(cell),
    title: 'Measures the client',
    text: descriptor?.inProcess
      ? 'More than 30 % of the time lay outside the engine’s calls: making rows, counting, or waiting for a processor. The engine may be able to do more.'
      : 'A client process was busy, or waiting for a processor, above 0.7 of its time, or used 90 % of a core. The server may be able to do more; leave the machine to the trial, or give it more processes, to find out.',
  };
}

/** Rule 2 of honesty: N = X·(R + Z). A miss is an error of accounting, ours. */
export function littleMiss(cell: CellSummary, ok: readonly TrialResult[]): Caveat | null {
  const worst = Math.max(0, ...ok.map(({ littleError }) => Math.abs(littleError ?? 0)));
  if (worst <= 0.05) return null;
  return {
    severity: 'warning',
    cell: at(cell),
    title: 'Little’s law is missed',
    text: `Calls in flight computed from counts and times differ from the number of virtual users by ${formatPercent(worst)} (5 % allowed). Time outside the calls (generation, encoding, a starved client) or an accounting error of Dyno’s is the reason.`,
  };
}

/** The harness itself could hardly have done more. */
export function ceiling(cell: CellSummary, { calibration, plan, targets, environment }: Facts): Caveat | null {
  const settings = variantOf(plan, cell.variant)?.settings;
  if (settings === undefined || isReference({ targets }, cell.target)) return null;
  const reached = calibration
    .map((entry) => ({
      entry,
      share: (cell.rowsPerSecond?.value ?? 0) / (ceilingOf(entry, settings, environment) ?? Infinity),
    }))
    .filter(({ share }) => share >= 0.8)
    .toSorted((a, b) => b.share - a.share)[0];
  if (reached === undefined) return null;
  const { entry } = reached;
  return {
    severity: 'warning',
    cell: at(cell),
    title: 'Close to the ceiling of the harness',
    text: `Reached ${formatPercent(reached.share)} of “${entry.label}” (${formatRate(entry.perSecond, `${entry.unit}/s`)}), which does no database work at all.`,
  };
}

/** By rows, a call is never larger than a connection's share of the rows: then it is not the size that the variant is named after. */
export function smallerCalls(
  cell: CellSummary,
  ok: readonly TrialResult[],
  { plan }: Pick<Facts, 'plan'>,
): Caveat | null {
  const settings = variantOf(plan, cell.variant)?.settings;
  if (settings === undefined || settings.operation === 'readRange' || settings.operation === 'scan') return null;
  if (settings.operation === 'statement') return null; // its calls carry no rows of ours
  const whole = ok.filter(({ totals }) => totals.calls > 0 && Object.keys(totals.errors).length === 0);
  const mean = Math.min(...whole.map(({ totals }) => totals.rows / totals.calls));
  if (!(mean < settings.rowsPerCall * 0.9)) return null;
  return {
    severity: 'info',
    cell: at(cell),
    title: 'Smaller calls than set',
    text: `A call carried ${formatCount(mean)} rows on average, not ${formatCount(settings.rowsPerCall)}: the rows of the dataset, shared among the connections, are too few. Raise dataset.rows.`,
  };
}

/**
 * By rows, with few calls: the last round of them keeps only some connections busy, and rounding decides which variant is faster. Inside
 * the client connections take turns anyway.
 */
export function unevenCalls(
  cell: CellSummary,
  ok: readonly TrialResult[],
  { plan, targets }: Pick<Facts, 'plan' | 'targets'>,
): Caveat | null {
  const connections = variantOf(plan, cell.variant)?.settings.connections ?? 1;
  const inProcess = targets.find(({ name }) => name === cell.target)?.descriptor.inProcess === true;
  const calls = Math.min(...ok.map(({ totals }) => totals.calls).filter((count) => count > 0));
  const rounds = Math.ceil(calls / connections);
  if (plan.measure.until !== 'rows' || inProcess || !((rounds * connections) / calls > 1.1)) return null;
  return {
    severity: 'warning',
    cell: at(cell),
    title: 'Calls do not divide evenly',
    text: `${formatCount(calls)} calls over ${connections} connections: in the last of ${rounds} rounds some connections have nothing to do. Choose rowsPerCall so that each connection gets as many calls, or raise dataset.rows.`,
  };
}

/** Throughput over the whole time counts seconds in which only some processes worked. */
export function apart(cell: CellSummary, ok: readonly TrialResult[]): Caveat | null {
  const worst = Math.max(0, ...ok.map(({ apartMs = 0, elapsedMs }) => (elapsedMs > 0 ? apartMs / elapsedMs : 0)));
  if (worst <= 0.1) return null;
  return {
    severity: 'warning',
    cell: at(cell),
    title: 'Processes did not work side by side',
    text: `For ${formatPercent(worst)} of the time some process had not begun, or was done with its share of the rows. More rows, or measuring by time, make that small.`,
  };
}

/** Repeats that scatter by more than this leave most questions open. */
const tooMuchScatter = 0.1;

/** Of a reference nobody wants to know. */
export function noisy(
  cell: CellSummary,
  ok: readonly TrialResult[],
  { targets }: Pick<Facts, 'targets'>,
): Caveat | null {
  if (isReference({ targets }, cell.target)) return null;
  const cv = variationOf(ok.map(throughputOf).filter(Number.isFinite));
  if (cv === null || !(cv > tooMuchScatter)) return null;
  return {
    severity: 'warning',
    cell: at(cell),
    title: 'Too noisy',
    text: `Repeats scatter by ${formatPercent(cv)} (standard deviation). About ${formatCount(repeatsNeeded(cv, usefulMargin))} repeats would give the mean an interval of ${percentWithin(usefulMargin)}.`,
  };
}

/** Kept, because nobody knows that it is wrong; told, because the mean and its interval lean on it. */
export function outlying(cell: CellSummary, { targets, trials }: Pick<Facts, 'targets' | 'trials'>): Caveat | null {
  if (cell.outliers.length === 0 || isReference({ targets }, cell.target)) return null;
  const unit = rateUnit({ trials });
  return {
    severity: 'info',
    cell: at(cell),
    title: cell.outliers.length === 1 ? 'An outlying repeat' : 'Outlying repeats',
    text: `${outliersInWords(cell.outliers, cell.ok, unit)}. Kept: it is in the mean and widens the interval. Beyond ±\u00a0${outlierScore} in the modified z-score of the logarithms (Iglewicz & Hoaglin).`,
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
    cell: at(cell),
    title: 'Not steady',
    text: `${unsteady.length} of ${judged.length} trials of 20 seconds or more never reached a steady rate. The worst is ${steadyInWords(worst!)}. Longer trials, or a longer warm-up, would tell whether it settles.`,
  };
}

const distance = (drift: number | null): number => Math.abs((drift ?? 1) - 1);

/** A measured phase this short holds too few seconds to show anything but its start. */
export function tooShort(
  cell: CellSummary,
  ok: readonly TrialResult[],
  { targets }: Pick<Facts, 'targets'>,
): Caveat | null {
  if (isReference({ targets }, cell.target)) return null;
  // Where calls are told apart, the start is what is measured.
  const shortest = Math.min(...ok.filter(({ eachCall }) => !eachCall).map(({ elapsedMs }) => elapsedMs));
  if (!(shortest < 100)) return null;
  return {
    severity: 'info',
    cell: at(cell),
    title: 'Very short trial',
    text: `The measured phase took only ${formatCount(shortest)} ms. More rows would make start-up effects smaller.`,
  };
}

export function fewRepeats({ plan, enough }: Pick<Facts, 'plan' | 'enough'>): Caveat | null {
  const repeats = enough?.precision.round ?? repeatsOf(plan.measure).max;
  if (repeats >= 3) return null;
  return {
    severity: repeats === 1 ? 'warning' : 'info',
    cell: null,
    title: repeats === 1 ? 'Single trials' : 'Two repeats',
    text:
      repeats === 1
        ? 'With one trial each there is no interval and no verdict: set measure.repeats to 3 or more.'
        : 'With two repeats intervals are very wide (t = 12.7): only large differences can be shown.',
  };
}

/** The run ended for another reason than that every interval was narrow enough. */
export function widerThanWanted({ enough, plan }: Pick<Facts, 'enough' | 'plan'>): Caveat | null {
  if (enough === null || enough.reason === 'narrow') return null;
  return {
    severity: 'info',
    cell: null,
    title: 'Intervals wider than wanted',
    text: enoughInWords(enough, ({ variant, target }) => `${variantLabel(plan, variant)} on ${target}`),
  };
}

export function endedEarly({ status, trials, plan }: Pick<Facts, 'status' | 'trials' | 'plan'>): Caveat | null {
  if (status === 'running' || status === 'complete') return null;
  const done = trials.filter(({ result }) => result !== null).length;
  return {
    severity: 'warning',
    cell: null,
    title: status === 'cancelled' ? 'The run was cancelled' : 'The run was interrupted',
    text: plan.measure.search
      ? `${many(done, 'trial')} had a result before the search was over. The run can be resumed, and goes on with it.`
      : `${done} of ${trials.length} trials have a result. The run can be resumed from the first trial without one.`,
  };
}
