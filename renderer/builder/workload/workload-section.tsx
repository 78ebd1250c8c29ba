import { useState } from 'react';
import { fileTopic } from '../../help/help-store.ts';
import { Button } from '../../ui/controls/button.tsx';
import { type Raw, recordAt, variedBy } from '../draft/raw-experiment.ts';
import { edit } from '../form/edit.ts';
import { Section } from '../form/section.tsx';
import { settingFields } from '../form/setting-fields.ts';
import { SettingInput } from '../form/setting-input.tsx';

export const WorkloadSection = ({ raw }: { readonly raw: Raw }) => {
  const [all, setAll] = useState(false);
  const workload = recordAt(raw, ['workload']);
  const varied = new Set(
    Object.entries(recordAt(raw, ['factors'])).flatMap(([name, levels]) => variedBy(name, levels)),
  );
  const shown = settingFields.filter(
    (field) => field.name in workload || field.name === 'operation' || (all && !varied.has(field.name)),
  );
  return (
    <Section
      title="Workload"
      help={fileTopic('settings')}
      about="These settings are the same in every variant."
      actions={
        <Button kind="quiet" onPress={() => setAll(!all)}>
          {all ? 'Only what is set' : 'All settings'}
        </Button>
      }
    >
      <div className="form-grid">
        {shown.map((field) => (
          <SettingInput
            key={field.name}
            field={field}
            value={workload[field.name]}
            onChange={(value) => edit(['workload', field.name], value)}
          />
        ))}
      </div>
    </Section>
  );
};
