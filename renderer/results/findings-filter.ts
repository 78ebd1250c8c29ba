import type { Findings } from '#analysis/findings/find-findings.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { Cell } from '#protocol/plan.ts';

/** A cell with a finding or an outcome of a check. */
interface FindingCell extends Cell {
  readonly id: string;
}

export function cellsOf({ shown, unshown }: Findings): readonly FindingCell[] {
  const outcomes = [
    ...shown.flatMap((finding) => [finding.lead, ...finding.also, ...finding.unshown]),
    ...unshown.flatMap((looked) => looked.outcomes),
  ];
  const cells = new Map(outcomes.flatMap(({ cell }) => (cell === null ? [] : [[keyOf(cell), cell] as const])));
  return [...cells].map(([id, cell]) => ({ ...cell, id }));
}

/** The findings about one cell and about the whole run. Rules with findings only elsewhere are left out. */
export function findingsFor(all: Findings, cell: FindingCell | null): Findings {
  if (cell === null) return all;
  const isHere = (outcome: { readonly cell: Cell | null }) => outcome.cell === null || keyOf(outcome.cell) === cell.id;
  const own = all.shown.map((finding) => ({
    ...finding,
    here: [finding.lead, ...finding.also].filter(isHere),
    unshown: finding.unshown.filter(isHere),
  }));
  return {
    shown: own.flatMap(({ rule, here: [lead], unshown }) =>
      lead === undefined ? [] : [{ rule, lead, also: [], unshown }],
    ),
    unshown: [
      ...own.flatMap(({ rule, here, unshown }) =>
        here.length > 0 || unshown.length === 0 ? [] : [{ rule, outcomes: unshown }],
      ),
      ...all.unshown.flatMap(({ rule, outcomes }) => {
        const here = outcomes.filter(isHere);
        return here.length === 0 ? [] : [{ rule, outcomes: here }];
      }),
    ],
  };
}
