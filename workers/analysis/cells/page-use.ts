import type { PartOfPages, TrialResult } from '#protocol/measurement.ts';
import { meanOrNull } from '#stats/intervals/summary.ts';
import type { CellPages } from '../run-model/run-model.ts';

/** The pages of each table and index of a cell, as means over the repeats that have them. Null: no trial has any. */
export function pageUseOf(ok: readonly TrialResult[]): CellPages | null {
  const uses = ok.flatMap(({ pageUse }) => pageUse ?? []);
  if (uses.length === 0) return null;
  const all = uses.flatMap(({ parts }) => parts);
  const parts = [...Map.groupBy(all, ({ part }) => part)].map(([part, own]) => {
    const mean = (of: (one: PartOfPages) => number | null) => meanOrNull(own.flatMap((one) => of(one) ?? []));
    return {
      part,
      density: mean(({ density }) => density),
      outOfOrder: mean(({ outOfOrder }) => outOfOrder),
      freeBytes: mean(({ freeBytes }) => freeBytes),
    };
  });
  return { parts, why: uses.find(({ why }) => why !== undefined)?.why ?? null };
}
