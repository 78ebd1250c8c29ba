import { instancesOf, type ServerInstance, serverKey, setsOf } from '#planning/server-instances.ts';
import { variantOf } from '#planning/variant-of.ts';
import type { Plan, PlannedTarget, PlannedTrial } from '#protocol/plan.ts';
import { copySource } from '#rules/cells/copy-source.ts';
import type { Control } from '../worker/control.ts';

/** The control connections of a run: one for each target, or one for each server that it has of this run's own. */
export interface TargetControls {
  readonly all: readonly Control[];
  /** The connection to the server of a target on which a variant runs; undefined: the plan has no such target. */
  of(target: string, variant: string): Control | undefined;
  /** The set of parameters that a variant has for the server of a target; null: the target has none. */
  setOf(target: string, variant: string): ServerInstance | null;
  /** The connections that trials run on or copy from, in the order of the targets. */
  needed(trials: readonly PlannedTrial[]): readonly Control[];
}

/** Creates the control connections of a plan; none connects yet. */
export function createTargetControls(
  plan: Plan,
  create: (planned: PlannedTarget, instance: ServerInstance | null) => Control,
): TargetControls {
  const controls = new Map(
    plan.targets.map((planned) => {
      const instances = instancesOf(plan, planned.name);
      const byKey = [...(instances ?? [])].map(([key, instance]) => [key, create(planned, instance)] as const);
      return [planned.name, instances ? new Map(byKey) : create(planned, null)] as const;
    }),
  );
  const of = (target: string, variant: string) => {
    const found = controls.get(target);
    return found instanceof Map ? found.get(serverKey(plan, variant, target)) : found;
  };
  const all = [...controls.values()].flatMap((one) => (one instanceof Map ? [...one.values()] : [one]));
  return {
    all,
    of,
    setOf: (target, variant) => setsOf(plan, target)?.get(serverKey(plan, variant, target)) ?? null,
    needed(trials) {
      const needed = new Set(
        trials.flatMap(({ target, variant }) => [
          of(target, variant),
          of(copySource(variantOf(plan, variant)) ?? target, variant),
        ]),
      );
      return all.filter((control) => needed.has(control));
    },
  };
}
