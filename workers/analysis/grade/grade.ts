import { formatCount } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import { clause } from '#model/format/sentence.ts';
import { isEmulator } from '#planning/rates/contenders.ts';
import { repeatsOf } from '#planning/repeats.ts';
import { type GradeLevel, gradeLevels } from '#protocol/ipc.ts';
import { runState } from '../compare/run-state.ts';
import { findingsOf } from '../findings/find-findings.ts';
import { runFacts } from '../findings/shared/facts.ts';
import { lastRound } from '../run-model/last-round.ts';
import type { RunModel } from '../run-model/run-model.ts';
import { isShort, runStateText } from '../text/run-state-text.ts';
import { cellProblems } from './cell-rules.ts';
import { machineProblem } from './machine-rule.ts';
import { inCellsText, type Problem } from './problem.ts';

/** One grade of a run's data, with every reason against a better one, the most important first. */
export interface Grade {
  readonly level: GradeLevel;
  readonly problems: readonly Problem[];
}

const known = new WeakMap<RunModel, { readonly grade: Grade | null }>();

/**
 * The grade of a run's data: the worst level of its problems. Null while the run is going on, and if nothing was
 * measured. docs/reading-results.md lists the rules.
 */
export function gradeOf(model: RunModel): Grade | null {
  const before = known.get(model);
  if (before) return before.grade;
  const grade = judge(model);
  known.set(model, { grade });
  return grade;
}

function judge(model: RunModel): Grade | null {
  if (model.status === 'running' || model.cells.every(({ rowsPerSecond }) => rowsPerSecond === null)) return null;
  const facts = runFacts(model);
  const emulated = emulatorProblem(model);
  if (facts.measured.length === 0) return emulated === null ? null : { level: emulated.level, problems: [emulated] };
  const found = [
    emulated,
    verificationProblem(model),
    shortProblem(model),
    machineProblem(facts),
    ...cellProblems(facts.measured, model.plan.measure.search !== undefined),
    repeatsProblem(model),
    omissionProblem(model, facts.measured.length),
    damageProblem(model),
  ].filter((one) => one !== null);
  const rank = ({ level }: { readonly level: GradeLevel }) => gradeLevels.indexOf(level);
  const problems = found.toSorted((a, b) => rank(b) - rank(a));
  return { level: problems[0]?.level ?? 'good', problems };
}

const ofRun = (problem: Omit<Problem, 'culprit' | 'cells'>): Problem => ({ ...problem, culprit: null, cells: null });

/** An emulator's numbers say nothing about the product. */
function emulatorProblem({ targets, cells }: RunModel): Problem | null {
  const names = targets.filter(
    (target) => isEmulator(target) && cells.some((cell) => cell.target === target.name && cell.rowsPerSecond !== null),
  );
  const [first] = names;
  return first === undefined
    ? null
    : ofRun({
        rule: 'emulator',
        level: 'doNotQuote',
        reason: `an emulator answered in the place of ${first.fingerprint?.product ?? first.name}`,
        advice: 'Run the experiment on the product.',
        remedy: null,
      });
}

/** Acknowledged rows are missing, or the table has too many rows. */
function verificationProblem({ trials }: RunModel): Problem | null {
  const wrong = trials.filter(({ result }) => result?.verification.outcome === 'mismatch').length;
  return wrong === 0
    ? null
    : ofRun({
        rule: 'verification',
        level: 'doNotQuote',
        reason: `the rows in the table differ from the acknowledged rows in ${many(wrong, 'trial')}`,
        advice: 'Find out which rows were lost before you compare speeds.',
        remedy: null,
      });
}

/** With fewer trials than this share of the plan, the rest may change the picture. */
const leastShare = 0.5;

/** The run was cancelled or interrupted, or trials failed. */
function shortProblem(model: RunModel): Problem | null {
  const state = runState(model);
  if (!isShort(state)) return null;
  const { status, trialsGood, trialsPlanned, comparison } = state;
  const isBad = comparison === 'none' || (trialsPlanned !== null && trialsGood < trialsPlanned * leastShare);
  // The answer, the list and Home say in this case how far the run came.
  const text = comparison === 'none' ? 'Too few trials have a result for a comparison' : runStateText(state);
  const canResume = status !== 'complete';
  return ofRun({
    rule: 'trials',
    level: isBad ? 'doNotQuote' : 'usable',
    reason: clause(text),
    advice: canResume ? 'Resume the run.' : 'Read the errors, and run the experiment again.',
    remedy: null,
  });
}

/** From three repeats on, an interval is narrow enough to be useful (t = 4.3; with two repeats 12.7). */
const enoughRepeats = 3;

function repeatsProblem({ plan, enough }: RunModel): Problem | null {
  const repeats = enough ? lastRound(enough) : repeatsOf(plan.measure).max;
  if (repeats >= enoughRepeats) return null;
  return ofRun({
    rule: 'repeats',
    level: repeats <= 1 ? 'doNotQuote' : 'usable',
    reason:
      repeats <= 1
        ? 'no cell has more than one trial, so nothing shows how much results vary'
        : `no cell has more than ${formatCount(repeats)} trials, so intervals are very wide`,
    advice: `Measure ${enoughRepeats} repeats or more.`,
    remedy: 'addRepeats',
  });
}

/** Percentiles of a closed load leave out the waits during a stall. */
function omissionProblem(model: RunModel, of: number): Problem | null {
  const found = findingsOf(model).shown.find(({ rule }) => rule.id === 'coordinatedOmission');
  const count =
    found === undefined ? 0 : [found.lead, ...found.also].filter((one) => one.confidence !== 'possible').length;
  if (count === 0) return null;
  const cells = { count, of };
  return {
    rule: 'coordinatedOmission',
    level: 'usable',
    reason: `percentiles leave out the waits during a stall${inCellsText(cells)} (coordinated omission)`,
    advice: 'Do not quote high percentiles, or measure them under open load.',
    remedy: null,
    culprit: null,
    cells,
  };
}

const damageProblem = ({ damage }: RunModel): Problem | null =>
  damage.lines === 0
    ? null
    : ofRun({
        rule: 'damage',
        level: 'usable',
        reason: `${many(damage.lines, 'line')} of the run file cannot be read`,
        advice: 'Resume the run, which repeats trials without a result.',
        remedy: null,
      });
