import { changesInWords, withinWords } from '../change-words.ts';
import { chosenTargets } from '../charts/select.ts';
import type { RunModel } from '../model.ts';
import { rateUnit } from '../select-cells.ts';
import { steadyInWords, trialDetails } from '../trial-details.ts';
import { cellColumns, cellTexts, numbers, type PanelTable, words } from './panel-table.ts';

/** What the seconds of longer trials tell of each of them; without the targets that charts leave out. */
export function withinTable(model: RunModel): PanelTable {
  const unit = rateUnit(model);
  const shown = new Set(chosenTargets(model, {}).map(({ name }) => name));
  const details = trialDetails({ ...model, trials: model.trials.filter(({ trial }) => shown.has(trial.target)) });
  return {
    columns: [...cellColumns, ...numbers('Repeat', `${unit} within this trial`), ...words('Steady state', 'Changes')],
    rows: details.map((one) => ({
      cells: [
        ...cellTexts(model, one.view.trial),
        String(one.view.trial.repeat),
        withinWords(one.steadiness),
        steadyInWords(one.steadiness),
        { text: changesInWords(one, model, unit) },
      ],
    })),
  };
}
