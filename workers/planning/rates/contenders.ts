import type { TargetRecord } from '#protocol/journal.ts';
import type { Plan, PlannedTarget } from '#protocol/plan.ts';

/** The targets of a run, from its records. */
type Targets = { readonly targets: readonly TargetRecord[] };

/** True for a server that says that it answers in place of a product. Its numbers say nothing about the product. */
export const isEmulator = ({ fingerprint }: Pick<TargetRecord, 'fingerprint'>): boolean =>
  typeof fingerprint?.emulator === 'string';

/** True for a target that is only a reference, such as the no-op engine. */
export const isReference = ({ targets }: Targets, target: string): boolean =>
  targets.find(({ name }) => name === target)?.descriptor.reference === true;

/** True for a target with a verdict: it is neither a reference nor an emulator. */
export const isContender = (model: Targets, target: string): boolean =>
  !isReference(model, target) && !model.targets.some((one) => one.name === target && isEmulator(one));

/** The targets without the references, unless a run has nothing else to show. */
export function workingTargets(model: Targets & { readonly plan: Plan }): readonly PlannedTarget[] {
  const { targets } = model.plan;
  const working = targets.filter(({ name }) => !isReference(model, name));
  return working.length > 0 ? working : targets;
}
