import type { CellSummary, RunModel } from '#analysis/run-model/run-model.ts';
import { answerRowText } from '#analysis/text/row-text.ts';
import { many } from '#model/format/plural.ts';
import { sentence } from '#model/format/sentence.ts';
import { type AnswersCompared, answersBefore } from '#planning/rates/answers-between.ts';
import { variantText } from '#planning/variant-of.ts';
import { keyOf } from '#protocol/cell-key.ts';
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

/** The comparisons of answers, cell by cell. Empty where no answers are compared. */
export function answerTable({ plan, trials, cells }: Facts): NotedTable {
  const byCell = Map.groupBy(trials, ({ trial }) => keyOf(trial));
  const found = cells.flatMap((cell): readonly Found[] => [
    ...(byCell.get(keyOf(cell)) ?? []).flatMap(({ result }) =>
      (result?.answers ?? []).map((compared) => ({ cell, compared, beside: variantText(plan, compared.baseline) })),
    ),
    ...cell.sampledAnswers.map((compared) => ({ cell, compared, beside: variantText(plan, compared.baseline) })),
    ...answersBefore(plan, cell).map((compared) => ({ cell, compared, beside: compared.other.target })),
  ]);
  const isRemarked = found.some(({ compared }) => compared.outcome !== 'equal');
  const hasRows = found.some(({ compared }) => compared.difference?.rows);
  const isBetween = found.some(({ compared }) => 'other' in compared);
  const isSampled = found.some(({ compared }) => compared.isSampled);
  const hasLevels = found.some(({ compared }) => !('other' in compared));
  const notes = [
    'Before its first trial, each cell has answered its reading statements with the same values and the same rows.',
    ...(isSampled ? ['Some calls of the measured phase had these values, too, and their answers are compared.'] : []),
    ...(hasLevels
      ? ['A text that a level changes stands beside the baseline’s: a cell with other answers is not compared.']
      : []),
    ...(isBetween
      ? [
          'Targets stand beside the targets before them: two that answer a statement otherwise have no verdict on it, nor on throughput.',
        ]
      : []),
  ];
  return {
    note: notes.join(' '),
    columns: [
      ...cellColumns,
      ...words('Statement', 'Beside', ...(isSampled ? ['Asked'] : []), 'Answers'),
      ...(isRemarked ? remarks('Reason') : []),
      ...(hasRows ? asides('Rows there', 'Rows here') : []),
    ],
    rows: found.map(({ cell, compared, beside }) => ({
      cells: [
        ...cellTexts({ plan }, cell),
        compared.statement,
        beside,
        ...(isSampled ? [compared.isSampled ? 'in the measured phase' : 'before the clock'] : []),
        outcomeCell(compared),
        ...(isRemarked ? [reasonText(compared)] : []),
        ...(hasRows ? [{ text: rowLines(compared, 'baseline') }, { text: rowLines(compared, 'own') }] : []),
      ],
    })),
  };
}

/** A comparison of a cell's answers. */
interface Found {
  readonly cell: CellSummary;
  readonly compared: Compared;
  /** The variant, or the target, that the answers stand beside. */
  readonly beside: string;
}

type Compared = Omit<AnswersCompared, 'baseline'>;

function outcomeCell({ outcome, draws }: Compared): PanelCell {
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

function reasonText({ why, difference }: Compared): string {
  if (why === undefined) return '';
  const values = (difference?.parameters ?? []).map(({ name, value }) => `${name} = ${value ?? 'NULL'}`);
  const kept =
    difference && !difference.rows
      ? ` The rows are not of Dyno’s own tables, so that only their digests are kept: ${difference.digests.own}, and ${difference.digests.baseline} there. With keepRows in \`equal\`, the run keeps the first rows that differ.`
      : '';
  return `${sentence(why)}${values.length === 0 ? '' : `, for ${values.join(', ')}`}.${kept}`;
}

/** The first rows that differ, of one of the two texts: the names of the columns, and then a row a line. */
function rowLines({ difference }: Compared, side: 'baseline' | 'own'): readonly string[] {
  const { rows } = difference ?? {};
  if (!rows || rows.pairs.length === 0) return [''];
  return [`(${rows.columns.join(', ')})`, ...rows.pairs.map((pair) => answerRowText(pair[side]))];
}
