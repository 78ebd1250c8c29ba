import { flatSettings, type Raw, recordAt, settingPath, variedSettings } from '../draft/raw-experiment.ts';
import { type Change, editAll } from '../form/edit.ts';
import type { FormField } from '../form/form-field.ts';
import { firstLevels } from '../form/setting-fields.ts';
import { openedLevel, shownSection } from '../outline/shown-section.ts';
import { VaryButton } from './add-variant.tsx';

/** Adds a factor, and removes its setting from the workload, because it would have no effect there. */
export function addFactor(field: FormField, workload: Raw): void {
  const levels = firstLevels(field, flatSettings(workload)[field.name]);
  editAll([...withoutSetting(field.name, workload), { path: ['factors', field.name], value: levels }]);
}

/** The change that removes a setting or an engine option from the workload, if it is there. */
export const withoutSetting = (name: string, workload: Raw): readonly Change[] =>
  name in flatSettings(workload) ? [{ path: ['workload', ...settingPath(name)], value: undefined }] : [];

interface Props {
  readonly raw: Raw;
  readonly field: FormField;
}

/**
 * Adds a variant of a setting or an engine option: the value of the file, if it has one, becomes the first level. There
 * is no button while a factor varies the setting.
 */
export const VarySetting = ({ raw, field }: Props) =>
  variedSettings(raw).has(field.name) ? null : (
    <VaryButton
      label={`Add a variant of ${field.title}`}
      onPress={() => {
        addFactor(field, recordAt(raw, ['workload']));
        openedLevel.set({ factor: field.name, level: null });
        shownSection.set('factors');
      }}
    />
  );
