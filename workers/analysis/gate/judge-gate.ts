import { keyOf } from '#protocol/cell-key.ts';
import { confidence, holm, levelOfEach } from '#stats/intervals/intervals.ts';
import { goalOutcomes } from '../goals/goal-outcomes.ts';
import type { RunModel } from '../run-model/run-model.ts';
import { cellTrouble } from './cell-trouble.ts';
import { type ComparedCell, type ComparedCells, comparedCells, type GateBaseline } from './compared-cells.ts';
import { type GateCondition, needsBaseline } from './conditions.ts';
import { type GateResult, type JudgedCell, joinedOutcome } from './gate-result.ts';
import { answerText, subjectText } from './gate-text.ts';
import { judgedErrors, judgedFinding, judgedGoal, settled } from './other-parts.ts';
import { draftRatio, judgedRatio, type RatioDraft } from './ratio-parts.ts';

/** A part of a condition: it is settled, or it is judged once all comparisons are known. */
type Part =
  | { readonly kind: 'settled'; readonly judged: JudgedCell }
  | { readonly kind: 'ratio'; readonly draft: RatioDraft }
  | { readonly kind: 'errors'; readonly compared: ComparedCell; readonly share: number }
  | { readonly kind: 'goals'; readonly compared: ComparedCell };

/**
 * Judges a run by conditions, each in each cell, by the bounds of an interval. A ratio to the baseline fails if two
 * things are shown. Its whole interval is beyond the limit, where each bound holds with 90 %. And the cell is worse
 * than the baseline at all, with 95 % for all comparisons of the gate together (Holm 1979): so at most one gate of
 * twenty fails without a change, however many cells and conditions it has. A ratio passes if its whole interval is
 * within the limit. Goals and shares of failed calls take part in the same 95 %. docs/statistics.md has the simulated
 * rates.
 */
export function judgeGate(
  run: RunModel,
  baseline: GateBaseline | null,
  conditions: readonly GateCondition[],
): GateResult {
  const facts = comparedCells(run, baseline);
  const drafted = conditions.map((condition) => ({ condition, parts: partsOf(condition, facts) }));
  const all = drafted.flatMap(({ parts }) => parts);
  const drafts = all.flatMap((part) => (part.kind === 'ratio' ? [part.draft] : []));
  const shares = all.filter(({ kind }) => kind === 'errors').length;
  const goals = all.some(({ kind }) => kind === 'goals') ? goalOutcomes(run, drafts.length + shares) : [];
  const comparisons = Math.max(1, drafts.length + shares + goals.length);
  const chance = 1 - confidence;
  const chances = drafts.map((draft) => [draft, draft.doubt === null ? draft.ratio.chance : 1] as const);
  const certain = holm(new Map(chances), (chance * drafts.length) / comparisons);
  const judgedPart = (part: Part): readonly JudgedCell[] => {
    switch (part.kind) {
      case 'settled':
        return [part.judged];
      case 'ratio':
        return [judgedRatio(part.draft, certain, comparisons, chance)];
      case 'errors':
        return [judgedErrors(part.compared, facts, part.share, levelOfEach(comparisons))];
      case 'goals':
        return goals
          .filter((one) => keyOf(one) === keyOf(part.compared.cell))
          .map((one) => judgedGoal(part.compared, one));
    }
  };
  const judged = drafted.map(({ condition, parts }) => {
    const cells = parts.flatMap(judgedPart);
    const sorted = cells.toSorted((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome));
    return { condition, outcome: joinedOutcome(cells), cells: sorted };
  });
  const needed = judged.flatMap(({ cells }) => cells.map(({ repeatsNeeded }) => repeatsNeeded));
  const result = {
    outcome: joinedOutcome(judged),
    runId: run.runId,
    baseline: baseline && { runId: baseline.run.runId, startedAt: baseline.run.startedAt, name: baseline.name },
    changes: facts.changes,
    conditions: judged,
    repeatsNeeded: needed.includes(null) ? null : Math.max(0, ...needed.map((one) => one ?? 0)),
    comparisons,
  };
  return { ...result, sentence: answerText(result, secondsOfRound(run)) };
}

const order: readonly JudgedCell['outcome'][] = ['failed', 'undecided', 'passed'];

function partsOf(condition: GateCondition, facts: ComparedCells): readonly Part[] {
  if (condition.kind === 'finding') return judgedFinding(condition.id, facts).map(settledPart);
  if (condition.kind === 'goal' && facts.run.plan.experiment.goals === undefined)
    return [settledPart(settled('undecided', 'The experiment has no goals.'))];
  const parts = facts.cells.flatMap((compared): readonly Part[] => {
    const trouble = cellTrouble(compared, needsBaseline(condition));
    const { cell, name } = compared;
    if (trouble !== null) return [settledPart(settled(trouble.outcome, `${name}: ${trouble.why}`, cell, name))];
    if (condition.kind === 'errors') return [{ kind: 'errors', compared, share: condition.share }];
    if (condition.kind === 'goal') return [{ kind: 'goals', compared }];
    const draft = draftRatio(condition, compared, facts);
    if (draft === null) return [];
    if (typeof draft === 'string')
      return [settledPart(settled('undecided', `${subjectText(condition, name)}: ${draft}`, cell, name))];
    return [{ kind: 'ratio', draft }];
  });
  if (parts.length > 0) return parts;
  const isOfStatement = condition.kind === 'time' && condition.work !== null;
  return [
    settledPart(settled('undecided', isOfStatement ? `No cell calls “${condition.work}”.` : 'No cell has a result.')),
  ];
}

const settledPart = (judged: JudgedCell): Part => ({ kind: 'settled', judged });

/** The seconds that the trials of one round take, from making their tables to dropping them; null before a round. */
function secondsOfRound({ trials }: Pick<RunModel, 'trials'>): number | null {
  const results = trials.flatMap(({ result }) => (result?.phaseMs === undefined ? [] : [result]));
  const ms = results.flatMap(({ phaseMs }) => Object.values(phaseMs)).reduce((sum, one) => sum + one, 0);
  const rounds = Math.max(0, ...results.map(({ repeat }) => repeat));
  return rounds > 0 && ms > 0 ? ms / rounds / 1_000 : null;
}
