import { beginsCold, emptiedBy } from '#engine-api/support/cold-cache.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import { variantOf } from '#planning/variant-of.ts';
import { type CellsOfRun, perCallSummaries, perCallTitle } from '../cells/per-call.ts';
import type { Caveat } from '../run-model/run-model.ts';

/** Says which caches were emptied and which were not, and whether the server's own counters confirm it. */
export function cacheCaveats(model: CellsOfRun): readonly Caveat[] {
  const orders = perCallSummaries(model);
  const told: Caveat = {
    severity: 'info',
    cell: null,
    title: 'Rates and ratios are of the first calls',
    text: `The calls of these trials are reported one by one. Rates and ratios are those of call 1 of each trial; “${perCallTitle}” shows the later calls.`,
  };
  const notCold = orders
    .filter(({ emptied, calls }) => emptied && calls[0]?.state === 'hot')
    .map(
      ({ variant, target }): Caveat => ({
        severity: 'warning',
        cell: { variant, target },
        title: 'Not cold',
        text: 'The server’s cache was emptied, but the first call read almost no pages from files: something else had loaded them before, or the server has another cache.',
      }),
    );
  return [...(orders.length === 0 ? [] : [told]), ...emptiedCaveat(model), ...notCold];
}

function emptiedCaveat({ plan, targets, cells }: CellsOfRun): readonly Caveat[] {
  const implementation = plan.targets.flatMap(({ name }): string[] => {
    const descriptor = targets.find((target) => target.name === name)?.descriptor;
    if (!descriptor || descriptor.reference) return [];
    const isCold = (variant: string) =>
      beginsCold(descriptor, variantOf(plan, variant)?.settings ?? defaultSettings, plan.measure);
    if (!cells.some(({ variant, target, ok }) => target === name && ok > 0 && isCold(variant))) return [];
    return [`${name}: ${emptiedBy(descriptor)}`];
  });
  return implementation.length === 0
    ? []
    : [
        {
          severity: 'info',
          cell: null,
          title: 'Cold is the server’s own cache',
          text: `The server’s cache was emptied right before each cold trial (${implementation.join('; ')}). The system’s page cache may still hold the files, in which case pages came from there and not from the disk.`,
        },
      ];
}
