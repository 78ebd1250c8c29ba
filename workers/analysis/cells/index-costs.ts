import { formatBytes, formatMs } from '#model/format/format.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import { meanOrNull } from '#stats/intervals/summary.ts';
import type { IndexCost } from '../run-model/run-model.ts';

/** Size and build time of each index of a cell, as means over the repeats that have them. */
export function indexCostsOf(ok: readonly TrialResult[]): readonly IndexCost[] {
  const names = [...new Set(ok.flatMap(({ indexBytes = [] }) => indexBytes.map(({ index }) => index)))];
  return names.map((index) => {
    const own = ok.flatMap(({ indexBytes = [] }) => indexBytes.filter((one) => one.index === index));
    const built = ok.flatMap(({ builds = [] }) => builds.filter(({ part }) => part === `index on ${index}`));
    return {
      index,
      bytes: meanOrNull(own.flatMap(({ bytes }) => bytes ?? [])),
      why: own.find(({ why }) => why !== undefined)?.why ?? null,
      buildMs: meanOrNull(built.map(({ ms }) => ms)),
    };
  });
}

/** "12 MB, built in 0.8 s": the cost of an index. */
export const indexCostText = ({ bytes, why, buildMs }: IndexCost): string =>
  [
    bytes === null ? `size not known: ${why ?? 'the server did not tell it.'}` : formatBytes(bytes),
    ...(buildMs === null ? [] : [`built in ${formatMs(buildMs)}`]),
  ].join(', ');
