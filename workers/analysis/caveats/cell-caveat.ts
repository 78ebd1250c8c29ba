import type { Settings } from '#model/settings/settings.ts';
import { cellOf } from '#protocol/cell-key.ts';
import type { TargetRecord } from '#protocol/journal.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import type { Caveat, CellSummary, RunWithoutCaveats, TrialView } from '../run-model/run-model.ts';

/** The facts about a cell, besides its summary, that caveats are found from. */
export interface CellRun {
  readonly run: RunWithoutCaveats;
  readonly views: readonly TrialView[];
  readonly results: readonly TrialResult[];
  /** Results of the trials that went well. */
  readonly ok: readonly TrialResult[];
  readonly settings: Settings | undefined;
  readonly descriptor: TargetRecord['descriptor'] | undefined;
}

/** A caveat of single cells; `textOf` answers null for a cell that needs none. */
export const cellCaveat =
  <Rest extends readonly unknown[]>(
    severity: Caveat['severity'],
    title: string,
    textOf: (cell: CellSummary, ...rest: Rest) => string | null,
  ) =>
  (cell: CellSummary, ...rest: Rest): Caveat | null => {
    const text = textOf(cell, ...rest);
    return text === null ? null : { severity, cell: cellOf(cell), title, text };
  };
