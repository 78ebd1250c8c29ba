import { formatMs, formatPercent } from '#model/format/format.ts';
import { isOff } from '../cells/network.ts';
import type { Caveat, CellSummary } from '../run-model/run-model.ts';

/** The same bound as for client processes (orchestrator/trial/client-rules.ts). */
const busy = 0.7;

/** The network was faster than requested, or the network emulator was the limit. */
export function networkCaveat(cell: Pick<CellSummary, 'variant' | 'target' | 'network'>): Caveat | null {
  const { network } = cell;
  if (network === null) return null;
  const at = { variant: cell.variant, target: cell.target };
  if (network.utilisation > busy)
    return {
      severity: 'warning',
      cell: at,
      title: 'Measures the network emulator',
      text: `The network emulator was busy ${formatPercent(network.utilisation)} of the time. Client and server may be able to do more.`,
    };
  return isOff(network)
    ? {
        severity: 'warning',
        cell: at,
        title: 'The network was slower than set',
        text: `Round trips should have taken ${formatMs(network.intendedMs)} longer, and took ${formatMs(network.addedMs)} longer on average, because the machine was too busy. Compare by the delay that was added.`,
      }
    : null;
}
