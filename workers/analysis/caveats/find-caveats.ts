import { keyOf } from '#protocol/cell-key.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import type { Caveat, RunWithoutCaveats } from '../run-model/run-model.ts';
import { apart, ceiling, littleMiss, saturated } from './client-caveats.ts';
import { callErrors, damageCaveats, lostToRetries, lostTrials, mismatch } from './error-caveats.ts';
import {
  durabilityCaveats,
  inProcessCaveat,
  mediumCaveat,
  standInCaveats,
  targetErrors,
} from './like-for-like-caveats.ts';
import { behind, generatorLate } from './load-caveats.ts';
import { networkCaveat } from './network-caveats.ts';
import { cacheCaveats } from './per-call-caveats.ts';
import { endedEarly, fewRepeats, noisy, outlying, widerThanWanted } from './repeat-caveats.ts';
import { buildCostCaveat, notSteady, smallerCalls, tooShort, unevenCalls } from './work-caveats.ts';

/** Everything a reader must know before trusting the numbers, the worst first. */
export function findCaveats(facts: RunWithoutCaveats): readonly Caveat[] {
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
      buildCostCaveat(cell),
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
