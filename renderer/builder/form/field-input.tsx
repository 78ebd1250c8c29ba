import { formatUpTo } from '#model/format/format.ts';
import { Select, TextField } from '../../ui/controls/fields.tsx';
import { type NumberEntry, NumberField } from '../../ui/controls/number-field.tsx';
import { asEntry, asText, isRecord, type Raw, scaled } from '../draft/raw-experiment.ts';
import { asFormText } from '../form-text.ts';
import type { FormField } from './form-field.ts';
import { ListInput } from './list-input.tsx';
import { LoadFromInput } from './load-from-input.tsx';
import { choiceText, defaultInWords, levelOf } from './setting-fields.ts';

export interface FieldProps {
  readonly field: FormField;
  readonly value: unknown;
  /** The label. Default: the title of the field. */
  readonly label?: string | undefined;
  /** True in a table, whose headings show the label. Only screen readers get the label then. */
  readonly inTable?: boolean;
  /** The help. Default: the help of the field. */
  readonly help?: string | undefined;
  /** The value. If it is undefined, the input is empty or shows the default. */
  readonly onChange: (value: unknown) => void;
}

const fileDefault = '';

/** Formats a mapping on one line. */
const summaryOf = (value: Raw): string =>
  Object.entries(value)
    .map(([name, inner]) => (isRecord(inner) ? name : `${name}: ${asText(inner)}`))
    .join(', ');

const Nested = ({ value }: { readonly value: unknown }) => (
  <span className="mono nested" title="Edit this value in the YAML.">
    {isRecord(value) ? summaryOf(value) : 'in the YAML'}
  </span>
);

/** The input of a field. */
export const FieldInput = ({ field, value, label = field.title, inTable = false, help, onChange }: FieldProps) => {
  const { kind, options, numbers, defaultValue, hasDefault, required } = field;
  const own = help ?? asFormText(field.description, {});
  const common = { label, hideLabel: inTable, ...(!inTable && own !== '' && { help: own }) };
  switch (kind) {
    case 'choice': {
      const choices = options.map((id) => ({
        id,
        label: `${choiceText(field, id)}${!inTable && hasDefault && id === defaultValue ? ' (default)' : ''}`,
      }));
      if (inTable || required || hasDefault)
        return (
          <Select
            {...common}
            value={asText(value) || defaultValue || null}
            placeholder="default"
            choices={choices}
            onChange={(id) => onChange(id === defaultValue && !required ? undefined : levelOf(field, id))}
          />
        );
      return (
        <Select
          {...common}
          value={value === undefined ? fileDefault : String(value)}
          choices={[
            {
              id: fileDefault,
              label: defaultValue === '' ? 'Default' : `Default (${choiceText(field, defaultValue)})`,
            },
            ...choices,
          ]}
          onChange={(id) => onChange(id === fileDefault ? undefined : levelOf(field, id))}
        />
      );
    }
    case 'number': {
      const isPercent = numbers.unit === '%';
      const shown = (entry: NumberEntry) => (isPercent ? scaled(entry, 100) : entry);
      const usual = shown(defaultValue === '' ? null : Number(defaultValue));
      return (
        <NumberField
          {...common}
          {...numbers}
          required={required}
          usual={usual}
          value={shown(asEntry(value))}
          placeholder={
            defaultInWords(field) ??
            (typeof usual === 'number' && !Number.isNaN(usual) ? formatUpTo(usual) : defaultValue || 'default')
          }
          onChange={(entry) => onChange((isPercent ? scaled(entry, 0.01) : entry) ?? undefined)}
        />
      );
    }
    case 'text':
      if (field.name === 'loadFrom') return <LoadFromInput field={field} value={value} onChange={onChange} />;
      return isRecord(value) ? (
        <Nested value={value} />
      ) : (
        <TextField
          {...common}
          value={asText(value)}
          placeholder={defaultValue}
          onChange={(text) => onChange(text === '' ? undefined : text)}
        />
      );
    case 'list':
    case 'numbers':
    case 'values':
      return <ListInput label={label} hideLabel={inTable} value={value} kind={kind} onChange={onChange} />;
    case 'nested':
      return <Nested value={value} />;
  }
};
