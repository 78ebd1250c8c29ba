import { type Findings, findingsOf } from '../findings/find-findings.ts';
import { type NamedRule, rules } from '../findings/registry.ts';
import type { Shown } from '../findings/shared/finding.ts';
import type { RunModel } from '../run-model/run-model.ts';

/** The outcome of a rule in one run. */
export type FindingState =
  /** `cells`: the number of cells that show it. */
  | { readonly status: 'shown'; readonly lead: Shown; readonly cells: number }
  | { readonly status: 'notShown' }
  /** `why`: the reason why the run cannot tell, as a sentence. */
  | { readonly status: 'cannotTell'; readonly why: string };

/** A finding that some runs show and others do not. */
export interface FindingChange {
  readonly rule: NamedRule;
  /** One state for each run, in the order of the runs. */
  readonly states: readonly FindingState[];
}

/** The findings that appeared or vanished between runs. */
export function findingsBetween(runs: readonly RunModel[]): readonly FindingChange[] {
  const all = runs.map(findingsOf);
  return rules.flatMap((rule) => {
    const states = all.map((findings) => stateOf(findings, rule));
    const shown = states.filter(({ status }) => status === 'shown').length;
    return shown === 0 || shown === runs.length ? [] : [{ rule, states }];
  });
}

function stateOf({ shown, unshown }: Findings, { id }: NamedRule): FindingState {
  const found = shown.find(({ rule }) => rule.id === id);
  if (found) return { status: 'shown', lead: found.lead, cells: 1 + found.also.length };
  const outcomes = unshown.find(({ rule }) => rule.id === id)?.outcomes ?? [];
  const [first] = outcomes;
  return first !== undefined && outcomes.every(({ status }) => status === 'cannotTell')
    ? { status: 'cannotTell', why: first.why }
    : { status: 'notShown' };
}
