import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatCount, formatInterval, formatMs } from '#model/format/format.ts';
import { type SweepRow, sweepRows } from '../tables/load/sweep-table.ts';
import { heads, numbers, type PanelTable, words } from '../tables/shared/panel-table.ts';
import { formatUsers, nameOf } from '../text/sweep-text.ts';
import type { Block } from './panel.ts';

/**
 * The coefficients of the law for each sweep over connections, and the sweep load by load. Empty for sweeps with fewer
 * than five loads.
 */
export const sweepBlocks = (model: RunModel): readonly Block[] => sweepRows(model).map(sweepBlock);

function sweepBlock({ sweep, coefficients, quality, sentences }: SweepRow): Block {
  const name = nameOf(sweep);
  const law: PanelTable = {
    columns: [...heads('Coefficient'), ...numbers('Value'), ...words('Meaning')],
    rows: coefficients.map((one) => ({ cells: [`${one.symbol} ${one.name}`, one.value, one.meaning] })),
  };
  const loads: PanelTable = {
    columns: [...numbers('Connections', sweep.unit, 'p50', 'p99', 'Users by Little’s law'), ...words('Remarks')],
    rows: sweep.points.map((point) => {
      const { load, mean, p50Ms, p99Ms, repeats } = point;
      const saturated = repeats.filter((one) => one.saturated).length;
      const note = saturated === 0 ? '' : `client-bound in ${saturated} of ${repeats.length} repeats`;
      const users = formatUsers(point) ?? '–';
      return { cells: [formatCount(load), formatInterval(mean), formatMs(p50Ms), formatMs(p99Ms), users, note] };
    }),
  };
  return {
    kind: 'group',
    title: name,
    target: sweep.target,
    blocks: [
      { kind: 'text', text: [...sentences, ...(quality === '' ? [] : [`${quality}.`])].join(' ') },
      ...(coefficients.length === 0 ? [] : [{ kind: 'table', table: law, label: `Coefficients of ${name}` } as const]),
      {
        kind: 'fold',
        summary: 'Load by load',
        blocks: [{ kind: 'table', table: loads, label: `Loads of ${name}` }],
        isOpenInReport: true,
      },
    ],
  };
}
