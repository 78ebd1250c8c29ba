import type { RunModel } from '../run-model/run-model.ts';
import { noResultText } from '../text/no-result-text.ts';
import { type NamedRule, rules } from './registry.ts';
import { evidencePicture } from './shared/cell-pictures.ts';
import { type RunFacts, runFacts } from './shared/facts.ts';
import { type Confidence, confidences, type Outcome, type Shown, type Unshown } from './shared/finding.ts';
import { about, cannotTell } from './shared/outcomes.ts';

/** The findings of a run's cells, and the rules that found nothing. */
export interface Findings {
  /** One finding for each rule: the most certain first, then by explained share. */
  readonly shown: readonly Finding[];
  /** Rules that show nothing for any cell, in the order of their titles. */
  readonly unshown: readonly LookedFor[];
}

/** A rule's finding: the cell that shows it most clearly, and the other cells that show it. */
export interface Finding {
  readonly rule: NamedRule;
  readonly lead: Shown;
  readonly also: readonly Shown[];
  /** Cells that do not show the finding, with the reason. */
  readonly unshown: readonly Unshown[];
}

export interface LookedFor {
  readonly rule: NamedRule;
  readonly outcomes: readonly Unshown[];
}

const known = new WeakMap<RunModel['cells'], Findings>();

/** The result is cached until another trial has a result, because a live run changes several times a second. */
export function findingsOf(model: RunModel): Findings {
  const before = known.get(model.cells);
  if (before) return before;
  const found = findFindings(runFacts(model), rules);
  known.set(model.cells, found);
  return found;
}

export function findFindings(facts: RunFacts, all: readonly NamedRule[]): Findings {
  const byRule = all.map((rule) => ({ rule, outcomes: outcomesOf(rule, facts) }));
  const shown = byRule.flatMap(({ rule, outcomes }): Finding[] => {
    const [lead, ...also] = outcomes.filter((one) => one.status === 'shown').toSorted(byWeight);
    if (lead === undefined) return [];
    const picture = lead.picture ?? evidencePicture(facts, lead);
    return [{ rule, lead: { ...lead, picture }, also, unshown: outcomes.filter(isUnshown) }];
  });
  return {
    shown: shown.toSorted((a, b) => byWeight(a.lead, b.lead)),
    unshown: byRule.flatMap(({ rule, outcomes }) =>
      outcomes.some(({ status }) => status === 'shown') ? [] : [{ rule, outcomes: outcomes.filter(isUnshown) }],
    ),
  };
}

const isUnshown = (outcome: Outcome): outcome is Unshown => outcome.status !== 'shown';

const rank = (confidence: Confidence): number => confidences.indexOf(confidence);
const byWeight = (a: Shown, b: Shown): number => rank(a.confidence) - rank(b.confidence) || b.explains - a.explains;

/** An error in one rule leaves the other findings intact; its outcome is then unknown. */
function outcomesOf({ id, find }: NamedRule, facts: RunFacts): readonly Outcome[] {
  try {
    const found = find(facts);
    // Without a cell to judge, a rule would give a reason that implies cells.
    if (facts.cells.length === 0 && !found.some(({ status }) => status === 'shown'))
      return [about(null, cannotTell(noResultText(facts.model)))];
    if (found.length > 0) return found;
    const why = facts.measured.length === 0 ? noResultText(facts.model) : 'It does not apply to any cell of this run.';
    return [about(null, cannotTell(why))];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [about(null, cannotTell(`The rule ${id} failed: ${why}`))];
  }
}
