import type { RunModel } from '#analysis/run-model/run-model.ts';
import { rateUnit } from '#analysis/run-model/select-cells.ts';
import { steadinessText, trialDetails } from '#analysis/server/trial-details.ts';
import { workingTargets } from '#planning/rates/contenders.ts';
import { changesTexts, formatWithin } from '../../text/change-text.ts';
import { cellColumns, cellTexts, numbers, type PanelTable, words } from '../shared/panel-table.ts';

/** The steadiness of each longer trial, from its seconds. Targets that charts hide are left out. */
export function withinTable(model: RunModel): PanelTable {
  const unit = rateUnit(model);
  const shown = new Set(workingTargets(model).map(({ name }) => name));
  const details = trialDetails({ ...model, trials: model.trials.filter(({ trial }) => shown.has(trial.target)) });
  return {
    columns: [...cellColumns, ...numbers('Repeat', `${unit} within this trial`), ...words('Steady state', 'Changes')],
    rows: details.map((one) => ({
      cells: [
        ...cellTexts(model, one.view.trial),
        String(one.view.trial.repeat),
        formatWithin(one.steadiness),
        steadinessText(one.steadiness),
        { text: changesTexts(one, model, unit) },
      ],
    })),
  };
}
