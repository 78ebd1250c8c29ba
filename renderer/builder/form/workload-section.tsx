import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { edit } from './edit.ts';
import { isRecord, type Raw, recordAt } from './form-model.ts';
import { Section } from './section.tsx';
import { settingFields } from './setting-fields.ts';
import { SettingInput } from './setting-input.tsx';

/** Settings a factor varies, by its own name or inside its bundles. */
function variedSettings(raw: Raw): ReadonlySet<string> {
  const factors = recordAt(raw, ['factors']);
  return new Set(
    Object.entries(factors).flatMap(([name, levels]) =>
      isRecord(levels)
        ? Object.values(levels).flatMap((bundle) => Object.keys(isRecord(bundle) ? bundle : {}))
        : [name],
    ),
  );
}

export const WorkloadSection = ({ raw }: { readonly raw: Raw }) => {
  const [all, setAll] = useState(false);
  const workload = recordAt(raw, ['workload']);
  const varied = variedSettings(raw);
  const shown = settingFields.filter(
    (field) => field.name in workload || field.name === 'operation' || (all && !varied.has(field.name)),
  );
  return (
    <Section
      title="Workload"
      about="The same in every variant."
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
