import { variantOf } from '#planning/variant-of.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { Caveat, CellSummary, RunWithoutCaveats } from '../run-model/run-model.ts';
import type { CellRun } from './cell-caveat.ts';
import { apart, ceiling, littleMiss, saturated, starved } from './client-caveats.ts';
import { haltCaveat, sessionCaveats } from './end-caveats.ts';
import { callErrors, damageCaveats, failedTeardown, lostToRetries, lostTrials, mismatch } from './error-caveats.ts';
import { behind, generatorLate, paced } from './load-caveats.ts';
import { beganApart, unlikeHosts } from './load-host-caveats.ts';
import { networkCaveat } from './network-caveats.ts';
import { cacheCaveats } from './per-call-caveats.ts';
import { endedEarly, fewRepeats, noisy, outlying, widerThanWanted } from './repeat-caveats.ts';
import { rowCaveats } from './row-caveats.ts';
import {
  durabilityCaveats,
  emulatorCaveats,
  inProcessCaveat,
  mediumCaveat,
  targetCautions,
  targetErrors,
} from './settings-caveats.ts';
import { buildCostCaveat, notSteady, smallerCalls, tooShort, unevenCalls } from './work-caveats.ts';

/** Every caveat that a reader needs before trusting the numbers, the most severe first. */
export function findCaveats(facts: RunWithoutCaveats): readonly Caveat[] {
  const viewsOf = Map.groupBy(facts.trials, ({ trial }) => keyOf(trial));
  const perCell = facts.cells.flatMap((cell) => {
    const views = viewsOf.get(keyOf(cell)) ?? [];
    const results = views.flatMap(({ result }) => result ?? []);
    const run: CellRun = {
      run: facts,
      views,
      results,
      ok: results.filter(({ status }) => status === 'ok'),
      settings: variantOf(facts.plan, cell.variant)?.settings,
      descriptor: facts.targets.find(({ name }) => name === cell.target)?.descriptor,
    };
    return ofCells.map((find) => find(cell, run));
  });
  const wholeRun = [
    ...damageCaveats(facts),
    haltCaveat(facts),
    ...sessionCaveats(facts),
    ...targetErrors(facts),
    ...emulatorCaveats(facts),
    ...targetCautions(facts),
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

const ofCells: readonly ((cell: CellSummary, run: CellRun) => Caveat | null)[] = [
  mismatch,
  ...rowCaveats,
  lostTrials,
  callErrors,
  failedTeardown,
  lostToRetries,
  saturated,
  starved,
  generatorLate,
  behind,
  paced,
  networkCaveat,
  littleMiss,
  ceiling,
  buildCostCaveat,
  smallerCalls,
  unevenCalls,
  apart,
  beganApart,
  unlikeHosts,
  noisy,
  outlying,
  notSteady,
  tooShort,
];
