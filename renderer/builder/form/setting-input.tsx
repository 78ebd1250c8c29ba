import { NumberField, Select, TextField } from '../../ui/fields.tsx';
import { asNumber } from '../draft/raw-experiment.ts';
import { levelOf, type SettingField } from './setting-fields.ts';

interface Props {
  readonly field: SettingField;
  readonly value: unknown;
  readonly onChange: (value: string | number | boolean | undefined) => void;
}

const fileDefault = '';

/** The input of a setting or option: a choice, a number or a text. An empty input removes the key from the file. */
export const SettingInput = ({ field, value, onChange }: Props) => {
  const { title, description, kind, options, defaultValue, min, max } = field;
  switch (kind) {
    case 'choice':
      return (
        <Select
          label={title}
          help={description}
          value={value === undefined ? fileDefault : String(value)}
          choices={[
            { id: fileDefault, label: `Default (${defaultValue})` },
            ...(options ?? []).map((id) => ({ id, label: id })),
          ]}
          onChange={(id) => onChange(id === fileDefault ? undefined : levelOf(field, id))}
        />
      );
    case 'number':
      return (
        <NumberField
          label={title}
          help={description}
          value={asNumber(value)}
          placeholder={defaultValue}
          min={min}
          max={max}
          onChange={(next) => onChange(next ?? undefined)}
        />
      );
    case 'text':
      return (
        <TextField
          label={title}
          help={description}
          value={typeof value === 'string' ? value : ''}
          placeholder={defaultValue}
          onChange={(text) => onChange(text === '' ? undefined : text)}
        />
      );
  }
};
