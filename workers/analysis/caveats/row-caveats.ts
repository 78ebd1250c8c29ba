import type { RowProblem } from '#planning/rates/row-problems.ts';
import { rowAdvice, rowProblemText } from '../text/row-text.ts';
import { type CellRun, cellCaveat } from './cell-caveat.ts';

const titles: Readonly<Record<RowProblem['kind'], string>> = {
  foundNothing: 'Found nothing',
  missedListed: 'Listed values not found',
  rowsDiffer: 'Rows per call differ',
};

/** Differences in the returned rows that prevent a comparison: one caveat for each kind, with all of its statements. */
const rowCaveat = (kind: RowProblem['kind']) =>
  cellCaveat('warning', titles[kind], (cell, { run }: CellRun) => {
    const own = cell.rowProblems.filter((one) => one.kind === kind);
    return own.length === 0 ? null : [...own.map((one) => rowProblemText(run, cell, one)), rowAdvice[kind]].join(' ');
  });

export const rowCaveats = [rowCaveat('foundNothing'), rowCaveat('missedListed'), rowCaveat('rowsDiffer')];
