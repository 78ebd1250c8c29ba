import { ratios, usefulMargin } from '#analysis/compare/compare.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { findCell } from '#analysis/run-model/select-cells.ts';
import type { Baseline } from '#planning/rates/baseline.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { Table } from '../../tables/shared/csv.ts';
import type { Bounded } from '../kit/scale.ts';
import type { PictureOptions } from './picture-options.ts';
import { cellGrid, type PictureCell, type PictureData } from './picture-rows.ts';

/** The numbers of a picture. For throughput the table has all numbers of the comparisons. */
export function pictureTable(run: RunModel, data: PictureData, baseline: Baseline, options: PictureOptions): Table {
  const { metric, label, unit } = data.text;
  const cells = cellGrid(data, options, data.model.plan.targets)?.rows.flatMap((row) => row.cells) ?? [];
  const measured = cells.filter((cell): cell is PictureCell => cell !== null && data.values.has(keyOf(cell)));
  const own = ({ variant, target }: PictureCell) => {
    const value = data.values.get(keyOf({ variant, target }))!;
    return [variant, target, ...boundsOf(value.value), ...boundsOf(value.ratio)];
  };
  const heads = ['low', 'high', 'ratio', 'ratio low', 'ratio high'];
  if (metric !== 'throughput')
    return { columns: ['variant', 'target', `${label} (ms)`, ...heads], rows: measured.map(own) };
  const compared = new Map(ratios(run, baseline).map((one) => [keyOf(one), one]));
  return {
    columns: [
      ...['variant', 'target', unit, ...heads, 'verdict', 'interval by', `repeats for ±${usefulMargin * 100} %`],
      ...['repeats', 'outliers', 'client-bound', 'retries', 'given up', 'retry overhead (share of client time)'],
    ],
    rows: measured.map((cell) => {
      const ratio = compared.get(keyOf(cell));
      const summary = findCell(run, cell.variant, cell.target);
      const lost = summary?.conflicts;
      return [
        ...own(cell),
        ...[ratio?.verdict ?? '', ratio?.method ?? null, ratio?.repeatsNeeded ?? null],
        summary?.rowsPerSecond?.n ?? 0,
        (summary?.outliers ?? []).map(({ repeat, value }) => `${value} (repeat ${repeat})`).join('; '),
        cell.isClientBound ? 'yes' : 'no',
        ...[lost?.retries ?? null, lost?.gaveUp ?? null, lost?.lostShare ?? null],
      ];
    }),
  };
}

const boundsOf = (one: Bounded | null) => [one?.value ?? null, one?.low ?? null, one?.high ?? null];
