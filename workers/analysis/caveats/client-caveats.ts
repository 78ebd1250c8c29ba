import { formatPercent, formatRate } from '#model/format/format.ts';
import { isReference } from '#planning/rates/contenders.ts';
import { variantOf } from '#planning/variant-of.ts';
import { cellOf } from '#protocol/cell-key.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import { ceilingOf } from '../cells/ceilings.ts';
import type { Caveat, CellSummary, RunWithoutCaveats } from '../run-model/run-model.ts';

export function saturated(cell: CellSummary, { targets }: Pick<RunWithoutCaveats, 'targets'>): Caveat | null {
  const descriptor = targets.find(({ name }) => name === cell.target)?.descriptor;
  // A reference is nothing but client: that is what it is there to show.
  if (!cell.clientSaturated || descriptor?.reference) return null;
  return {
    severity: 'warning',
    cell: cellOf(cell),
    title: 'Measures the client',
    text: descriptor?.inProcess
      ? 'More than 30 % of the time lay outside the engine’s calls: making rows, counting, or waiting for a processor. The engine may be able to do more.'
      : 'A client process was busy, or waiting for a processor, above 0.7 of its time, or used 90 % of a core. The server may be able to do more; leave the machine to the trial, or give it more processes, to find out.',
  };
}

/** Little's law, N = X·(R + Z): a miss is an accounting error of Dyno's. */
export function littleMiss(cell: CellSummary, ok: readonly TrialResult[]): Caveat | null {
  const worst = Math.max(0, ...ok.map(({ littleError }) => Math.abs(littleError ?? 0)));
  if (worst <= 0.05) return null;
  return {
    severity: 'warning',
    cell: cellOf(cell),
    title: 'Little’s law is missed',
    text: `Calls in flight computed from counts and times differ from the number of virtual users by ${formatPercent(worst)} (5 % allowed). Time outside the calls (generation, encoding, a starved client) or an accounting error of Dyno’s is the reason.`,
  };
}

/** The harness itself could hardly have done more. */
export function ceiling(
  cell: CellSummary,
  { calibration, plan, targets, environment }: RunWithoutCaveats,
): Caveat | null {
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
    cell: cellOf(cell),
    title: 'Close to the ceiling of the harness',
    text: `Reached ${formatPercent(reached.share)} of “${entry.label}” (${formatRate(entry.perSecond, `${entry.unit}/s`)}), which does no database work at all.`,
  };
}

/** Throughput over the whole time counts seconds in which only some processes worked. */
export function apart(cell: CellSummary, ok: readonly TrialResult[]): Caveat | null {
  const worst = Math.max(0, ...ok.map(({ apartMs = 0, elapsedMs }) => (elapsedMs > 0 ? apartMs / elapsedMs : 0)));
  if (worst <= 0.1) return null;
  return {
    severity: 'warning',
    cell: cellOf(cell),
    title: 'Processes did not run at the same time',
    text: `For ${formatPercent(worst)} of the time some process had not begun, or was done with its share of the rows. More rows, or measuring by time, make that small.`,
  };
}
