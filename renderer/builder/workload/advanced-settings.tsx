import { settingGroups } from '#model/settings/settings.ts';
import { fileTopic } from '../../help/help-store.ts';
import { type Raw, recordAt, variedSettings } from '../draft/raw-experiment.ts';
import { Fold } from '../form/fold.tsx';
import type { FormField } from '../form/form-field.ts';
import { Section } from '../form/section.tsx';
import { settingField } from '../form/setting-fields.ts';
import { mainSettings } from '../outline/sections.ts';
import { SettingGrid } from './setting-grid.tsx';
import { EngineSections } from './settings-by-engine.tsx';

interface GroupProps {
  readonly raw: Raw;
  readonly title: string;
  readonly fields: readonly FormField[];
}

const Group = ({ raw, title, fields }: GroupProps) => {
  const set = fields.filter(({ name }) => name in recordAt(raw, ['workload'])).length;
  return (
    <Fold
      title={title}
      about={set > 0 ? `${set} set` : fields.map(({ label }) => label.toLowerCase()).join(', ')}
      isSet={set > 0}
    >
      <SettingGrid raw={raw} fields={fields} />
    </Fold>
  );
};

/** The settings that few experiments need, in groups. */
export const AdvancedSettings = ({ raw }: { readonly raw: Raw }) => {
  const workload = recordAt(raw, ['workload']);
  const varied = variedSettings(raw);
  return (
    <Section
      title="More settings"
      help={fileTopic('settings')}
      about="Each setting has a default that suits most runs."
    >
      {settingGroups.map(({ title, names }) => (
        <Group
          key={title}
          raw={raw}
          title={title}
          fields={(names as readonly string[])
            .filter((name) => !mainSettings.includes(name) && (name in workload || !varied.has(name)))
            .flatMap((name) => settingField(name) ?? [])}
        />
      ))}
      <EngineSections raw={raw} path={[]} />
    </Section>
  );
};
