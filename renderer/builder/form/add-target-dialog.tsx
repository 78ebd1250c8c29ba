import { useState } from 'react';
import type { ConfigField, EngineDescriptor } from '#contract/engine.ts';
import { holdsPlainSecret } from '#contract/target-rules.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox, NumberField, Select, TextField } from '../../ui/fields.tsx';

type Value = string | number | boolean | Readonly<Record<string, string>>;
type Values = Readonly<Record<string, Value>>;

interface FieldProps {
  readonly field: ConfigField;
  readonly value: Value | undefined;
  readonly onChange: (value: Value | undefined) => void;
}

/** A password counts as one whatever the engine calls its field. */
const isPlain = (field: ConfigField, value: Value | undefined): boolean =>
  holdsPlainSecret(value, field.kind === 'password' ? 'password' : field.name);

// biome-ignore lint/suspicious/noTemplateCurlyInString: what the user is to write
const passwordHelp = 'Passwords stay out of the file: write ${env:NAME}, and Dyno reads that environment variable.';
// biome-ignore lint/suspicious/noTemplateCurlyInString: what the user is to write
const plainHelp = 'This is a secret in plain text, and files are shared. Write ${env:NAME} in its place.';

/** One `name: value` a line; lines without a name are not yet anything. */
function mapOf(text: string): Readonly<Record<string, string>> | undefined {
  const pairs = text.split('\n').flatMap((line) => {
    const [, name, value] = /^\s*([^:=\s]+)\s*[:=]\s*(.*?)\s*$/.exec(line) ?? [];
    return name && value ? [[name, value] as const] : [];
  });
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs);
}

const MapInput = ({ field, value, onChange }: FieldProps) => {
  const [text, setText] = useState('');
  return (
    <TextField
      label={field.label}
      help={isPlain(field, value) ? plainHelp : [field.help, 'One “name: value” per line.'].filter(Boolean).join(' ')}
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

const ConfigInput = ({ field, value, onChange }: FieldProps) => {
  const own = field.kind === 'password' ? (field.help ?? passwordHelp) : field.help;
  const help = isPlain(field, value) ? plainHelp : own;
  switch (field.kind) {
    case 'boolean':
      return <Checkbox label={field.label} checked={value === true} onChange={(on) => onChange(on || undefined)} />;
    case 'number':
      return (
        <NumberField
          label={field.label}
          help={help}
          placeholder={field.placeholder ?? ''}
          value={typeof value === 'number' ? value : null}
          onChange={(next) => onChange(next ?? undefined)}
        />
      );
    case 'choice':
      return (
        <Select
          label={field.label}
          help={help}
          value={typeof value === 'string' ? value : null}
          placeholder={field.placeholder ?? 'Default'}
          choices={(field.choices ?? []).map((id) => ({ id, label: id }))}
          onChange={onChange}
        />
      );
    case 'map':
      return <MapInput field={field} value={value} onChange={onChange} />;
    default:
      return (
        <TextField
          label={field.label}
          help={help}
          placeholder={field.placeholder ?? ''}
          type={field.kind === 'password' ? 'password' : 'text'}
          value={typeof value === 'string' ? value : ''}
          onChange={(text) => onChange(text === '' ? undefined : text)}
        />
      );
  }
};

interface Props {
  readonly engines: readonly EngineDescriptor[];
  readonly taken: readonly string[];
  readonly onAdd: (target: Readonly<Record<string, unknown>>) => void;
  readonly onClose: () => void;
}

/** Asks for a server of the user's own; the fields are the engine's. */
export const AddTargetDialog = ({ engines, taken, onAdd, onClose }: Props) => {
  const [engineId, setEngineId] = useState((engines.find((engine) => !engine.reference) ?? engines[0])?.id ?? '');
  const [name, setName] = useState('');
  const [values, setValues] = useState<Values>({});
  const engine = engines.find((candidate) => candidate.id === engineId);
  const fields = engine?.config ?? [];
  const unfit = fields.some(
    (field) => (field.required && values[field.name] === undefined) || isPlain(field, values[field.name]),
  );
  return (
    <Dialog title="Add a target" open onClose={onClose}>
      <div className="dialog-body">
        <Select
          label="Engine"
          value={engineId}
          choices={engines.map(({ id, label }) => ({ id, label }))}
          onChange={(id) => {
            setEngineId(id);
            setValues({});
          }}
        />
        <TextField
          label="Name"
          help={
            taken.includes(name) ? 'There is a target of this name already.' : 'How it is called in charts and reports.'
          }
          value={name}
          onChange={setName}
        />
        {fields.map((field) => (
          <ConfigInput
            key={`${engineId}.${field.name}`}
            field={field}
            value={values[field.name]}
            onChange={(value) =>
              setValues(({ [field.name]: _, ...rest }) =>
                value === undefined ? rest : { ...rest, [field.name]: value },
              )
            }
          />
        ))}
        <div className="dialog-actions">
          <Button onPress={onClose}>Cancel</Button>
          <Button
            kind="primary"
            isDisabled={name === '' || taken.includes(name) || unfit}
            onPress={() => {
              onAdd({ name, engine: engineId, ...values });
              onClose();
            }}
          >
            Add target
          </Button>
        </div>
      </div>
    </Dialog>
  );
};
