import type { RunModel } from '#analysis/run-model/run-model.ts';
import { heads, numbers, type PanelTable, words } from '../tables/shared/panel-table.ts';
import { loadRows, type SweepRow, sweepRows } from '../tables/sweep-table.ts';
import { nameOf } from '../text/sweep-text.ts';
import type { Block } from './panel.ts';

/**
 * What the law says of every sweep over connections, and the sweep load by load. Sweeps of fewer than five loads have
 * none.
 */
export const sweepBlocks = (model: RunModel): readonly Block[] => sweepRows(model).map(sweepBlock);

function sweepBlock({ sweep, coefficients, quality, sentences }: SweepRow): Block {
  const name = nameOf(sweep);
  const law: PanelTable = {
    columns: [...heads('Coefficient'), ...numbers('Value'), ...words('What it means')],
    rows: coefficients.map((one) => ({ cells: [`${one.symbol} ${one.name}`, one.value, one.meaning] })),
  };
  const loads: PanelTable = {
    columns: [...numbers('Connections', sweep.unit, 'p50', 'p99', 'Users by Little’s law'), ...words('To mind')],
    rows: loadRows(sweep).map(({ load, throughput, p50, p99, users, note }) => ({
      cells: [load, throughput, p50, p99, users, note],
    })),
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
