import type { RunModel } from '#analysis/run-model/run-model.ts';
import { comparedSettingsTable } from '#analysis/settings/compared-settings.ts';
import type { ComparedSetting } from '#analysis/settings/server-settings.ts';
import { productText } from '#engine-api/product-text.ts';
import { isReference } from '#planning/rates/contenders.ts';
import type { TargetRecord } from '#protocol/journal.ts';
import type { Fact } from '../../text/fact.ts';
import { heads, type PanelCell, type PanelRow, type PanelTable } from '../shared/panel-table.ts';

export const settingsNote =
  'The durability, memory and other settings that Dyno found on the targets. The table has the settings in which targets differ. If a difference changes the work itself, the charts repeat it. A setting that is the same on several targets is listed once.';

const groups = { setup: 'Setup', durability: 'Durability', memory: 'Memory', other: 'Other settings' } as const;

/** The compared targets. References have no settings, and are left out unless there are no other targets. */
function comparedTargets(model: RunModel): readonly TargetRecord[] {
  const contenders = model.targets.filter(({ name }) => !isReference(model, name));
  return contenders.length === 0 ? model.targets : contenders;
}

/** The products, and the settings in which targets differ, side by side. */
export function settingsTable(model: RunModel): PanelTable {
  const targets = comparedTargets(model);
  const notices = targets.map(({ descriptor }) => descriptor.notice ?? '');
  const facts: readonly (readonly [string, readonly string[]])[] = [
    [
      'Product',
      targets.map((one) =>
        one.fingerprint ? productText(one.fingerprint) : (one.error?.message ?? one.descriptor.label),
      ),
    ],
    ['Address', targets.map(({ address }) => address)],
    ['Driver', targets.map(({ descriptor }) => descriptor.driver)],
    ...(notices.every((notice) => notice === '') ? [] : [['Notes', notices] as const]),
  ];
  return {
    columns: [
      ...heads('Setting'),
      ...targets.map(({ name }) => ({ title: name, kind: 'words', target: name }) as const),
    ],
    rows: [
      ...facts.map(([name, values]) => ({ cells: [name, ...values] })),
      ...comparedSettingsTable({ ...model, targets })
        .filter((row) => !isOnce(row))
        .map(
          ({ group, setting, values, differs }): PanelRow => ({
            group: groups[group],
            cells: [
              setting,
              ...values.map((value): PanelCell => ({ text: value ?? '–', tone: differs ? 'differs' : undefined })),
            ],
          }),
        ),
    ],
  };
}

/**
 * True if all targets that have the setting have the same value, and so it needs to be shown once only. A missing value
 * may itself be a difference: a server without isolation differs from a server that reports none.
 */
const isOnce = ({ values, differs }: Pick<ComparedSetting, 'values' | 'differs'>): boolean =>
  !differs && new Set(values.filter((value) => value !== null)).size === 1;

/** Settings that have one value, together with the targets that have them. */
interface SharedSettings {
  readonly targets: readonly string[];
  readonly title: string;
  /** For each group of settings: "fsync = on, synchronous_commit = on". */
  readonly facts: readonly Fact[];
}

/** The settings with one value, by the targets that have them. */
export function sharedSettings(model: RunModel): readonly SharedSettings[] {
  const targets = comparedTargets(model);
  const once = comparedSettingsTable({ ...model, targets }).filter(isOnce);
  const having = (values: readonly (string | null)[]) =>
    targets.flatMap(({ name }, i) => (values[i] == null ? [] : [name]));
  const byTargets = Map.groupBy(once, ({ values }) => having(values).join('\n'));
  return [...byTargets.values()]
    .map((rows): SharedSettings => {
      const names = having(rows[0]!.values);
      const byGroup = Map.groupBy(rows, ({ group }) => group);
      return {
        targets: names,
        title:
          names.length === 1
            ? names[0]!
            : names.length === targets.length
              ? 'The same on all targets'
              : `The same on ${names.join(', ')}`,
        facts: [...byGroup].map(([group, own]) => [
          groups[group],
          own.map(({ setting, values }) => `${setting} = ${values.find((value) => value !== null)}`).join(', '),
        ]),
      };
    })
    .toSorted((a, b) => b.targets.length - a.targets.length);
}
