import { type AnswersCompared, answersBefore } from '#planning/rates/answers-between.ts';
import { type OddRepeat, oddRepeats, type RowProblem } from '#planning/rates/row-problems.ts';
import { variantText } from '#planning/variant-of.ts';
import { keyOf } from '#protocol/cell-key.ts';
import {
  answersElsewhereText,
  elsewhereAdvice,
  oddRepeatText,
  repeatAdvice,
  rowAdvice,
  rowProblemText,
} from '../text/row-text.ts';
import { type CellRun, cellCaveat } from './cell-caveat.ts';

const titles: Readonly<Record<RowProblem['kind'], string>> = {
  otherAnswers: 'Different answers',
  foundNothing: 'Found nothing',
  missedListed: 'Listed values not found',
  rowsDiffer: 'Rows per call differ',
};

/** Differences in the returned rows that prevent a comparison: one caveat for each kind, with all of its statements. */
const rowCaveat = (kind: RowProblem['kind']) =>
  cellCaveat(kind === 'otherAnswers' ? 'error' : 'warning', titles[kind], (cell, { run }: CellRun) => {
    const own = cell.rowProblems.filter((one) => one.kind === kind);
    return own.length === 0 ? null : [...own.map((one) => rowProblemText(run, cell, one)), rowAdvice[kind]].join(' ');
  });

/** Repeats whose rows differ: the cell is compared, but its repeats are not the same work. */
const repeatCaveat = cellCaveat('warning', 'Rows differ between repeats', (cell, { run }: CellRun) => {
  const own = oddRepeatsOf(run).filter((one) => keyOf(one) === keyOf(cell));
  return own.length === 0 ? null : `${own.map(oddRepeatText).join(' ')} ${repeatAdvice}`;
});

/** The results by run, kept because every cell of a run asks for them. */
const known = new WeakMap<CellRun['run']['trials'], readonly OddRepeat[]>();

function oddRepeatsOf({ plan, targets, trials }: CellRun['run']): readonly OddRepeat[] {
  const before = known.get(trials);
  if (before) return before;
  const odd = oddRepeats(
    { plan, targets },
    trials.flatMap(({ result }) => result ?? []),
  );
  known.set(trials, odd);
  return odd;
}

/** The statements of a cell with other answers on another target, each with the first such target. */
const elsewhereCaveat = cellCaveat('warning', 'Other answers than another target', (cell, { run }: CellRun) => {
  const differing = cell.otherAnswers.filter(({ outcome }) => outcome === 'differ');
  const first = [...Map.groupBy(differing, ({ statement }) => statement).values()].map(([one]) => one!);
  return first.length === 0
    ? null
    : [...first.map((one) => answersElsewhereText(run, cell, one)), elsewhereAdvice].join(' ');
});

/** Statements whose answers could not be shown to be equal, although nothing shows that they differ. */
const answersUnknown = cellCaveat('info', 'Answers not compared', (cell, { run, results }: CellRun) => {
  // Measured calls that could not be compared take nothing away from the answers before the clock.
  const isUnknown = ({ outcome, isSampled }: Pick<AnswersCompared, 'outcome' | 'isSampled'>) =>
    outcome === 'cannotTell' || (outcome === 'notChecked' && !isSampled);
  const text = ({ statement, why = '', isSampled }: Omit<AnswersCompared, 'baseline'>, place: string) =>
    `Dyno cannot tell if ${isSampled ? 'measured calls of ' : ''}“${statement}” ${isSampled ? 'answer' : 'answers'} the same as ${place}: ${why}.`;
  const unknown = [...results.flatMap(({ answers = [] }) => answers), ...cell.sampledAnswers].filter(isUnknown);
  const elsewhere = answersBefore(run.plan, cell).filter(isUnknown);
  const texts = [
    ...unknown.map((one) => text(one, `with ${variantText(run.plan, one.baseline)}`)),
    ...elsewhere.map((one) => text(one, `on ${one.other.target}`)),
  ];
  return texts.length === 0 ? null : texts.join(' ');
});

export const rowCaveats = [
  rowCaveat('otherAnswers'),
  elsewhereCaveat,
  answersUnknown,
  repeatCaveat,
  rowCaveat('foundNothing'),
  rowCaveat('missedListed'),
  rowCaveat('rowsDiffer'),
];
