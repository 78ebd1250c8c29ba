import { formatCondition } from '#analysis/gate/conditions.ts';
import type { GateResult, JudgedCell } from '#analysis/gate/gate-result.ts';
import type { Interval } from '#analysis/run-model/run-model.ts';
import {
  dash,
  formatInterval,
  formatMs,
  formatMsTo,
  formatPercent,
  formatRatio,
  formatRatioInterval,
} from '#model/format/format.ts';
import { markdownTable } from '../tables/shared/markdown-table.ts';
import { heads, numbers, type PanelTable, remarks, words } from '../tables/shared/panel-table.ts';
import { changesText } from '../text/changes-text.ts';
import { gatePromise } from '../text/gate-promise.ts';
import { markdownText } from '../text/markdown-text.ts';
import { section } from './markdown-parts.ts';

/** The interval of a condition, and a limit, in their unit. */
const formats: Readonly<
  Record<
    NonNullable<JudgedCell['unit']>,
    readonly [interval: (value: Interval) => string, limit: (value: number) => string]
  >
> = {
  ratio: [formatRatioInterval, formatRatio],
  share: [(value) => formatInterval(value, formatPercent), formatPercent],
  ms: [(value) => formatInterval(value, formatMsTo), formatMs],
};

/** The conditions of a gate in all cells. Those that failed come first in each condition. */
const conditionTable = ({ conditions }: GateResult): PanelTable => ({
  columns: [...heads('Condition'), ...words('Cell', 'Outcome'), ...numbers('Measured', 'Limit'), ...remarks('Reason')],
  rows: conditions.flatMap(({ condition, cells }) =>
    cells.map(({ name, unit, interval, limit, outcome, sentence }) => ({
      cells: [
        formatCondition(condition),
        name,
        outcome,
        unit === null || interval === null ? dash : formats[unit][0](interval),
        unit === null || limit === null ? dash : formats[unit][1](limit),
        sentence,
      ],
    })),
  ),
});

/** The answer of a gate and its conditions, as sections of a summary. */
export const gateMarkdown = (gate: GateResult): readonly string[] =>
  section(
    `Gate ${gate.outcome}`,
    markdownText(gate.sentence),
    markdownTable(conditionTable(gate)),
    markdownText(changesText(gate.changes)),
    gatePromise(gate),
  );
