import type { Raw } from '../draft/raw-experiment.ts';
import { edit } from '../form/edit.ts';
import type { FormField } from '../form/form-field.ts';
import { SettingInput } from '../form/setting-input.tsx';

interface Props {
  readonly fields: readonly FormField[];
  readonly workload: Raw;
}

/** Settings of the workload beside each other. */
export const SettingGrid = ({ fields, workload }: Props) => (
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
);
