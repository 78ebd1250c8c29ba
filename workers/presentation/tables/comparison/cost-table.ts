import { type CellCost, costs } from '#analysis/compare/costs.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { rateUnit } from '#analysis/run-model/select-cells.ts';
import { formatInterval, formatNumber } from '#model/format/format.ts';
import { sentence } from '#model/format/sentence.ts';
import type { Baseline } from '#planning/rates/baseline.ts';
import { keyOf } from '#protocol/cell-key.ts';
import { baselineText } from '../../text/baseline-text.ts';
import { costRatioText, moneyOf, operationsOf } from '../../text/cost-text.ts';
import { cellColumns, cellTexts, type NotedTable, numbers, words } from '../shared/panel-table.ts';

const noteOf = (model: RunModel, baseline: Baseline): string =>
  `The price of an hour of each target, from the experiment, and its throughput give the cost of a million ${operationsOf(model)} and the ${operationsOf(model)} for one ${moneyOf(model)}; their bounds are those of the throughput. Ratios refer to ${baselineText(model, baseline)}, and come from the same repeats; each 95 % interval holds for its own comparison. A server that the load or the client did not keep busy could do more for the same price.`;

/** The costs of the cells by the prices of their targets. Empty without prices. `shown`: the cells of the rows. */
export function costTable(model: RunModel, baseline: Baseline, shown: RunModel['cells'] = model.cells): NotedTable {
  const known = new Map(costs(model, baseline).map((one) => [keyOf(one), one]));
  const currency = model.plan.experiment.prices?.currency;
  const unit = currency === undefined ? '' : ` (${currency})`;
  const textsOf = (cost: CellCost | undefined): readonly string[] =>
    cost === undefined
      ? ['no price', '–', '–', '–']
      : [
          formatNumber(cost.perHour),
          formatInterval(cost.perMillion, formatNumber),
          formatInterval(cost.perMoney),
          costRatioText(cost),
        ];
  const priced = known.size > 0 ? shown : [];
  return {
    note: noteOf(model, baseline),
    columns: [
      ...cellColumns,
      ...numbers(
        rateUnit(model),
        `Price per hour${unit}`,
        `Cost per million ${operationsOf(model)}${unit}`,
        sentence(`${operationsOf(model)} per ${moneyOf(model)}`),
      ),
      ...words(`Against ${baselineText(model, baseline)}`),
    ],
    rows: priced.flatMap((cell) => {
      if (cell.rowsPerSecond === null) return [];
      const texts = textsOf(known.get(keyOf(cell)));
      return [{ cells: [...cellTexts(model, cell), formatInterval(cell.rowsPerSecond), ...texts] }];
    }),
  };
}
