import type { TargetRecord } from '#protocol/journal.ts';
import type { Plan, PlannedTarget } from '#protocol/plan.ts';

/** The targets of a run, as its records tell them. */
type Targets = { readonly targets: readonly TargetRecord[] };

/**
 * Some targets are served by a stand-in: something that speaks a product's protocol and is not the product. Its numbers
 * must never be read as the product's, so its name says so wherever it is shown: names are changed here, where records
 * of a run are read, and nowhere else.
 */
export const isStandIn = ({ fingerprint }: Pick<TargetRecord, 'fingerprint'>): boolean =>
  typeof fingerprint?.standIn === 'string';

export const isReference = ({ targets }: Targets, target: string): boolean =>
  targets.find(({ name }) => name === target)?.descriptor.reference === true;

/** Takes part in verdicts: neither a reference nor something that stands in for a product. */
export const isContender = (model: Targets, target: string): boolean =>
  !isReference(model, target) && !model.targets.some((one) => one.name === target && isStandIn(one));

/** Targets that do any work: without the references, unless a run has nothing else to show. */
export function workingTargets(model: Targets & { readonly plan: Plan }): readonly PlannedTarget[] {
  const { targets } = model.plan;
  const working = targets.filter(({ name }) => !isReference(model, name));
  return working.length > 0 ? working : targets;
}
