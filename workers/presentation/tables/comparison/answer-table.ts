import type { RunModel } from '#analysis/run-model/run-model.ts';
import { answerRowText } from '#analysis/text/row-text.ts';
import { many } from '#model/format/plural.ts';
import { sentence } from '#model/format/sentence.ts';
import { variantText } from '#planning/variant-of.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { ComparedAnswers } from '#protocol/measurement.ts';
import {
  asides,
  cellColumns,
  cellTexts,
  type NotedTable,
  type PanelCell,
  remarks,
  words,
} from '../shared/panel-table.ts';

type Facts = Pick<RunModel, 'plan' | 'trials' | 'cells'>;

/** The comparisons of answers before the clock, cell by cell. Empty where levels change no text of a statement. */
export function answerTable({ plan, trials, cells }: Facts): NotedTable {
  const byCell = Map.groupBy(trials, ({ trial }) => keyOf(trial));
  const found = cells.flatMap((cell) =>
    (byCell.get(keyOf(cell)) ?? []).flatMap(({ result }) =>
      (result?.answers ?? []).map((compared) => ({ cell, compared })),
    ),
  );
  const isRemarked = found.some(({ compared }) => compared.outcome !== 'equal');
  const hasRows = found.some(({ compared }) => compared.difference?.rows);
  const baselines = [...new Set(found.map(({ compared }) => variantText(plan, compared.baseline)))];
  return {
    note: `Before its first trial, each cell has answered statements whose text a level changes, beside the text of the baseline (${baselines.join('; ')}), with the same values and on the same tables. A cell with other answers is not compared.`,
    columns: [
      ...cellColumns,
      ...words('Statement', 'Answers'),
      ...(isRemarked ? remarks('Reason') : []),
      ...(hasRows ? asides('Rows of the baseline', 'Rows here') : []),
    ],
    rows: found.map(({ cell, compared }) => ({
      cells: [
        ...cellTexts({ plan }, cell),
        compared.statement,
        outcomeCell(compared),
        ...(isRemarked ? [reasonText(compared)] : []),
        ...(hasRows ? [{ text: rowLines(compared, 'baseline') }, { text: rowLines(compared, 'own') }] : []),
      ],
    })),
  };
}

function outcomeCell({ outcome, draws }: ComparedAnswers): PanelCell {
  switch (outcome) {
    case 'equal':
      return `equal for ${many(draws, 'draw')}`;
    case 'differ':
      return { text: `differ in draw ${draws}`, tone: 'bad' };
    case 'cannotTell':
      return { text: 'cannot tell', tone: 'differs' };
    case 'notChecked':
      return { text: 'not compared', tone: 'differs' };
  }
}

function reasonText({ why, difference }: ComparedAnswers): string {
  if (why === undefined) return '';
  const values = (difference?.parameters ?? []).map(({ name, value }) => `${name} = ${value ?? 'NULL'}`);
  const kept =
    difference && !difference.rows
      ? ` The rows are not of Dyno’s own tables, so that only their digests are kept: ${difference.digests.own}, and ${difference.digests.baseline} with the baseline’s text.`
      : '';
  return `${sentence(why)}${values.length === 0 ? '' : `, for ${values.join(', ')}`}.${kept}`;
}

/** The first rows that differ, of one of the two texts: the names of the columns, and then a row a line. */
function rowLines({ difference }: ComparedAnswers, side: 'baseline' | 'own'): readonly string[] {
  const { rows } = difference ?? {};
  if (!rows || rows.pairs.length === 0) return [''];
  return [`(${rows.columns.join(', ')})`, ...rows.pairs.map((pair) => answerRowText(pair[side]))];
}
