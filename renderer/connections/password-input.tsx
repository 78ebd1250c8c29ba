import type { ConfigField } from '#engine-api/config.ts';
import { mostValidMinutes } from '#model/connections.ts';
import { IconButton } from '../ui/controls/button.tsx';
import { Checkbox, Select, TextField } from '../ui/controls/fields.tsx';
import { NumberField } from '../ui/controls/number-field.tsx';
import type { PasswordChoice, PasswordForm } from './connection-form-model.ts';

interface Props {
  readonly field: ConfigField;
  readonly value: PasswordForm;
  readonly problem: string | undefined;
  /** Why this machine cannot store passwords; null if it can. */
  readonly cannotStore: string | null;
  readonly suggestion: string;
  readonly onChange: (change: Partial<PasswordForm>) => void;
}

/** A password's source, and a write-only input for the password. */
export const PasswordInput = ({ field, value, problem, cannotStore, suggestion, onChange }: Props) => {
  const { choice, typed, variable, command, validMinutes, kept, remember } = value;
  const choices: readonly { readonly id: PasswordChoice; readonly label: string }[] = [
    ...(cannotStore === null || choice === 'stored'
      ? [{ id: 'stored' as const, label: 'Stored, encrypted by the system' }]
      : []),
    { id: 'ask', label: 'Asked for' },
    { id: 'environment', label: 'From an environment variable' },
    { id: 'command', label: 'Printed by a command' },
    { id: 'none', label: 'None' },
  ];
  const typedField = (help: string, placeholder: string) => (
    <TextField
      label={field.label}
      type="password"
      help={help}
      problem={problem}
      placeholder={placeholder}
      value={typed}
      onChange={(text) => onChange({ typed: text })}
    />
  );
  return (
    <div className="password-input span-all">
      <Select
        label={`${field.label}: where from`}
        help={choice === 'stored' || choice === 'ask' ? (cannotStore ?? undefined) : undefined}
        value={choice}
        choices={choices}
        onChange={(id) =>
          onChange({
            choice: id as PasswordChoice,
            ...(id === 'environment' && variable === '' ? { variable: suggestion } : {}),
          })
        }
      />
      {choice === 'stored' && (
        <div className="password-typed">
          {typedField(
            kept
              ? 'Empty keeps the one that is stored.'
              : 'Only this computer’s window can use it; it is in no file in the clear.',
            kept ? '•••••••• (stored)' : '',
          )}
          {kept && (
            <IconButton
              icon="trash"
              label={`Forget the stored ${field.label}`}
              onPress={() => onChange({ choice: 'none', typed: '', kept: false })}
            />
          )}
        </div>
      )}
      {choice === 'ask' && (
        <div className="password-asked">
          {typedField(
            remember
              ? 'Save keeps it in memory; it is written to no file.'
              : 'For tests from this form; it is not kept.',
            '',
          )}
          <Checkbox
            label="Remember until Dyno quits"
            checked={remember}
            onChange={(next) => onChange({ remember: next })}
          />
        </div>
      )}
      {choice === 'command' && (
        <>
          <TextField
            label={`Command that prints ${field.label}`}
            help="The program, then one argument a line; no shell reads them. It runs whenever Dyno connects, and again once a login is refused. Of JSON with a token, the token is taken."
            problem={problem}
            multiline
            placeholder="pass
show
db/staging"
            value={command}
            onChange={(text) => onChange({ command: text })}
          />
          <NumberField
            label="Valid for (minutes)"
            help="Of a token: it is printed again before it expires. Empty: as its JSON says, else until a login is refused."
            placeholder="as the command says"
            unit="min"
            whole
            min={1}
            max={mostValidMinutes}
            value={validMinutes}
            onChange={(minutes) => onChange({ validMinutes: minutes })}
          />
        </>
      )}
      {choice === 'environment' && (
        <TextField
          label="Environment variable"
          help="Read when a run or test begins. The command line reads it, too."
          problem={problem}
          value={variable}
          onChange={(text) => onChange({ variable: text.replaceAll(/[^A-Za-z0-9_]/g, '') })}
        />
      )}
    </div>
  );
};
