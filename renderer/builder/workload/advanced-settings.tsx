import { settingGroups } from '#model/settings/settings.ts';
import { fileTopic } from '../../help/help-store.ts';
import { type Raw, recordAt } from '../draft/raw-experiment.ts';
import { edit } from '../form/edit.ts';
import { Section } from '../form/section.tsx';
import { settingField } from '../form/setting-fields.ts';
import { SettingInput } from '../form/setting-input.tsx';
import { mainSettings } from '../outline/sections.ts';
import { variedSettings } from './set-settings.ts';

/** The settings that few experiments need, in groups. A group is open if the file sets one of its settings. */
export const AdvancedSettings = ({ raw }: { readonly raw: Raw }) => {
  const workload = recordAt(raw, ['workload']);
  const varied = variedSettings(raw);
  return (
    <Section
      title="More settings"
      help={fileTopic('settings')}
      about="Each setting has a default that suits most runs."
    >
      {settingGroups.map(({ title, names }) => {
        const fields = (names as readonly string[])
          .filter((name) => !mainSettings.includes(name) && (name in workload || !varied.has(name)))
          .flatMap((name) => settingField(name) ?? []);
        const set = fields.filter(({ name }) => name in workload);
        return (
          <details key={title} className="setting-group" open={set.length > 0}>
            <summary>
              <strong>{title}</strong>
              <span className="faint">
                {set.length > 0 ? `${set.length} set` : fields.map(({ label }) => label.toLowerCase()).join(', ')}
              </span>
            </summary>
            <div className="form-grid">
              {fields.map((field) => (
                <SettingInput
                  key={field.name}
                  field={field}
                  value={workload[field.name]}
                  onChange={(value) => edit(['workload', field.name], value)}
                />
              ))}
            </div>
          </details>
        );
      })}
    </Section>
  );
};
