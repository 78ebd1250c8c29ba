import { useState } from 'react';
import type { ConfigField } from '#engine-api/config.ts';
import type { FieldValue } from '#model/connections.ts';
import { unitOfKey } from '#model/text/read-number.ts';
import { Select, TextField } from './fields.tsx';
import { NumberField } from './number-field.tsx';

interface Props {
  readonly field: ConfigField;
  readonly value: FieldValue | undefined;
  readonly problem?: string | undefined;
  /** Stores a value. Undefined removes it, so that the engine's default applies. */
  readonly onChange: (value: FieldValue | undefined) => void;
}

/** Parses lines of `name: value` or `name = value`, and ignores incomplete lines. */
export function mapOf(text: string): Readonly<Record<string, string>> | undefined {
  const pairs = text.split('\n').flatMap((line) => {
    const [, name, value] = /^\s*([^:=\s]+)\s*[:=]\s*(.*?)\s*$/.exec(line) ?? [];
    return name && value ? [[name, value] as const] : [];
  });
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs);
}

const textOfMap = (value: FieldValue | undefined): string =>
  typeof value === 'object'
    ? Object.entries(value)
        .map(([name, text]) => `${name}: ${text}`)
        .join('\n')
    : '';

const MapInput = ({ field, value, problem, onChange }: Props) => {
  const [text, setText] = useState(textOfMap(value));
  return (
    <TextField
      label={field.label}
      help={[field.help, 'Write one “name: value” per line.'].filter(Boolean).join(' ')}
      problem={problem}
      multiline
      placeholder={field.placeholder ?? ''}
      value={text}
      onChange={(next) => {
        setText(next);
        onChange(mapOf(next));
      }}
    />
  );
};

const defaultValue = '';
/** The option for the default. It names the default if the placeholder is a single value. */
const defaultChoice = ({ placeholder = '' }: ConfigField) => ({
  id: defaultValue,
  label: /^(?!default)\S{1,20}$/i.test(placeholder) ? `Default (${placeholder})` : 'Default',
});

/** The input of a connection field, except passwords. An empty input means the engine's default. */
export const ConfigInput = (props: Props) => {
  const { field, value, problem, onChange } = props;
  const label = field.required ? `${field.label} (needed)` : field.label;
  const common = { label, help: field.help, problem, placeholder: field.placeholder ?? '' };
  switch (field.kind) {
    case 'boolean':
      return (
        <Select
          {...common}
          value={typeof value === 'boolean' ? String(value) : defaultValue}
          choices={[defaultChoice(field), { id: 'true', label: 'Yes' }, { id: 'false', label: 'No' }]}
          onChange={(id) => onChange(id === defaultValue ? undefined : id === 'true')}
        />
      );
    case 'number':
      return (
        <NumberField
          {...common}
          value={typeof value === 'number' || typeof value === 'string' ? value : null}
          unit={unitOfKey(field.name) ?? 'digits'}
          whole
          min={field.min}
          max={field.max}
          onChange={(next) => onChange(next ?? undefined)}
        />
      );
    case 'choice':
      return (
        <Select
          {...common}
          value={typeof value === 'string' ? value : defaultValue}
          choices={[defaultChoice(field), ...(field.choices ?? []).map((id) => ({ id, label: id }))]}
          onChange={(id) => onChange(id === defaultValue ? undefined : id)}
        />
      );
    case 'map':
      return <MapInput {...props} />;
    default:
      return (
        <TextField
          {...common}
          type={field.kind === 'password' ? 'password' : 'text'}
          value={typeof value === 'string' ? value : ''}
          onChange={(text) => onChange(text === '' ? undefined : text)}
        />
      );
  }
};
