import * as all from './rules.ts';
import type { Rule } from './shared/finding.ts';

export type RuleId = keyof typeof all;

export interface NamedRule extends Rule {
  readonly id: string;
}

/** All rules by their titles, in the order of the list for rules with equal outcomes. */
export const rules: readonly NamedRule[] = Object.entries(all)
  .map(([id, rule]) => ({ id, ...rule }))
  .toSorted((a, b) => a.title.localeCompare(b.title, 'en'));

/** Title of a rule by its id; the id if the rule is unknown. */
export const ruleTitle = (id: string): string => rules.find((rule) => rule.id === id)?.title ?? id;
