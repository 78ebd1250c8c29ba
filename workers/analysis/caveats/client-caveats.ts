import { formatPercent, formatRate } from '#model/format/format.ts';
import { ceilingOf } from '../cells/ceilings.ts';
import { saturatedHostsText } from '../client/load-hosts.ts';
import { machineOf, machineText, starvedFrom, waitedShare } from '../client/machine.ts';
import { type CellRun, cellCaveat } from './cell-caveat.ts';

export const saturated = cellCaveat('warning', 'Client-bound', (cell, { descriptor, ok }: CellRun) => {
  // A reference measures only the client, so these caveats do not apply to it.
  if (!cell.clientSaturated || descriptor?.reference) return null;
  const hosts = saturatedHostsText(ok);
  const which = hosts === null ? '' : ` ${hosts}`;
  return descriptor?.inProcess
    ? 'The client spent more than 30 % of the time outside the engine’s calls, on generating data or counting. The engine may be able to do more.'
    : `A client process was busy for more than 70 % of its time, or used 90 % of a core. The server may be able to do more: run nothing else on the machine, or use more client processes, to find out.${which}`;
});

/** Every measured time contains waits for a processor of this machine. */
export const starved = cellCaveat('warning', 'Short of processors', (_, { ok, descriptor }: CellRun) => {
  const waited = waitedShare(ok);
  if (waited === null || waited < starvedFrom || descriptor?.reference) return null;
  const machine = machineOf(ok);
  return `The client’s processes were ready to run and had no processor for ${formatPercent(waited)} of their time, which makes times longer.${machine ? ` ${machineText(machine)}` : ''}`;
});

/** Little's law, N = X·(R + Z), holds for every trial; a deviation is an accounting error in Dyno. */
export const littleMiss = cellCaveat('warning', 'Little’s law is missed', (_, { ok }: CellRun) => {
  const worst = Math.max(0, ...ok.map(({ littleError }) => Math.abs(littleError ?? 0)));
  return worst <= 0.05
    ? null
    : `The number of calls in flight, computed from counts and times, differs from the number of virtual users by ${formatPercent(worst)} (5 % allowed). The reason is time outside the calls (generation, encoding, a lack of processors), or an accounting error of Dyno.`;
});

/** The throughput is close to the most that Dyno itself can generate. */
export const ceiling = cellCaveat(
  'warning',
  'Close to the ceiling of the harness',
  (cell, { run: { calibration, environment }, settings, descriptor }: CellRun) => {
    if (settings === undefined || descriptor?.reference) return null;
    const rate = cell.rowsPerSecond?.value ?? 0;
    const [reached] = calibration
      .map((entry) => ({ entry, share: rate / (ceilingOf(entry, settings, environment) ?? Infinity) }))
      .filter(({ share }) => share >= 0.8)
      .toSorted((a, b) => b.share - a.share);
    if (reached === undefined) return null;
    const { label, perSecond, unit } = reached.entry;
    return `The cell reached ${formatPercent(reached.share)} of “${label}” (${formatRate(perSecond, `${unit}/s`)}), which does no database work at all.`;
  },
);

/** The mean throughput includes seconds in which only some client processes worked. */
export const apart = cellCaveat('warning', 'Processes did not run at the same time', (_, { ok }: CellRun) => {
  const worst = Math.max(0, ...ok.map(({ apartMs, elapsedMs }) => (elapsedMs > 0 ? apartMs / elapsedMs : 0)));
  return worst <= 0.1
    ? null
    : `For ${formatPercent(worst)} of the time, some processes had not begun, or had finished their share of the rows. Use more rows, or measure by time, to make this share small.`;
});
