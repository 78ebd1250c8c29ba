import type { RunModel } from '#analysis/run-model/run-model.ts';
import { keyKindOf } from '#engine-api/support/key-kind.ts';
import { cellOf } from '#engine-api/support/support-of.ts';
import { sequentialUuid } from '#model/dataset/uuid-order.ts';
import { isReference } from '#planning/rates/contenders.ts';
import { planOf } from '#planning/variant-of.ts';
import { heads, type PanelTable, targets, words } from './panel-table.ts';

/** A name in the plan, and its implementation on one target. */
type Meaning = readonly [name: string, target: string, implementation: string];

/**
 * The implementation, on each engine, of methods, null bindings (if there are several), kinds of uuid keys, and
 * isolation levels.
 */
export function meaningsTable(model: RunModel): PanelTable {
  const all = [...methods(model), ...nullBindings(model), ...uuidKeys(model), ...isolationLevels(model)];
  return {
    columns: [...heads('Method'), ...targets('Target'), ...words('Implementation')],
    rows: all.map((cells) => ({ cells })),
  };
}

const contendersOf = (model: RunModel) => model.targets.filter(({ name }) => !isReference(model, name));

function methods(model: RunModel): readonly Meaning[] {
  const used = new Map(
    model.plan.variants.map(({ settings }) => {
      const { operation, method, copyFrom = '' } = settings;
      return [`${operation} ${method}${copyFrom === '' ? '' : ` from ${copyFrom}`}`, settings] as const;
    }),
  );
  return [...used].flatMap(([name, settings]) =>
    contendersOf(model).flatMap(({ name: target, descriptor }): readonly Meaning[] => {
      const implementation = cellOf(descriptor, settings)?.implementation;
      return implementation === undefined ? [] : [[name, target, implementation]];
    }),
  );
}

function nullBindings(model: RunModel): readonly Meaning[] {
  const used = new Set(model.plan.variants.map(({ settings: { nullBinding = 'asColumn' } }) => nullBinding));
  if (used.size === 1 && used.has('asColumn')) return [];
  return [...used].flatMap((binding) =>
    model.targets.flatMap(({ name, descriptor }): readonly Meaning[] => {
      const implementation =
        binding === 'asColumn' ? descriptor.nullsAsColumn : descriptor.nullBindings?.[binding]?.implementation;
      return implementation ? [[`nulls ${binding}`, name, implementation]] : [];
    }),
  );
}

function uuidKeys(model: RunModel): readonly Meaning[] {
  const { plan } = model;
  const kinds = new Set(
    plan.variants.map((variant) => keyKindOf(planOf(plan, variant).experiment.dataset, variant.settings) ?? ''),
  );
  return [...kinds]
    .filter((kind) => kind.startsWith('uuid'))
    .flatMap((kind) =>
      contendersOf(model)
        .filter(({ descriptor }) => descriptor.uuids.implementation !== '')
        .map(({ name, descriptor: { uuids } }): Meaning => {
          const order = kind === 'uuidSequential' ? `${sequentialUuid[uuids.order]}; stored as ` : '';
          return [`key ${kind}`, name, `${order}${uuids.implementation}`];
        }),
    );
}

function isolationLevels(model: RunModel): readonly Meaning[] {
  const levels = new Set(model.plan.variants.map(({ settings }) => settings.isolation ?? 'default'));
  return [...levels].flatMap((level) =>
    contendersOf(model).flatMap(({ name, descriptor }): readonly Meaning[] => {
      const implementation = level === 'default' ? undefined : descriptor.isolations?.[level];
      return implementation === undefined ? [] : [[`isolation ${level}`, name, implementation]];
    }),
  );
}
