import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatBytes, formatInterval, formatMs, formatShort } from '#model/format/format.ts';
import type { Cell } from '#protocol/plan.ts';
import type { MeasuredCell } from './script-header.ts';

/** The figures of a cell in a run, as the header of a script says them. It names no host and no user. Pure. */
export function measuredCell(model: RunModel, { target, variant }: Cell): MeasuredCell {
  const { environment, runId, startedAt } = model;
  const cell = model.cells.find((one) => one.target === target && one.variant === variant);
  const record = model.targets.find(({ name }) => name === target);
  const { product = null, emulator = null } = record?.fingerprint ?? {};
  const figures = [
    ...(cell?.rowsPerSecond
      ? [`${formatInterval(cell.rowsPerSecond)} rows/s (${trialsText(cell.rowsPerSecond)})`]
      : []),
    ...(cell?.callsPerSecond ? [`${formatInterval(cell.callsPerSecond)} calls/s`] : []),
    ...(cell?.latencyMs.p50 == null ? [] : [`p50 ${formatMs(cell.latencyMs.p50)}`]),
    ...(cell?.latencyMs.p99 == null ? [] : [`p99 ${formatMs(cell.latencyMs.p99)}`]),
  ];
  return {
    server: emulator === null ? product : `${product ?? 'unknown'}, answered by ${emulator}`,
    drivers: environment.drivers,
    sentences: [
      `Run ${runId} of ${startedAt} with Dyno ${environment.app}: ${
        figures.length === 0 ? 'this cell has no good trial, so that there are no figures' : figures.join(', ')
      }.`,
      `Machine of the run: ${environment.os}, ${environment.cpu}, ${formatShort(environment.cores)} processors, ${formatBytes(environment.memoryBytes)} of memory.`,
    ],
  };
}

const trialsText = ({ low, n }: { readonly low: number | null; readonly n: number }): string =>
  low === null ? `${n} trials, too few for an interval` : `95 % interval of ${n} trials`;
