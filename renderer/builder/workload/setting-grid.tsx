import { type Raw, recordAt } from '../draft/raw-experiment.ts';
import { edit } from '../form/edit.ts';
import type { FormField } from '../form/form-field.ts';
import { SettingInput } from '../form/setting-input.tsx';
import { VarySetting } from '../variants/vary-setting.tsx';

interface Props {
  readonly raw: Raw;
  readonly fields: readonly FormField[];
}

/** Settings of the workload beside each other. */
export const SettingGrid = ({ raw, fields }: Props) => (
  <div className="form-grid">
    {fields.map((field) => (
      <SettingInput
        key={field.name}
        field={field}
        value={recordAt(raw, ['workload'])[field.name]}
        beside={<VarySetting raw={raw} field={field} />}
        onChange={(value) => edit(['workload', field.name], value)}
      />
    ))}
  </div>
);
