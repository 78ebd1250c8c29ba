import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import type { ConfigField } from '#engine-api/config.ts';
import { holdsPlainSecret } from '#engine-api/connection-strings/plain-secrets.ts';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { FieldValue, FieldValues } from '#model/connections.ts';
import { missingFields } from '#rules/targets/target-fields.ts';
import { newConnection } from '../../connections/open-connection.ts';
import { connections } from '../../state/connections.ts';
import { useStore } from '../../state/store.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ConfigInput } from '../../ui/controls/config-input.tsx';
import { Select, TextField } from '../../ui/controls/fields.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';

interface FieldProps {
  readonly field: ConfigField;
  readonly value: FieldValue | undefined;
  readonly onChange: (value: FieldValue | undefined) => void;
}

/** True if the value is a secret in plain text. Password fields count under any name. */
const isPlain = (field: ConfigField, value: FieldValue | undefined): boolean =>
  holdsPlainSecret(value, field.kind === 'password' ? 'password' : field.name);

// biome-ignore lint/suspicious/noTemplateCurlyInString: the text that the user is to write
const passwordHelp = 'Passwords stay out of the file: write ${env:NAME}, and Dyno reads that environment variable.';
// biome-ignore lint/suspicious/noTemplateCurlyInString: the text that the user is to write
const plainHelp = 'This is a secret in plain text, but experiment files are shared. Write ${env:NAME} instead.';

const TargetInput = ({ field, value, onChange }: FieldProps) => {
  const help = field.kind === 'password' ? { ...field, help: field.help ?? passwordHelp } : field;
  return (
    <ConfigInput
      field={help}
      value={value}
      problem={isPlain(field, value) ? plainHelp : undefined}
      onChange={onChange}
    />
  );
};

interface Props {
  readonly engines: readonly EngineDescriptor[];
  readonly taken: readonly string[];
  readonly onAdd: (target: string | Readonly<Record<string, unknown>>) => void;
  readonly onClose: () => void;
}

type OnAdd = Props['onAdd'];

/** Adds a connection by its name, so that its address and password are not stored in the file. */
const ByName = ({
  names,
  onAdd,
  onClose,
}: {
  readonly names: readonly string[];
  readonly onAdd: OnAdd;
  readonly onClose: () => void;
}) => {
  const [chosen, setChosen] = useState(names[0] ?? null);
  return (
    <>
      <Select
        label="Connection"
        help="The file contains only its name."
        value={chosen}
        choices={names.map((name) => ({ id: name, label: name }))}
        onChange={setChosen}
      />
      <div className="dialog-actions">
        <Button onPress={onClose}>Cancel</Button>
        <Button
          kind="primary"
          isDisabled={chosen === null}
          onPress={() => {
            if (chosen !== null) onAdd(chosen);
            onClose();
          }}
        >
          Add target
        </Button>
      </div>
    </>
  );
};

/** Adds a target that is described in the file, with the fields of its engine. */
const WrittenOut = ({ engines, taken, onAdd, onClose }: Props) => {
  const [engineId, setEngineId] = useState((engines.find((engine) => !engine.reference) ?? engines[0])?.id ?? '');
  const [name, setName] = useState('');
  const [values, setValues] = useState<FieldValues>({});
  const engine = engines.find((candidate) => candidate.id === engineId);
  const fields = engine?.config ?? [];
  const [missing] = missingFields(fields, values);
  const lacks =
    name === ''
      ? 'Give the target a name.'
      : taken.includes(name)
        ? 'Choose another name.'
        : missing !== undefined
          ? `Fill in “${missing.label}”.`
          : fields.some((field) => isPlain(field, values[field.name]))
            ? 'Take the secret out of the file.'
            : null;
  const inputOf = (field: ConfigField) => (
    <TargetInput
      key={`${engineId}.${field.name}`}
      field={field}
      value={values[field.name]}
      onChange={(value) =>
        setValues(({ [field.name]: _, ...rest }) => (value === undefined ? rest : { ...rest, [field.name]: value }))
      }
    />
  );
  const advanced = fields.filter((field) => field.advanced === true);
  return (
    <>
      <Select
        label="Engine"
        value={engineId}
        choices={engines.map(({ id, label }) => ({ id, label }))}
        onChange={(id) => {
          setEngineId(id);
          setValues({});
        }}
      />
      {engine?.notice && <p className="muted">{engine.notice}</p>}
      <TextField
        label="Name"
        help={taken.includes(name) ? 'A target with this name already exists.' : 'The name in charts and reports.'}
        value={name}
        onChange={setName}
      />
      {fields.filter((field) => field.advanced !== true).map(inputOf)}
      {advanced.length > 0 && (
        <details key={engineId}>
          <summary>More settings</summary>
          <div className="stack">{advanced.map(inputOf)}</div>
        </details>
      )}
      <div className="dialog-actions">
        <p className="grow muted" aria-live="polite">
          {lacks}
        </p>
        <Button onPress={onClose}>Cancel</Button>
        <Button
          kind="primary"
          isDisabled={lacks !== null}
          onPress={() => {
            onAdd({ name, engine: engineId, ...values });
            onClose();
          }}
        >
          Add target
        </Button>
      </div>
    </>
  );
};

const sides = [
  { id: 'name', label: 'A connection' },
  { id: 'written', label: 'Described in the file' },
];

/** Asks for a server: one of the user's connections, or a new target that the file describes. */
export const AddTargetDialog = (props: Props) => {
  const all = useStore(connections)?.connections ?? [];
  const names = all.map(({ name }) => name).filter((name) => !props.taken.includes(name));
  const [side, setSide] = useState(names.length > 0 ? 'name' : 'written');
  return (
    <Dialog title="Add a target" open onClose={props.onClose}>
      <div className="dialog-body">
        {names.length > 0 && <Segmented label="Kind of target" choices={sides} value={side} onChange={setSide} />}
        {side === 'name' ? (
          <ByName names={names} onAdd={props.onAdd} onClose={props.onClose} />
        ) : (
          <>
            <p className="muted">
              {'To use a server more than once,'}{' '}
              <AriaButton
                className="link"
                onPress={() => {
                  props.onClose();
                  newConnection();
                }}
              >
                create a connection
              </AriaButton>
              . A connection can be tested, and Dyno can store its password.
            </p>
            <WrittenOut {...props} />
          </>
        )}
      </div>
    </Dialog>
  );
};
