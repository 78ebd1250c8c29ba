import type { RunModel } from '#analysis/run-model/run-model.ts';
import { comparedSettingsTable } from '#analysis/settings/compared-settings.ts';
import { productText } from '#engine-api/product-text.ts';
import { isReference } from '#planning/rates/contenders.ts';
import { heads, type PanelCell, type PanelRow, type PanelTable } from '../shared/panel-table.ts';

export const settingsNote =
  'The durability, memory and other settings that Dyno found on the targets. A mark shows settings in which targets differ. If a difference changes the work itself, the charts repeat it.';

const groups = { setup: 'Setup', durability: 'Durability', memory: 'Memory', other: 'Other settings' } as const;

/**
 * The settings of all targets side by side. References have no settings, and are left out unless there are no other
 * targets.
 */
export function settingsTable(model: RunModel): PanelTable {
  const contenders = model.targets.filter(({ name }) => !isReference(model, name));
  const targets = contenders.length === 0 ? model.targets : contenders;
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
      ...comparedSettingsTable({ ...model, targets }).map(
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
