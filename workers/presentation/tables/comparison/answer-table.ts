import type { RunModel } from '#analysis/run-model/run-model.ts';
import { answerPairText } from '#analysis/text/row-text.ts';
import { many } from '#model/format/plural.ts';
import { sentence } from '#model/format/sentence.ts';
import { variantText } from '#planning/variant-of.ts';
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

type Facts = Pick<RunModel, 'plan' | 'trials'>;

/** The comparisons of answers before the clock, cell by cell. Empty where levels change no text of a statement. */
export function answerTable({ plan, trials }: Facts): NotedTable {
  const found = trials.flatMap(({ trial, result }) => (result?.answers ?? []).map((compared) => ({ trial, compared })));
  const isRemarked = found.some(({ compared }) => compared.outcome !== 'equal');
  return {
    note: 'Before its first trial, each cell has answered statements whose text a level changes, beside the baseline’s text, with the same values and on the same tables. A cell with other answers is not compared.',
    columns: [
      ...cellColumns,
      ...words('Statement', 'Baseline', 'Answers'),
      ...(isRemarked ? [...remarks('Reason'), ...asides('Rows that differ')] : []),
    ],
    rows: found.map(({ trial, compared }) => ({
      cells: [
        ...cellTexts({ plan }, trial),
        compared.statement,
        variantText(plan, compared.baseline),
        outcomeCell(compared),
        ...(isRemarked ? [reasonText(compared), { text: pairLines(compared) }] : []),
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

/** The columns, and then each row of the baseline's text and the cell's own row in its place. */
function pairLines({ difference }: ComparedAnswers): readonly string[] {
  const { rows } = difference ?? {};
  if (!rows || rows.pairs.length === 0) return [''];
  return [`(${rows.columns.join(', ')})`, ...rows.pairs.map(answerPairText)];
}
