import { NumberField, Select } from '../../ui/fields.tsx';
import { numberOf } from './form-model.ts';
import type { SettingField } from './setting-fields.ts';

interface Props {
  readonly field: SettingField;
  readonly value: unknown;
  readonly onChange: (value: string | number | undefined) => void;
}

const fileDefault = '';

/** One setting: a choice or a number; empty leaves the file silent. */
export const SettingInput = ({ field, value, onChange }: Props) =>
  field.options ? (
    <Select
      label={field.title}
      help={field.description}
      value={typeof value === 'string' ? value : fileDefault}
      choices={[
        { id: fileDefault, label: `Default (${field.byDefault})` },
        ...field.options.map((id) => ({ id, label: id })),
      ]}
      onChange={(id) => onChange(id === fileDefault ? undefined : id)}
    />
  ) : (
    <NumberField
      label={field.title}
      help={field.description}
      value={numberOf(value)}
      placeholder={field.byDefault}
      min={1}
      max={field.max}
      onChange={(next) => onChange(next ?? undefined)}
    />
  );
