import { formatCount, formatNumber, formatPercent } from '#model/format/format.ts';
import { type AnswersCompared, type AnswersElsewhere, answeringOtherwise } from '#planning/rates/answers-between.ts';
import type { OddRepeat, RowProblem, RowsElsewhere } from '#planning/rates/row-problems.ts';
import { variantText } from '#planning/variant-of.ts';
import type { ComparedAnswers } from '#protocol/measurement.ts';
import type { Cell } from '#protocol/plan.ts';
import type { CellSummary, RunModel } from '../run-model/run-model.ts';

type Named = Pick<RunModel, 'plan'>;

const verbs = {
  foundNothing: ['found', 'changed'],
  missedListed: ['found', 'changed'],
  rowsDiffer: ['returned', 'changed'],
} as const;

const verbOf = ({ kind, isRead }: Exclude<RowProblem, { readonly kind: 'otherAnswers' }>): string =>
  verbs[kind][isRead ? 0 : 1];

/** "“search” gives other answers than with as it is". */
const otherAnswersText = (model: Named, cell: Cell, one: AnswersCompared): string =>
  `“${one.statement}” gives other answers than ${placeOf(model, cell, { ...cell, variant: one.baseline })}${whenText(one)}`;

/** Answers before the clock need no words. */
const whenText = ({ isSampled }: Pick<AnswersCompared, 'isSampled'>): string =>
  isSampled ? ' in calls of the measured phase' : '';

/** "day = 7, city = 2"; empty: no values are known. */
const valuesText = ({ difference }: Pick<ComparedAnswers, 'difference'>): string =>
  (difference?.parameters ?? []).map(({ name, value }) => `${name} = ${value ?? 'NULL'}`).join(', ');

/** "20", "0.333": the exact number if all calls may have had as many rows. */
const rowsText = (rows: number): string => (Number.isInteger(rows) ? formatCount(rows) : formatNumber(rows));

const rowsACall = (rows: number): string => `${rowsText(rows)} ${rows === 1 ? 'row' : 'rows'} a call`;

/** "on sqlite", "with prepared": the difference between another cell and this one. */
function placeOf({ plan }: Named, cell: Cell, other: Cell): string {
  const target = other.target === cell.target ? '' : `on ${other.target}`;
  const variant = other.variant === cell.variant ? '' : `with ${variantText(plan, other.variant)}`;
  return [variant, target].filter((words) => words !== '').join(' ');
}

/**
 * A short text for the answer: "“by-code” found no row in any call". `all`: problems of the same kind in several cells.
 */
function shortRowProblemsText(
  model: Named,
  all: readonly { readonly cell: Cell; readonly problem: RowProblem }[],
): string {
  const { cell, problem } = all[0]!;
  if (problem.kind === 'otherAnswers') return otherAnswersText(model, cell, problem.compared);
  const subject = `“${problem.statement}” ${verbOf(problem)}`;
  switch (problem.kind) {
    case 'foundNothing':
      return `${subject} no row in any call`;
    case 'missedListed': {
      const shares = all.flatMap(({ problem: one }) => (one.kind === 'missedListed' ? [one.missed / one.calls] : []));
      return `${subject} no row in ${all.length === 1 ? '' : 'up to '}${formatPercent(Math.max(...shares))} of its look-ups`;
    }
    case 'rowsDiffer': {
      const { elsewhere } = problem;
      return `${subject} ${rowsACall(problem.rowsPerCall)} ${placeOf(model, elsewhere, cell)}, and ${rowsText(elsewhere.rowsPerCall)} ${placeOf(model, cell, elsewhere)}`;
    }
  }
}

/** "“search” gives other answers than on mariadb". */
const elsewhereText = (model: Named, cell: Cell, one: AnswersElsewhere): string =>
  `“${one.statement}” gives other answers than ${placeOf(model, cell, one.other)}${whenText(one)}`;

/** Answers that differ on another target, as sentences. */
export function answersElsewhereText(model: Named, cell: Cell, one: AnswersElsewhere): string {
  const values = valuesText(one);
  const [pair] = one.difference?.rows?.pairs ?? [];
  const example =
    pair === undefined
      ? ''
      : ` The first that differ: there ${answerRowText(pair.baseline)}, here ${answerRowText(pair.own)}.`;
  return `${elsewhereText(model, cell, one)}: ${one.why ?? ''}${values === '' ? '' : `, for ${values}`}.${example}`;
}

/** The meaning of answers that differ on another target, and advice. */
export const elsewhereAdvice =
  'The two do other work, so that they have no common verdict on this statement, nor on throughput. The panel Equal answers has the first rows that differ. If other answers are intended, write equal: false.';

/** The meaning of each problem, and advice. */
export const rowAdvice: Readonly<Record<RowProblem['kind'], string>> = {
  otherAnswers:
    'The variant does other work, so that it is not comparable. The panel Equal answers shows what differs. If other answers are intended, write equal: false.',
  foundNothing:
    'A call that finds nothing is other work, mostly less of it: the cell is not comparable. Try the statement once, and look at the values and the types of its parameters. If nothing is to be found, write expectRows: { min: 0 }.',
  missedListed:
    'Its values come from a list, so that each is expected to be there: the cell is not comparable. Look at the types of the list, and at values that have to come from one row. If some are not to be found, write expectRows: { min: 0 }.',
  rowsDiffer:
    'Random draws do not explain that: the calls had other answers, and the cell is not comparable. Try the statement once on both, and look at types, collations and time zones.',
};

/** A row of an answer: "(3, NULL)". */
export const answerRowText = (row: readonly (string | null)[] | null): string =>
  row === null ? 'no row' : `(${row.map((value) => value ?? 'NULL').join(', ')})`;

/** The returned rows, as a sentence. */
export function rowProblemText(model: Named, cell: Cell, problem: RowProblem): string {
  if (problem.kind === 'otherAnswers') {
    const { compared } = problem;
    const values = valuesText(compared);
    const [pair] = compared.difference?.rows?.pairs ?? [];
    const example =
      pair === undefined
        ? ''
        : ` The first that differ: with the baseline ${answerRowText(pair.baseline)}, here ${answerRowText(pair.own)}.`;
    const forValues = values === '' ? '' : `, for ${values}`;
    return `${otherAnswersText(model, cell, compared)}: ${compared.why ?? ''}${forValues}.${example}`;
  }
  const subject = `“${problem.statement}” ${verbOf(problem)}`;
  const { calls } = problem;
  const among = `${formatCount(calls)} ${calls === 1 ? 'call' : 'calls'}`;
  switch (problem.kind) {
    case 'foundNothing': {
      const beside =
        problem.elsewhere === null ? '' : `; ${rowsElsewhereText(model, cell, problem, problem.elsewhere)}`;
      return `${subject} no row in ${calls === 1 ? 'its call' : `any of ${among}`}${beside}.`;
    }
    case 'missedListed':
      return `${subject} no row in ${formatCount(problem.missed)} of ${among} (${formatPercent(problem.missed / calls)}).`;
    case 'rowsDiffer':
      return `${subject} ${rowsACall(problem.rowsPerCall)}; ${rowsElsewhereText(model, cell, problem, problem.elsewhere)}.`;
  }
}

const rowsElsewhereText = (
  model: Named,
  cell: Cell,
  { isRead }: { readonly isRead: boolean },
  other: RowsElsewhere,
): string => `${placeOf(model, cell, other)} it ${isRead ? 'returned' : 'changed'} ${rowsACall(other.rowsPerCall)}`;

/** "“sell” returned 3 rows a call in repeat 2, and 1 in the other repeats." */
export const oddRepeatText = ({ statement, isRead, repeat, rowsPerCall, others }: OddRepeat): string =>
  `“${statement}” ${isRead ? 'returned' : 'changed'} ${rowsACall(rowsPerCall)} in repeat ${repeat}, and ${rowsText(others)} in the other repeats.`;

export const repeatAdvice =
  'Random draws do not explain that: somebody changes the rows during the run, or an answer is not stable. Repeats that do other work have no common speed.';

/** The most important problem of a cell's rows in short; empty: it has none. */
export function shortRowText(model: Named, cell: Pick<CellSummary, 'variant' | 'target' | 'rowProblems'>): string {
  const problem = firstProblem(cell);
  return problem === undefined ? '' : shortRowProblemsText(model, [{ cell, problem }]);
}

const firstProblem = ({ rowProblems }: Pick<CellSummary, 'rowProblems'>): RowProblem | undefined =>
  rowProblems.toSorted((a, b) => rank[a.kind] - rank[b.kind])[0];

/** Cells whose returned rows exclude them from comparisons, each with its first reason in short. */
interface Apart {
  readonly cells: readonly CellSummary[];
  readonly reason: string;
}

/** The most important reasons of a cell come first. */
const rank: Readonly<Record<RowProblem['kind'], number>> = {
  otherAnswers: 0,
  foundNothing: 1,
  rowsDiffer: 2,
  missedListed: 3,
};

/**
 * Measured cells whose returned rows exclude them from comparisons, grouped by their first reason; empty answers come
 * first, then the most frequent reasons. Cells with other answers than another target come last.
 */
export function cellsApart(model: Pick<RunModel, 'plan' | 'cells'>): readonly Apart[] {
  const all = model.cells.flatMap((cell) => {
    const problem = firstProblem(cell);
    return cell.rowsPerSecond === null || problem === undefined ? [] : [{ cell, problem }];
  });
  const byRows = [...Map.groupBy(all, ({ problem: { kind, statement } }) => `${kind} ${statement}`).values()]
    .toSorted((a, b) => rank[a[0]!.problem.kind] - rank[b[0]!.problem.kind] || b.length - a.length)
    .map((own) => ({ cells: own.map(({ cell }) => cell), reason: shortRowProblemsText(model, own) }));
  const elsewhere = answeringOtherwise(model.cells).flatMap(({ cell, target }) => {
    const one = cell.otherAnswers.find(({ outcome, other }) => outcome === 'differ' && other.target === target);
    const isOther = cell.rowsPerSecond !== null && cell.rowProblems.length === 0;
    return one && isOther ? [{ cell, reason: elsewhereText(model, cell, one) }] : [];
  });
  const byAnswers = [...Map.groupBy(elsewhere, ({ reason }) => reason)].map(([reason, own]) => ({
    cells: own.map(({ cell }) => cell),
    reason,
  }));
  return [...byRows, ...byAnswers];
}
