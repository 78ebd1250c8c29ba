import type { Fingerprint } from '#contract/engine.ts';
import type { TargetRecord } from '#contract/journal.ts';
import { isContender } from './charts/select.ts';
import type { Caveat, RunModel } from './model.ts';
import { isStandIn } from './stand-in.ts';

type Targets = Pick<RunModel, 'targets'>;

/** One setting over all targets of the like-for-like table; null where a target has no such setting. */
export interface FairnessRow {
  readonly group: 'durability' | 'memory' | 'other';
  readonly setting: string;
  readonly values: readonly (string | null)[];
  /** Targets that have the setting disagree about it. */
  readonly differs: boolean;
}

/** Settings of all targets side by side, in the order of `targets`: what two engines share is in one row. */
export function fairnessTable({ targets }: Targets): readonly FairnessRow[] {
  const groups = ['durability', 'memory', 'other'] as const;
  return groups.flatMap((group) => {
    const names = new Set(targets.flatMap(({ fingerprint }) => Object.keys(fingerprint?.[group] ?? {})));
    return [...names].map((setting) => {
      const values = targets.map(({ fingerprint }) => fingerprint?.[group][setting] ?? null);
      return { group, setting, values, differs: new Set(values.filter((value) => value !== null)).size > 1 };
    });
  });
}

/** Rule 3 of honesty. Same-named settings are compared; different engines name theirs differently, so that a reader has to judge. */
export function durabilityCaveats(model: Targets): readonly Caveat[] {
  const contenders = model.targets.filter(
    (target): target is TargetRecord & { fingerprint: Fingerprint } =>
      target.fingerprint !== null && isContender(model, target.name),
  );
  if (contenders.length < 2) return [];
  const different = fairnessTable({ targets: contenders }).filter(
    ({ group, differs }) => group === 'durability' && differs,
  );
  const unequal: Caveat[] = different.map(({ setting, values }) => ({
    severity: 'warning',
    cell: null,
    title: 'Unequal durability',
    text: `${setting}: ${contenders
      .flatMap(({ name }, i) => (values[i] == null ? [] : [`${name} ${values[i]}`]))
      .join('; ')}. A faster commit may be a weaker promise.`,
  }));
  const engines = new Set(contenders.map(({ engine }) => engine));
  if (engines.size < 2) return unequal;
  const list = contenders.map(
    ({ name, fingerprint }) =>
      `${name} (${Object.entries(fingerprint.durability)
        .map(([setting, value]) => `${setting} = ${value}`)
        .join(', ')})`,
  );
  return [
    ...unequal,
    {
      severity: 'info',
      cell: null,
      title: 'Check that durability is alike',
      text: `Different engines promise durability by different settings: ${list.join('; ')}.`,
    },
  ];
}

export function inProcessCaveat(model: Targets): Caveat | null {
  const contenders = model.targets.filter(({ name }) => isContender(model, name));
  const inside = contenders.filter(({ descriptor }) => descriptor.inProcess === true);
  if (inside.length === 0 || inside.length === contenders.length) return null;
  return {
    severity: 'info',
    cell: null,
    title: 'In-process engine against servers',
    text: `${inside.map(({ name }) => name).join(', ')} works inside the client process: no network, no other users, and its work is the client’s CPU. The servers pay for a round trip with every call.`,
  };
}

export const standInCaveats = ({ targets }: Targets): readonly Caveat[] =>
  targets.filter(isStandIn).map(({ name, fingerprint }) => ({
    severity: 'error',
    cell: { target: name },
    title: 'A stand-in, not the product',
    text: `${fingerprint!.standIn} answers in the place of ${fingerprint!.product}. Its timings say nothing about the product.`,
  }));

export const targetErrors = ({ targets }: Targets): readonly Caveat[] =>
  targets
    .filter(({ error }) => error !== null)
    .map(({ name, error }) => ({
      severity: 'error',
      cell: { target: name },
      title: 'Target could not be used',
      text: `${error!.message}${error!.hint ? ` ${error!.hint}` : ''}`,
    }));
