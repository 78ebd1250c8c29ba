import { formatUpTo } from '#model/format/format.ts';
import { settingTopic } from '../../help/help-store.ts';
import { Select, TextField } from '../../ui/controls/fields.tsx';
import { NumberField } from '../../ui/controls/number-field.tsx';
import { asEntry } from '../draft/raw-experiment.ts';
import { asFormText } from '../form-text.ts';
import { Helped } from './helped.tsx';
import { LoadFromInput } from './load-from-input.tsx';
import { choiceText, levelOf, type SettingField } from './setting-fields.ts';

interface Props {
  readonly field: SettingField;
  readonly value: unknown;
  readonly onChange: (value: string | number | boolean | undefined) => void;
}

const fileDefault = '';

const Input = ({ field, value, onChange }: Props) => {
  const { title, kind, options, defaultValue, numbers } = field;
  const description = asFormText(field.description, {});
  switch (kind) {
    case 'choice':
      return (
        <Select
          label={title}
          help={description}
          value={value === undefined ? fileDefault : String(value)}
          choices={[
            { id: fileDefault, label: `Default (${choiceText(field, defaultValue)})` },
            ...(options ?? []).map((id) => ({ id, label: choiceText(field, id) })),
          ]}
          onChange={(id) => onChange(id === fileDefault ? undefined : levelOf(field, id))}
        />
      );
    case 'number':
      return (
        <NumberField
          label={title}
          help={description}
          value={asEntry(value)}
          placeholder={formatUpTo(Number(defaultValue))}
          {...numbers}
          onChange={(next) => onChange(next ?? undefined)}
        />
      );
    case 'text':
      if (field.name === 'loadFrom') return <LoadFromInput field={field} value={value} onChange={onChange} />;
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

/** The input of a setting or option, with its help. An empty input removes the key from the file. */
export const SettingInput = (props: Props) => (
  <Helped about={props.field.title} help={settingTopic(props.field.name)}>
    <Input {...props} />
  </Helped>
);
