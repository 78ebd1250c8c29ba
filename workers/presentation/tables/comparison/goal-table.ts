import { goalOutcomes } from '#analysis/goals/goal-outcomes.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatGoal } from '#planning/judged/named-goals.ts';
import { formatGoalValue, outcomeWords } from '../../text/goal-text.ts';
import { cellColumns, cellTexts, heads, type NotedTable, numbers, words } from '../shared/panel-table.ts';

/** Each goal in each cell. Empty without goals. */
export const goalTable = (model: RunModel): NotedTable => ({
  note: 'A goal is met or missed if the whole interval is on that side of it. The intervals of all goals and cells hold together with 95 %. Times are the geometric mean of the repeats’ values; shares of errors are of all calls, without attempts that a retry made up for.',
  columns: [...heads('Goal'), ...cellColumns, ...numbers('Measured'), ...words('Outcome')],
  rows: goalOutcomes(model).map((one) => ({
    cells: [
      formatGoal(one),
      ...cellTexts(model, one),
      formatGoalValue(one),
      { text: outcomeWords[one.outcome], tone: one.outcome === 'missed' ? 'bad' : undefined },
    ],
  })),
});
